// x^y = exp(y log|x|) with the sign and the special cases of C's pow.
#pragma once

#include "actio/backend/elementary/exponential.hpp"
#include "actio/backend/elementary/logarithm.hpp"

namespace actio::elementary {

// Everything but positive normal x with a usual exponent; `size` is |x|^y where that is finite and not 0.
template <class N>
N special_power(const N& x, const N& y, const N& size) {
  const N base = absolute(x);
  const auto is_whole = floor(y) == y, is_odd = is_whole & (floor(y * 0.5) * 2.0 != y);
  const auto extreme = (base == 0.0) | (base == infinity) | is_infinite(y);
  const auto shrinks = (base > 1.0) ^ (y > 0.0);
  N result = select(extreme, select(shrinks, 0.0, N(infinity)), size);
  result = select((x < 0.0) & !is_whole & (base < infinity), not_a_number, result);
  result = select(is_odd, with_sign(result, sign_bit(x)), result);
  result = select(is_nan(x) | is_nan(y), x + y, result);
  return select((y == 0.0) | (x == 1.0) | ((base == 1.0) & is_infinite(y)), 1.0, result);
}

template <class N>
N power(const N& x, const N& y) {
  const binary_parts<N> parts = parts_of(absolute(x));
  const extended<N> log = extended_logarithm(parts.k, half_tangent(parts.f, N(-0.0)));
  const N p = y * log.high, p_low = fma(y, log.low, fma(y, log.high, -p));
  const exponential_parts<N> e = parts_of_exponential(p, p_low);
  const auto is_usual = (x > 0.0) & (x < infinity) & (absolute(p) <= usual_exponent);
  return rarely(!is_usual, usual_exponential(e), [&] { return special_power(x, y, any_exponential(p, e)); });
}

}  // namespace actio::elementary
