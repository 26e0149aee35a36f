#include "actio/expr/written_form.hpp"

#include <gtest/gtest.h>

#include <array>

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), k = expr::symbol("k");

TEST(written_form, degrees_of_polynomials) {
  const std::array both{x, y};
  EXPECT_EQ(polynomial_degree(k * x * y + sin(k) * x - 3, both), 2U);
  EXPECT_EQ(polynomial_degree(pow(x - y, 2) / k, both), 2U);
  EXPECT_EQ(polynomial_degree(pow(k, x), std::span(&y, 1)), 0U);
  EXPECT_EQ(polynomial_degree(abs(k) * x, both), 1U);
  EXPECT_EQ(polynomial_degree(pow(sqrt(x * x + y * y), 2), both), 2U);
  EXPECT_EQ(polynomial_degree(pow(x * y, 3), both), 6U);
}

TEST(written_form, what_has_constant_derivatives_need_not_be_a_polynomial) {
  const std::span<const expr> in_x(&x, 1);
  for (const expr& e : {abs(x), sign(x), k * abs(x) + x, x / abs(x), 1 / x, sqrt(x), pow(x, k), atan2(x, y)}) {
    EXPECT_FALSE(polynomial_degree(e, in_x));
  }
}

TEST(written_form, pieces_are_not_smooth) {
  const std::span<const expr> in_x(&x, 1);
  EXPECT_TRUE(is_smooth_in(sqrt(x) * exp(x) / tan(x) + abs(y), in_x));
  EXPECT_FALSE(is_smooth_in(abs(x) * y, in_x));
  EXPECT_FALSE(is_smooth_in(sqrt(pow(x - 3, 2)), in_x));
  EXPECT_FALSE(is_smooth_in(pow(pow(x, 2), expr(rational(5, 4))), in_x));
  EXPECT_FALSE(is_smooth_in(acos(cos(x)), in_x));
  EXPECT_FALSE(is_smooth_in(atan(tan(x)), in_x));
  EXPECT_TRUE(is_smooth_in(sqrt(pow(x, 2) + 1) + acos(x / 3) + pow(x, expr(rational(5, 2))), in_x));
  EXPECT_FALSE(is_smooth_in(cos(sign(2 * x)), in_x));
  EXPECT_FALSE(is_smooth_in(atan2(sin(x), cos(x)), in_x));
}

TEST(written_form, dependence) {
  const std::array both{x, y};
  EXPECT_TRUE(depends_on_any(k + y, both));
  EXPECT_FALSE(depends_on_any(k * 2, both));
}

}  // namespace
}  // namespace actio
