#include "actio/expr/derivative.hpp"

#include <gtest/gtest.h>

#include "tests/expr/evaluate.hpp"
#include "tests/expr/random_expression.hpp"
#include "tests/expr/show.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), v = expr::symbol("x'"), t = expr::symbol("t");

TEST(derivative, follows_the_textbook) {
  EXPECT_EQ(derivative(expr(3), x), expr(0));
  EXPECT_EQ(derivative(x, x), expr(1));
  EXPECT_EQ(derivative(y, x), expr(0));
  EXPECT_EQ(derivative(pow(x, 3), x), 3 * pow(x, 2));
  EXPECT_EQ(derivative(pow(x, 2) / 2, x), x);
  EXPECT_EQ(derivative(pow(x, expr(rational(3, 2))), x), expr(rational(3, 2)) * sqrt(x));
  EXPECT_EQ(derivative(pow(x, y), x), y * pow(x, y - 1));
  EXPECT_EQ(derivative(pow(2, x), x), log(expr(2)) * pow(2, x));
  EXPECT_EQ(derivative(1 / x, x), -1 / pow(x, 2));
  EXPECT_EQ(derivative(1 / pow(x, 2), x), -2 / pow(x, 3));
  EXPECT_EQ(derivative(sqrt(x), x), 1 / (2 * sqrt(x)));
  EXPECT_EQ(derivative(sin(2 * x), x), 2 * cos(2 * x));
  EXPECT_EQ(derivative(cos(x), x), -sin(x));
  EXPECT_EQ(derivative(exp(-x), x), -exp(-x));
  EXPECT_EQ(derivative(abs(x), x), sign(x));
  EXPECT_EQ(derivative(sign(x), x), expr(0));
}

TEST(derivative, of_every_operation_agrees_with_differences) {
  const std::vector<expr> cases = {-x * y,         sqrt(x),
                                   exp(x),         log(x),
                                   sin(x),         cos(x),
                                   tan(x),         asin(x),
                                   acos(x),        atan(x),
                                   sinh(x),        cosh(x),
                                   tanh(x),        abs(x),
                                   x + y,          x - y,
                                   y - x,          x * y,
                                   x / y,          y / x,
                                   pow(x, y),      pow(y, x),
                                   atan2(x, y),    atan2(y, x),
                                   pow(x, 5),      pow(x, expr(rational(-7, 3))),
                                   sign(x) * x,    2 / x,
                                   sqrt(1 - x * x)};
  const double at = 0.6, h = 1e-5;
  for (const expr& e : cases) {
    const double slope = (test_support::evaluated(e, {{"x", at + h}, {"y", 1.7}}) -
                          test_support::evaluated(e, {{"x", at - h}, {"y", 1.7}})) /
                         (2 * h);
    EXPECT_NEAR(test_support::evaluated(derivative(e, x), {{"x", at}, {"y", 1.7}}), slope, 1e-8 * (1 + std::abs(slope)))
        << to_text(e);
  }
}

TEST(gradient, of_random_expressions_agrees_with_differences) {
  test_support::random_expressions expressions(3);
  std::map<std::string, double> values;
  std::vector<expr> symbols;
  for (const auto& [name, value] : test_support::random_expressions::symbols()) {
    values[name] = value;
    symbols.push_back(expr::symbol(name));
  }
  int compared = 0;
  for (int i = 0; i < 600; ++i) {
    const expr e = expressions.next(1 + i % 4).e;
    if (test_support::divides_by_zero(e)) continue;
    const std::vector<expr> slopes = gradient(e, symbols);
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      const auto difference = [&](double h) {
        auto above = values, below = values;
        above[symbols[k].name()] += h;
        below[symbols[k].name()] -= h;
        return (test_support::evaluated(e, above) - test_support::evaluated(e, below)) / (2 * h);
      };
      // Only where two differences agree is the expression smooth enough to judge by them.
      const double coarse = difference(2e-5), fine = difference(1e-5);
      if (!std::isfinite(fine) || std::abs(fine) > 1e4 || std::abs(coarse - fine) > 1e-7 * (1 + std::abs(fine)))
        continue;
      EXPECT_NEAR(test_support::evaluated(slopes[k], values), fine, 1e-5 * (1 + std::abs(fine))) << to_text(e);
      ++compared;
    }
  }
  EXPECT_GT(compared, 2000);
}

TEST(gradient, costs_a_small_multiple_of_its_expression) {
  std::vector<expr> symbols;
  expr product = 1;
  for (int i = 0; i < 1000; ++i) {
    symbols.push_back(expr::symbol("s" + std::to_string(i)));
    product = product * sin(symbols.back());
  }
  const std::vector<expr> slopes = gradient(product, symbols);
  EXPECT_LT(topological_order(slopes).size(), 6 * topological_order({&product, 1}).size());
}

TEST(gradient, of_deep_chains_does_not_recurse) {
  expr chain = x;
  for (int i = 0; i < 50000; ++i) chain = sin(chain);
  EXPECT_TRUE(depends_on(derivative(chain, x), x));
}

TEST(total_derivative, is_the_chain_rule) {
  const std::vector<std::pair<expr, expr>> rates = {{x, v}, {t, expr(1)}};
  EXPECT_EQ(total_derivative(sin(x), rates), cos(x) * v);
  EXPECT_EQ(total_derivative(x * t, rates), t * v + x);
  EXPECT_EQ(total_derivative(y, rates), expr(0));
}

}  // namespace
}  // namespace actio
