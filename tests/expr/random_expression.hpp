// Random expressions from a fixed seed, and the value that their construction should have.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio::test_support {

inline bool divides_by_zero(const expr& e) {
  for (const expr& part : topological_order({&e, 1})) {
    if (part.op() == operation::divide && part.operands()[1].is_zero()) return true;
  }
  return false;
}

// An expression with the number that double arithmetic gives for it as it was written, without simplification.
struct valued_expression {
  expr e;
  double value = 0;
};

class random_expressions {
 public:
  explicit random_expressions(unsigned seed) : generator_(seed) {}

  valued_expression next(int depth) {
    if (depth == 0 || below(8) == 0) return leaf();
    const int choice = below(20);
    if (choice < 4) return binary([](auto a, auto b) { return a + b; }, depth);
    if (choice < 8) return binary([](auto a, auto b) { return a - b; }, depth);
    if (choice < 12) return binary([](auto a, auto b) { return a * b; }, depth);
    if (choice < 14) return binary([](auto a, auto b) { return a / b; }, depth);
    if (choice < 15) {
      const valued_expression a = next(depth - 1);
      return {-a.e, -a.value};
    }
    if (choice < 17) return power(depth);
    return function(depth);
  }

  static const std::vector<std::pair<std::string, double>>& symbols() {
    static const std::vector<std::pair<std::string, double>> table = {
        {"x", 0.7}, {"y", 1.3}, {"q1", -0.4}, {"q1'", 2.1}, {"θ", 0.9}};
    return table;
  }

 private:
  int below(int n) { return static_cast<int>(generator_() % static_cast<unsigned>(n)); }

  valued_expression leaf() {
    const int choice = below(10);
    if (choice < 6) {
      const auto& [name, value] = symbols()[static_cast<std::size_t>(below(static_cast<int>(symbols().size())))];
      return {expr::symbol(name), value};
    }
    if (choice == 6) return {expr::pi(), std::acos(-1.0)};
    const int p = below(41) - 20;
    const int q = choice < 8 ? 1 : 1 + below(25);
    return {expr(rational(p, q)), static_cast<double>(p) / q};
  }

  template <class Operation>
  valued_expression binary(Operation apply, int depth) {
    const valued_expression a = next(depth - 1), b = next(depth - 1);
    return {apply(a.e, b.e), apply(a.value, b.value)};
  }

  valued_expression power(int depth) {
    const valued_expression base = next(depth - 1);
    if (below(4) == 0) {
      const valued_expression exponent = next(depth - 1);
      return {pow(base.e, exponent.e), std::pow(base.value, exponent.value)};
    }
    const int n = below(9) - 4;
    if (below(4) == 0) return {pow(base.e, expr(rational(n, 2))), std::pow(base.value, n / 2.0)};
    return {pow(base.e, n), std::pow(base.value, n)};
  }

  valued_expression function(int depth) {
    struct entry {
      expr (*symbolic)(const expr&);
      double (*numeric)(double);
    };
    static constexpr entry table[] = {{sqrt, std::sqrt}, {exp, std::exp},   {log, std::log}, {sin, std::sin},
                                      {cos, std::cos},   {tanh, std::tanh}, {abs, std::abs}};
    const auto choice = static_cast<std::size_t>(below(8));
    const valued_expression a = next(depth - 1);
    if (choice < std::size(table)) return {table[choice].symbolic(a.e), table[choice].numeric(a.value)};
    const valued_expression b = next(depth - 1);
    return {atan2(a.e, b.e), std::atan2(a.value, b.value)};
  }

  std::mt19937 generator_;  // its sequence is fixed by the standard
};

}  // namespace actio::test_support
