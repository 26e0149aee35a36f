// A tiny evaluator in double, independent of the library's own, to check symbolic results by numbers.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <unordered_map>

#include "actio/expr/expr.hpp"

namespace actio::test_support {

inline double applied(const expr& e, double a, double b) {
  switch (e.op()) {
    case operation::number: return static_cast<double>(e.number());
    case operation::pi: return std::acos(-1.0);
    case operation::symbol:
    case operation::table:
    case operation::lookup: break;
    case operation::step: return a >= 0 ? 1 : 0;
    case operation::floor: return std::floor(a);
    case operation::log1p: return std::log1p(a);
    case operation::expm1: return std::expm1(a);
    case operation::erf: return std::erf(a);
    case operation::negation: return 1 - a;
    case operation::hypot: return std::hypot(a, b);
    case operation::jn: return ::jn(static_cast<int>(a), b);
    case operation::where: return a != 0 ? b : 0;
    case operation::both: return a * b;
    case operation::negate: return -a;
    case operation::sqrt: return std::sqrt(a);
    case operation::exp: return std::exp(a);
    case operation::log: return std::log(a);
    case operation::sin: return std::sin(a);
    case operation::cos: return std::cos(a);
    case operation::tan: return std::tan(a);
    case operation::asin: return std::asin(a);
    case operation::acos: return std::acos(a);
    case operation::atan: return std::atan(a);
    case operation::sinh: return std::sinh(a);
    case operation::cosh: return std::cosh(a);
    case operation::tanh: return std::tanh(a);
    case operation::abs: return std::abs(a);
    case operation::sign: return (a > 0) - (a < 0);
    case operation::add: return a + b;
    case operation::subtract: return a - b;
    case operation::multiply: return a * b;
    case operation::divide: return a / b;
    case operation::power: return std::pow(a, b);
    case operation::atan2: return std::atan2(a, b);
  }
  return std::nan("");
}

inline double evaluated(const expr& e, const std::map<std::string, double>& values) {
  std::unordered_map<const void*, double> value;
  for (const expr& part : topological_order({&e, 1})) {
    const auto operands = part.operands();
    const double a = operands.empty() ? 0 : value.at(operands[0].id());
    const double b = operands.size() < 2 ? 0 : value.at(operands[1].id());
    value[part.id()] = part.op() == operation::symbol ? values.at(part.name()) : applied(part, a, b);
  }
  return value.at(e.id());
}

}  // namespace actio::test_support
