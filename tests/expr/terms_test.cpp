#include "actio/expr/terms.hpp"

#include <gtest/gtest.h>

#include "actio/expr/parse.hpp"
#include "tests/expr/evaluate.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), c = expr::symbol("c");

TEST(magnitude, adds_the_sizes_of_terms_through_products_and_powers) {
  EXPECT_EQ(magnitude(x - y), abs(x) + abs(y));
  EXPECT_EQ(magnitude(-(x - y) * c), (abs(x) + abs(y)) * abs(c));
  EXPECT_EQ(magnitude(pow(x - y, 3)), pow(abs(x) + abs(y), 3));
  EXPECT_EQ(magnitude((x - y) / c), (abs(x) + abs(y)) / abs(c));
  EXPECT_EQ(magnitude(sin(x - y)), abs(sin(x - y)));
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
