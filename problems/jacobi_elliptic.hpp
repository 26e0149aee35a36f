// Jacobi's elliptic functions at any precision, by the arithmetic-geometric mean.
#pragma once

#include <cmath>
#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

template <class S>
struct elliptic_values {
  S sn, cn, dn;
};

// K(k) = π / (2 agm(1, √(1 − k²))).
template <class S>
S complete_elliptic_integral(const S& k) {
  using std::abs, std::sqrt;
  S a(1), b = sqrt(S((1 - k) * (1 + k)));
  while (abs(S(a - b)) > 4 * epsilon<S>() * a) {
    const S mean = (a + b) / 2;
    b = sqrt(S(a * b));
    a = mean;
  }
  return pi_value<S>() / (2 * a);
}

// sn, cn, dn of u with modulus 0 <= k < 1, by descending Landen transformations of the amplitude φ:
//   φ_N = 2^N a_N u,   φ_{n−1} = (φ_n + asin(c_n/a_n sin φ_n))/2,   φ_0 = am u.   [dlmf, 22.20]
template <class S>
elliptic_values<S> jacobi_elliptic(const S& u, const S& k) {
  using std::abs, std::asin, std::cos, std::sin, std::sqrt;
  S a(1), b = sqrt(S((1 - k) * (1 + k))), c = k;
  std::vector<S> ratio;  // c_n/a_n for n = 1, 2, ...
  S doubling(1);
  while (abs(c) > epsilon<S>() * a) {
    const S mean = (a + b) / 2;
    c = (a - b) / 2;
    b = sqrt(S(a * b));
    a = mean;
    ratio.push_back(S(c / a));
    doubling *= 2;
  }
  S phi = doubling * a * u;
  for (std::size_t n = ratio.size(); n-- > 0;) phi = (phi + asin(S(ratio[n] * sin(phi)))) / 2;
  const S sn = sin(phi), cn = cos(phi);
  return {sn, cn, sqrt(S(1 - k * k * sn * sn))};
}

}  // namespace actio
