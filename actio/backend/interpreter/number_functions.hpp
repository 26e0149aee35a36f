// Functions of one number of more digits than double has, written where the result belongs.
#pragma once

#include <boost/math/special_functions/expm1.hpp>
#include <boost/math/special_functions/hypot.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>

#include "actio/backend/interpreter/series_functions.hpp"
#include "actio/base/scalar.hpp"
#include "actio/expr/sample_table.hpp"
#include "actio/program/program.hpp"

#ifndef ACTIO_NO_QUADMATH
#include <quadmath.h>

#include <boost/math/special_functions/erf.hpp>
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

// J_n(x); n is a whole number.
template <class S>
S bessel(const S& n, const S& x) {
  return bessel_of(static_cast<int>(n), x);
}
inline double bessel(double n, double x) { return ::jn(static_cast<int>(n), x); }

template <class S>
S error_function(const S& x) {
  return erf_by_series(x);
}
inline double error_function(double x) { return std::erf(x); }

// A target may be x.
template <class S>
void assign_both(S& sine, S& cosine, const S& x) {
  const S argument = x;
  sine = sin(argument);
  cosine = cos(argument);
}

#ifndef ACTIO_NO_QUADMATH
inline quad bessel(const quad& n, const quad& x) { return quad(jnq(static_cast<int>(n), x.backend().value())); }
inline quad error_function(const quad& x) { return erf(x); }
inline void assign_both(quad& sine, quad& cosine, const quad& x) {
  sincosq(x.backend().value(), &sine.backend().value(), &cosine.backend().value());
}
#endif

#ifndef ACTIO_NO_MPFR
inline multi error_function(const multi& x) {
  multi result;
  mpfr_erf(result.backend().data(), x.backend().data(), MPFR_RNDN);
  return result;
}
inline multi bessel(const multi& n, const multi& x) {
  multi result;
  mpfr_jn(result.backend().data(), static_cast<long>(n), x.backend().data(), MPFR_RNDN);
  return result;
}

// With the signature of MPFR's functions.
inline int mpfr_step(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  return mpfr_nan_p(x) ? mpfr_set(result, x, rounding) : mpfr_set_si(result, mpfr_sgn(x) >= 0 ? 1 : 0, rounding);
}
inline int mpfr_chosen(mpfr_ptr result, mpfr_srcptr condition, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (mpfr_zero_p(condition)) return mpfr_set_si(result, 0, rounding);
  return mpfr_set(result, mpfr_nan_p(condition) ? condition : x, rounding);
}
inline int mpfr_floor_of(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t) { return mpfr_floor(result, x); }
inline int mpfr_bessel(mpfr_ptr result, mpfr_srcptr n, mpfr_srcptr x, mpfr_rnd_t rounding) {
  return mpfr_jn(result, mpfr_get_si(n, MPFR_RNDN), x, rounding);
}
inline int mpfr_looked_up(mpfr_ptr result, mpfr_srcptr code, mpfr_srcptr x, mpfr_rnd_t rounding) {
  const multi value = looked_up(multi(code), multi(x));
  return mpfr_set(result, value.backend().data(), rounding);
}
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
  else if constexpr (Op == operation::atan2) return &mpfr_atan2;
  else if constexpr (Op == operation::step) return &mpfr_step;
  else if constexpr (Op == operation::floor) return &mpfr_floor_of;
  else if constexpr (Op == operation::log1p) return &mpfr_log1p;
  else if constexpr (Op == operation::expm1) return &mpfr_expm1;
  else if constexpr (Op == operation::erf) return &mpfr_erf;
  else if constexpr (Op == operation::hypot) return &mpfr_hypot;
  else if constexpr (Op == operation::jn) return &mpfr_bessel;
  else if constexpr (Op == operation::where) return &mpfr_chosen;
  else return &mpfr_looked_up;
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
