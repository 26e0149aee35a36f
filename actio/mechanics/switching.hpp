// Where a motion is not smooth: what changes sign there, and when signals have kinks. Steps that end on these places
// keep their order.
#pragma once

#include <string>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// A value in q, q', t and the parameters whose zeros are kinks or jumps of L, a force, a constraint or an equation.
struct switching_value {
  expr value;
  std::string text;  // "x - 1 = 0", "x is a whole number"
};

// Each once, whatever its sign, in the order in which the description has them: x of |x|, sign(x), step(x), √(x²) and
// of conditions x ≥ 0; sin(πx) of floor(x), which changes sign at every whole number. The cut of atan2 is none of them.
std::vector<switching_value> switching_values(const lagrangian_system& system);

// The samples of a signal: between two of them it is a polynomial.
struct switching_times {
  std::string signal;
  expr argument;                // of the signal, usually t
  std::vector<rational> times;  // increasing values of the argument
  // Derivatives of the signal that are continuous there: 0 for linear interpolation, 2 for cubic.
  unsigned continuous_derivatives = 0;
};
std::vector<switching_times> switching_times_of(const lagrangian_system& system);

// Throws input_error("signal-range") where a signal of the argument t, or of one that is affine in t with constant
// coefficients, is not known on the whole of [begin, end].
template <class S>
void require_signals(const lagrangian_system& system, const S& begin, const S& end);

}  // namespace actio
