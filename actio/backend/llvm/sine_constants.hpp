// Numbers of the inlined sine and cosine, computed from their definitions.
//
// For |x| up to `largest_argument`: n = nearest integer to 2|x|/π, r = |x| − n π/2 as a sum r + r_low of two doubles,
// with z = r²
//   sin(r + r_low) = r + (r z S(z) + r_low (1 − z/2)),   cos(r + r_low) = (1 − z/2) + (z² C(z) − r r_low),
// where what the roundings of z and 1 − z/2 lose is added to the small terms of the cosine.
// π/2 is split in three: n half_pi[0] is subtracted without error by one fused operation, because the difference is a
// multiple of 2⁻⁵³ below 1; n half_pi[1] is exact because half_pi[1] has 32 bits and n at most 20.
#pragma once

#include <array>

namespace actio::machine_code {

struct sine_constants {
  double two_over_pi;
  std::array<double, 3> half_pi;
  double largest_argument;
  std::array<double, 7> sine;    // S, ascending powers
  std::array<double, 6> cosine;  // C
};

const sine_constants& constants_of_sine();

}  // namespace actio::machine_code
