// erf x = (2/√π)(x − x³/3) + x⁵ F(x²) for |x| below 1, otherwise 1 − exp(−x²) G((x − c)/(x + c)).
#pragma once

#include "actio/backend/elementary/exponential.hpp"

namespace actio::elementary {

template <class N>
N inner_error_function(const N& size) {
  namespace c = constants;
  const extended<N> z = product(size, size);
  const extended<N> w = product(z, extended<N>{N(c::third_of_that[0]), N(c::third_of_that[1])});
  const extended<N> s = ordered_sum(N(c::two_over_root_pi[0]), w.high);
  const N rest = fma(z.high * z.high, polynomial(c::error, z.high), (s.low + c::two_over_root_pi[1]) + w.low);
  const extended<N> p = product(size, s.high);
  return p.high + fma(size, rest, p.low);
}

// Both factors are extended: at 1 the product is a sixth of the result.
template <class N>
N outer_error_function(const N& size) {
  namespace c = constants;
  const N x = select(size > 6.0, 6.0, size);
  const extended<N> z = product(x, x);
  const exponential_parts<N> parts = parts_of_exponential(-z.high, -z.low);
  const N power = power_of_two(parts.shifted);
  const extended<N> e = ordered_sum(N(1.0), parts.e.high), factor{power * e.high, power * (e.low + parts.e.low)};

  const extended<N> t = quotient(extended<N>{x - c::error_centre, N(-0.0)}, sum(x, N(c::error_centre)));
  const N higher = polynomial_from<1>(c::error_complement, t.high);
  const extended<N> g = ordered_sum(N(c::error_complement[0]), t.high * higher);
  const extended<N> p = product(factor, extended<N>{g.high, fma(t.low, higher, g.low + c::error_complement_0_low)});
  const extended<N> result = ordered_sum(N(1.0), -p.high);
  return result.high + (result.low - p.low);
}

template <class N>
N error_function(const N& x) {
  const N size = absolute(x);
  return with_sign(rarely(size >= 1.0, inner_error_function(size), [&] { return outer_error_function(size); }),
                   sign_bit(x));
}

}  // namespace actio::elementary
