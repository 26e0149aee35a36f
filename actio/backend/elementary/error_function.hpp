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

template <class N>
N outer_error_function(const N& size) {
  const N x = select(size > 6.0, 6.0, size);
  const extended<N> z = product(x, x);
  const N e = usual_exponential(parts_of_exponential(-z.high, -z.low));
  const N t = (x - constants::error_centre) / (x + constants::error_centre);
  return fma(-e, polynomial(constants::error_complement, t), N(1.0));
}

template <class N>
N error_function(const N& x) {
  const N size = absolute(x);
  return with_sign(rarely(size >= 1.0, inner_error_function(size), [&] { return outer_error_function(size); }),
                   sign_bit(x));
}

}  // namespace actio::elementary
