// What each operation does to a row of lanes: the one place that knows, for every scalar.
//
// A `Row` is one register: it has negate(a), add(a, b), subtract(a, b), multiply(a, b), divide(a, b), which assign to
// the row, and map<op>(f, operands...), which assigns f, the function of `op`, of one number at a time. A target may be
// one of its operands.
#pragma once

#include <cmath>

#include "actio/backend/interpreter/number_functions.hpp"
#include "actio/base/cpu_clones.hpp"
#include "actio/base/error.hpp"
#include "actio/expr/sample_table.hpp"
#include "actio/program/program.hpp"

namespace actio::interpreter {

// Zero (with its sign) and NaN are their own signs.
template <class S>
S sign_of(const S& x) {
  if (x > 0) return S(1);
  return x < 0 ? S(-1) : x;
}

// 1 for x ≥ 0, otherwise 0; NaN stays.
template <class S>
S step_of(const S& x) {
  if (x >= 0) return S(1);
  return x < 0 ? S(0) : x;
}

// x where the condition is not 0, otherwise 0, whatever x is; a condition that is NaN stays.
template <class S>
S chosen(const S& condition, const S& x) {
  if (condition == 0) return S(0);
  return condition == condition ? x : condition;
}

template <class Row>
ACTIO_ALWAYS_INLINE void execute(operation op, Row target, Row left, Row right) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow;
  using std::expm1, std::floor, std::hypot, std::log1p, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  switch (op) {
    case operation::add: return target.add(left, right);
    case operation::subtract: return target.subtract(left, right);
    case operation::multiply: return target.multiply(left, right);
    case operation::divide: return target.divide(left, right);
    case operation::negate: return target.negate(left);
    case operation::sqrt: return target.template map<operation::sqrt>([](const auto& x) { return sqrt(x); }, left);
    case operation::exp: return target.template map<operation::exp>([](const auto& x) { return exp(x); }, left);
    case operation::log: return target.template map<operation::log>([](const auto& x) { return log(x); }, left);
    case operation::sin: return target.template map<operation::sin>([](const auto& x) { return sin(x); }, left);
    case operation::cos: return target.template map<operation::cos>([](const auto& x) { return cos(x); }, left);
    case operation::tan: return target.template map<operation::tan>([](const auto& x) { return tan(x); }, left);
    case operation::asin: return target.template map<operation::asin>([](const auto& x) { return asin(x); }, left);
    case operation::acos: return target.template map<operation::acos>([](const auto& x) { return acos(x); }, left);
    case operation::atan: return target.template map<operation::atan>([](const auto& x) { return atan(x); }, left);
    case operation::sinh: return target.template map<operation::sinh>([](const auto& x) { return sinh(x); }, left);
    case operation::cosh: return target.template map<operation::cosh>([](const auto& x) { return cosh(x); }, left);
    case operation::tanh: return target.template map<operation::tanh>([](const auto& x) { return tanh(x); }, left);
    case operation::abs: return target.template map<operation::abs>([](const auto& x) { return abs(x); }, left);
    case operation::sign: return target.template map<operation::sign>([](const auto& x) { return sign_of(x); }, left);
    case operation::power:
      return target.template map<operation::power>([](const auto& x, const auto& y) { return pow(x, y); }, left, right);
    case operation::atan2:
      return target.template map<operation::atan2>([](const auto& y, const auto& x) { return atan2(y, x); }, left,
                                                   right);
    case operation::step: return target.template map<operation::step>([](const auto& x) { return step_of(x); }, left);
    case operation::floor: return target.template map<operation::floor>([](const auto& x) { return floor(x); }, left);
    case operation::log1p: return target.template map<operation::log1p>([](const auto& x) { return log1p(x); }, left);
    case operation::expm1: return target.template map<operation::expm1>([](const auto& x) { return expm1(x); }, left);
    case operation::erf:
      return target.template map<operation::erf>([](const auto& x) { return error_function(x); }, left);
    case operation::hypot:
      return target.template map<operation::hypot>([](const auto& x, const auto& y) { return hypot(x, y); }, left,
                                                   right);
    case operation::jn:
      return target.template map<operation::jn>([](const auto& n, const auto& x) { return bessel(n, x); }, left, right);
    case operation::where:
      return target.template map<operation::where>([](const auto& c, const auto& x) { return chosen(c, x); }, left,
                                                   right);
    case operation::lookup:
      return target.template map<operation::lookup>([](const auto& c, const auto& x) { return looked_up(c, x); }, left,
                                                    right);
    case operation::negation:
    case operation::both:
    case operation::number:
    case operation::pi:
    case operation::symbol:
    case operation::table: break;
  }
  ACTIO_ASSERT(false);
}

}  // namespace actio::interpreter
