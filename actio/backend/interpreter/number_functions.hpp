// Functions of one number of more digits than double has, written where the result belongs.
#pragma once

#include "actio/base/scalar.hpp"
#include "actio/program/program.hpp"

#ifndef ACTIO_NO_QUADMATH
#include <quadmath.h>
#endif
#ifndef ACTIO_NO_MPFR
#include "actio/base/sine_cosine.hpp"
#endif

namespace actio::interpreter {

// target = f(x…), where f is the function of Op.
template <operation Op, class S, class Function, class... Numbers>
void assign(S& target, Function f, const Numbers&... x) {
  target = f(x...);
}

// A target may be x.
template <class S>
void assign_both(S& sine, S& cosine, const S& x) {
  const S argument = x;
  sine = sin(argument);
  cosine = cos(argument);
}

#ifndef ACTIO_NO_QUADMATH
inline void assign_both(quad& sine, quad& cosine, const quad& x) {
  sincosq(x.backend().value(), &sine.backend().value(), &cosine.backend().value());
}
#endif

#ifndef ACTIO_NO_MPFR
inline int mpfr_sine(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t) { return sine(result, x), 0; }
inline int mpfr_cosine(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t) { return cosine(result, x), 0; }
inline int mpfr_sign(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  return mpfr_regular_p(x) || mpfr_inf_p(x) ? mpfr_set_si(result, mpfr_sgn(x), rounding)
                                            : mpfr_set(result, x, rounding);
}

// MPFR's function for an operation: it writes into a number that is there.
template <operation Op>
constexpr auto mpfr_function() {
  if constexpr (Op == operation::sqrt) return &mpfr_sqrt;
  else if constexpr (Op == operation::exp) return &mpfr_exp;
  else if constexpr (Op == operation::log) return &mpfr_log;
  else if constexpr (Op == operation::sin) return &mpfr_sine;
  else if constexpr (Op == operation::cos) return &mpfr_cosine;
  else if constexpr (Op == operation::tan) return &mpfr_tan;
  else if constexpr (Op == operation::asin) return &mpfr_asin;
  else if constexpr (Op == operation::acos) return &mpfr_acos;
  else if constexpr (Op == operation::atan) return &mpfr_atan;
  else if constexpr (Op == operation::sinh) return &mpfr_sinh;
  else if constexpr (Op == operation::cosh) return &mpfr_cosh;
  else if constexpr (Op == operation::tanh) return &mpfr_tanh;
  else if constexpr (Op == operation::abs) return &mpfr_abs;
  else if constexpr (Op == operation::sign) return &mpfr_sign;
  else if constexpr (Op == operation::power) return &mpfr_pow;
  else return &mpfr_atan2;
}

template <operation Op, class Function, std::same_as<multi>... Numbers>
void assign(multi& target, Function, const Numbers&... x) {
  constexpr auto function = mpfr_function<Op>();
  function(target.backend().data(), x.backend().data()..., MPFR_RNDN);
}

inline void assign_both(multi& sine, multi& cosine, const multi& x) {
  sine_and_cosine(sine.backend().data(), cosine.backend().data(), x.backend().data());
}
#endif

}  // namespace actio::interpreter
