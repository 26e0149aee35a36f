// Random expressions from a fixed seed, and the value that their construction should have.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio::testing {

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
    if (choice < 15) return unary([](auto a) { return -a; }, depth);
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

  template <class Operation>
  valued_expression unary(Operation apply, int depth) {
    const valued_expression a = next(depth - 1);
    return {apply(a.e), apply(a.value)};
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
    switch (below(8)) {
      case 0: return unary([](auto a) { using std::sqrt; return sqrt(a); }, depth);
      case 1: return unary([](auto a) { using std::exp; return exp(a); }, depth);
      case 2: return unary([](auto a) { using std::log; return log(a); }, depth);
      case 3: return unary([](auto a) { using std::sin; return sin(a); }, depth);
      case 4: return unary([](auto a) { using std::cos; return cos(a); }, depth);
      case 5: return unary([](auto a) { using std::tanh; return tanh(a); }, depth);
      case 6: return unary([](auto a) { using std::abs; return abs(a); }, depth);
      default: return binary([](auto a, auto b) { using std::atan2; return atan2(a, b); }, depth);
    }
  }

  std::mt19937 generator_;  // its sequence is fixed by the standard
};

}  // namespace actio::testing
