#include "actio/expr/collect.hpp"

#include <gtest/gtest.h>

#include "tests/expr/evaluate.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), m = expr::symbol("m"), l = expr::symbol("l");

TEST(collected, sines_and_cosines_of_one_argument_make_one) {
  EXPECT_EQ(collected(pow(l * sin(x), 2) + pow(l * cos(x), 2)), pow(l, 2));
  EXPECT_EQ(collected(m * sin(x) * sin(x) * y + cos(x) * m * cos(x) * y), m * y);
  EXPECT_EQ(collected(pow(sin(x), 4) + 2 * pow(sin(x) * cos(x), 2) + pow(cos(x), 4)), expr(1));
  const expr different = pow(sin(x), 2) + pow(cos(y), 2);
  EXPECT_EQ(collected(different), different);
}

TEST(collected, unequal_factors_leave_one_square) {
  EXPECT_EQ(collected(3 * pow(sin(x), 2) + 5 * pow(cos(x), 2)), 3 + 2 * pow(cos(x), 2));
}

TEST(collected, common_factors_stand_outside_as_one_product) {
  const expr e = collected(m * l * sin(x) * (l * sin(y)) + l * cos(x) * (m * l * cos(y)));
  EXPECT_EQ(e.op(), operation::multiply);
  EXPECT_EQ(e.operands()[0], m * pow(l, 2));
}

TEST(collected, what_is_no_polynomial_stays_whole) {
  const expr root = sqrt(x * x + y * y);
  EXPECT_EQ(collected(root), root);
  EXPECT_EQ(collected(root * 2 + root), 3 * root);
}

TEST(collected, long_polynomials_stay_as_they_are) {
  expr e(1);
  for (int k = 0; k < 40; ++k) e *= x + expr(k) * y + sin(x);
  EXPECT_EQ(collected(e), e);
}

TEST(collected, has_the_same_values) {
  const expr e = (m + sin(x)) * (l * cos(x) - 3 * sin(x)) * pow(sin(x) - y * cos(x), 3) / (1 + y * y) +
                 m * pow(cos(x), 2) * (2 + sin(x) * sin(x));
  for (int k = 0; k < 20; ++k) {
    const std::map<std::string, double> at = {
        {"x", 0.3 * k - 2}, {"y", 1.1 - 0.2 * k}, {"m", 0.7 + k}, {"l", 1.0 / (k + 1)}};
    const double expected = test_support::evaluated(e, at);
    EXPECT_NEAR(test_support::evaluated(collected(e), at), expected, 1e-12 * (1 + std::abs(expected)));
  }
}

}  // namespace
}  // namespace actio
