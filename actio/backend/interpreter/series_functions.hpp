// The error function and Bessel functions of numbers that have no others: Boost.Math would compute hundreds of
// Bernoulli numbers for them whenever a program starts.
#pragma once

#include <cmath>
#include <cstdlib>

#include "actio/base/scalar.hpp"

namespace actio::interpreter {

// erf x = (2/√π) exp(−x²) Σ_k 2^k x^(2k+1) / (2k + 1)!!, whose terms have one sign.
template <class S>
S erf_by_series(const S& x) {
  if (!(x == x)) return x;
  const S square = x * x;
  if (square > S(0.7 * static_cast<double>(significand_bits<S>()))) return x > 0 ? S(1) : S(-1);
  S term = x, sum = x;
  for (int k = 1; abs(term) > epsilon<S>() * abs(sum); ++k) {
    term *= 2 * square / (2 * k + 1);
    sum += term;
  }
  return 2 / sqrt(pi_value<S>()) * exp(-square) * sum;
}

// J_n(x) = Σ_k (−1)^k (x/2)^(n+2k) / (k! (n + k)!), for x² < 4 (n + 1).
template <class S>
S bessel_by_series(int n, const S& x) {
  const S half = x / 2, square = half * half;
  S term = 1;
  for (int k = 1; k <= n; ++k) term *= half / k;
  S sum = term;
  for (int k = 1; abs(term) > epsilon<S>() * abs(sum); ++k) {
    term *= -square / (S(k) * (n + k));
    sum += term;
  }
  return sum;
}

// J_(k−1) = (2k/x) J_k − J_(k+1) downwards from where J is nothing, measured by J_0 + 2 Σ J_2k = 1.
template <class S>
S bessel_by_recurrence(int n, const S& x) {
  const double at = to_double(x), nothing = -0.7 * static_cast<double>(significand_bits<S>());
  int k = std::max(n, static_cast<int>(at)) + 2;
  while (k * std::log(at / 2) - std::lgamma(k + 1.0) > nothing) k += 8;
  S above(0), here(1), found(0), sum(0);
  for (; k > 0; --k) {
    if (k == n) found = here;
    if (k % 2 == 0) sum += 2 * here;
    const S below = 2 * k * here / x - above;
    above = here;
    here = below;
  }
  return (n == 0 ? here : found) / (sum + here);
}

// √(2/(πx)) (P cos χ − Q sin χ), χ = x − (2n + 1) π/4, with Hankel's series in 1/x, for x far above n² and the digits.
template <class S>
S bessel_far_out(int n, const S& x) {
  S term = 1, sums[2] = {S(0), S(0)};
  const S order = 4 * S(n) * n;
  for (int k = 0; abs(term) > epsilon<S>(); ++k) {
    sums[k % 2] += k % 4 < 2 ? term : S(-term);
    term *= (order - S(2 * k + 1) * (2 * k + 1)) / (8 * (k + 1) * x);
  }
  const S phase = S((2 * n + 1) % 8) * pi_value<S>() / 4;
  return sqrt(2 / (pi_value<S>() * x)) * (sums[0] * cos(x - phase) - sums[1] * sin(x - phase));
}

template <class S>
S bessel_of(int order, const S& argument) {
  const int n = std::abs(order);
  const bool is_negative = n % 2 != 0 && (order < 0) != (argument < 0);
  const S x = abs(argument);
  if (!is_finite(x)) return x == x ? S(0) : x;
  const S far = 4 * S(significand_bits<S>()) + 2 * S(n) * n;
  const S value = x * x < 4 * (n + 1) ? bessel_by_series(n, x)
                  : x > far           ? bessel_far_out(n, x)
                                      : bessel_by_recurrence(n, x);
  return is_negative ? S(-value) : value;
}

}  // namespace actio::interpreter
