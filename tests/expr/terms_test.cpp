#include "actio/expr/terms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/backend/evaluate.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), c = expr::symbol("c");

TEST(rounding_size, is_carried_through_operations) {
  EXPECT_EQ(rounding_size(x - y), abs(x) + abs(y) + abs(x - y));
  const std::vector<expr> power{rounding_size(pow(x - 1000, 4)), rounding_size(sin(x)), rounding_size(sign(x))};
  const std::vector<expr> symbols{x};
  const std::vector<double> at{1001.0}, sizes = evaluate<double>(power, symbols, at);
  EXPECT_NEAR(sizes[0], 4 * 1002 + 1, 1e-9);  // not 2000^4
  EXPECT_NEAR(sizes[1], std::abs(std::cos(1001.0)) * 1001 + std::abs(std::sin(1001.0)), 1e-9);
  EXPECT_EQ(sizes[2], 0);
}

TEST(split_constant, takes_out_terms_without_variables) {
  const std::vector<expr> variables{x, y};
  const auto split = split_constant(x * y - c + (3 - (c - x)), variables);
  EXPECT_EQ(split.constant, 3 - c - c);
  EXPECT_FALSE(depends_on(split.varying, c));
  const expr whole = c * x - y;
  EXPECT_EQ(split_constant(whole, variables).varying, whole);
  EXPECT_TRUE(split_constant(whole, variables).constant.is_zero());
}

}  // namespace
}  // namespace actio
