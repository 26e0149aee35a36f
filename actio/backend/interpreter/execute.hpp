// What each operation does to a row of lanes: the one place that knows, for every scalar.
//
// A `Row` is one register: it has negate(a), add(a, b), subtract(a, b), multiply(a, b), divide(a, b), which assign to
// the row, and map<F>(f, operands...), which assigns f of one number at a time; F is the same function of MPFR, which
// writes its result into a number that is there. A target may be one of its operands.
#pragma once

#include <cmath>

#include "actio/base/cpu_clones.hpp"
#include "actio/base/error.hpp"
#include "actio/base/sine_cosine.hpp"
#include "actio/program/program.hpp"

namespace actio::interpreter {

// Zero (with its sign) and NaN are their own signs.
template <class S>
S sign_of(const S& x) {
  if (x > 0) return S(1);
  return x < 0 ? S(-1) : x;
}

// With the signature of MPFR's functions.
inline int mpfr_sine(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t) { return sine(result, x), 0; }
inline int mpfr_cosine(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t) { return cosine(result, x), 0; }
inline int mpfr_sign(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  return mpfr_regular_p(x) || mpfr_inf_p(x) ? mpfr_set_si(result, mpfr_sgn(x), rounding)
                                            : mpfr_set(result, x, rounding);
}

template <class Row>
ACTIO_ALWAYS_INLINE void execute(operation op, Row target, Row left, Row right) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow;
  using std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  switch (op) {
    case operation::add: return target.add(left, right);
    case operation::subtract: return target.subtract(left, right);
    case operation::multiply: return target.multiply(left, right);
    case operation::divide: return target.divide(left, right);
    case operation::negate: return target.negate(left);
    case operation::sqrt: return target.template map<&mpfr_sqrt>([](const auto& x) { return sqrt(x); }, left);
    case operation::exp: return target.template map<&mpfr_exp>([](const auto& x) { return exp(x); }, left);
    case operation::log: return target.template map<&mpfr_log>([](const auto& x) { return log(x); }, left);
    case operation::sin: return target.template map<&mpfr_sine>([](const auto& x) { return sin(x); }, left);
    case operation::cos: return target.template map<&mpfr_cosine>([](const auto& x) { return cos(x); }, left);
    case operation::tan: return target.template map<&mpfr_tan>([](const auto& x) { return tan(x); }, left);
    case operation::asin: return target.template map<&mpfr_asin>([](const auto& x) { return asin(x); }, left);
    case operation::acos: return target.template map<&mpfr_acos>([](const auto& x) { return acos(x); }, left);
    case operation::atan: return target.template map<&mpfr_atan>([](const auto& x) { return atan(x); }, left);
    case operation::sinh: return target.template map<&mpfr_sinh>([](const auto& x) { return sinh(x); }, left);
    case operation::cosh: return target.template map<&mpfr_cosh>([](const auto& x) { return cosh(x); }, left);
    case operation::tanh: return target.template map<&mpfr_tanh>([](const auto& x) { return tanh(x); }, left);
    case operation::abs: return target.template map<&mpfr_abs>([](const auto& x) { return abs(x); }, left);
    case operation::sign: return target.template map<&mpfr_sign>([](const auto& x) { return sign_of(x); }, left);
    case operation::power:
      return target.template map<&mpfr_pow>([](const auto& x, const auto& y) { return pow(x, y); }, left, right);
    case operation::atan2:
      return target.template map<&mpfr_atan2>([](const auto& y, const auto& x) { return atan2(y, x); }, left, right);
    case operation::number:
    case operation::pi:
    case operation::symbol: break;
  }
  ACTIO_ASSERT(false);
}

}  // namespace actio::interpreter
