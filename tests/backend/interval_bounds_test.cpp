#include "actio/backend/interval_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/parse.hpp"

namespace actio {
namespace {

const std::vector<expr> variables{expr::symbol("x"), expr::symbol("y")};

expr parsed(const std::string& text) {
  return parse_expression({text, {}, {}}, [](const parsed_name& name) { return expr::symbol(name.name); });
}

interval bounds_of(const std::string& text, const interval& x, const interval& y) {
  const std::vector<expr> outputs{parsed(text)};
  interval_bounds bounds(lower(outputs, {}, variables));
  interval result;
  bounds(std::vector{x, y}, std::span(&result, 1));
  return result;
}

const std::vector<std::string> functions = {
    "x + y",
    "x - y",
    "x*y",
    "x/y",
    "-x",
    "x^2",
    "x^3",
    "1/x^3",
    "sqrt(x)",
    "exp(x)",
    "log(x)",
    "sin(3*x)",
    "cos(3*x)",
    "tan(x)",
    "asin(x)",
    "acos(x)",
    "atan(x)",
    "sinh(x)",
    "cosh(x)",
    "tanh(x)",
    "abs(x)",
    "sign(x)",
    "floor(x)",
    "step(x)",
    "log1p(x)",
    "expm1(x)",
    "erf(x)",
    "x^y",
    "atan2(y, x)",
    "hypot(x, y)",
    "j0(x)",
    "j1(3*x)",
    "x^(-1/3)",
    "min(x, y^2)",
    "if(x > y, x*y, 2)",
    "mod(x, 1.3)",
    "clamp(x, -1, y)",
    "x^2 - x*y + sin(x*y)",
};

// Whatever has a value at a point of the box lies between the bounds.
TEST(interval_bounds, hold_everything_inside_the_box) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-3, 3), size(0, 1.5), part(0, 1);
  for (const std::string& text : functions) {
    const std::vector<expr> outputs{parsed(text)};
    interval_bounds bounds(lower(outputs, {}, variables));
    for (int k = 0; k < 60; ++k) {
      std::vector<interval> box;
      for (int i = 0; i < 2; ++i) {
        const double low = place(random);
        box.push_back({low, low + size(random)});
      }
      interval found;
      bounds(box, std::span(&found, 1));
      for (int j = 0; j < 30; ++j) {
        std::vector<double> at;
        for (const interval& side : box) at.push_back(side.low + part(random) * (side.high - side.low));
        const double value = evaluate<double>(outputs, variables, at)[0];
        if (!std::isfinite(value)) continue;
        const double slack = 1e-12 * (1 + std::abs(value));
        EXPECT_TRUE(found.low - slack <= value && value <= found.high + slack)
            << text << " at " << at[0] << ", " << at[1] << ": " << value << " in " << found.low << " … " << found.high;
      }
    }
  }
}

TEST(interval_bounds, are_narrow_where_the_box_is) {
  for (const std::string& text : functions) {
    const interval found = bounds_of(text, {0.7, 0.7 + 1e-9}, {0.4, 0.4 + 1e-9});
    EXPECT_LT(found.high - found.low, 1e-7) << text;
  }
}

TEST(interval_bounds, show_a_narrow_wall) {
  const interval all = bounds_of("exp(-((x - 5)/1e-6)^2)", {0, 10}, {0, 0});
  EXPECT_EQ(all.low, 0);
  EXPECT_EQ(all.high, 1);
  EXPECT_EQ(bounds_of("exp(-((x - 5)/1e-6)^2)", {0, 4.9}, {0, 0}).high, 0);
}

}  // namespace
}  // namespace actio
