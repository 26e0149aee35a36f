#include "actio/expr/branches.hpp"

#include <gtest/gtest.h>

namespace actio {
namespace {

const expr x = expr::symbol("x"), k = expr::symbol("k");

branched_expressions branched(const expr& e) { return with_free_signs(std::span(&e, 1), std::span(&x, 1)); }

TEST(with_free_signs, opens_functions_in_pieces) {
  const branched_expressions a = branched(abs(x - 3) + x);
  ASSERT_EQ(a.signs.size(), 1u);
  EXPECT_EQ(a.values[0], a.signs[0] * (x - 3) + x);
  EXPECT_TRUE(a.jumps.empty());
  const branched_expressions root = branched(sqrt(x));
  EXPECT_EQ(root.values[0], root.signs[0] * sqrt(x));
  const branched_expressions power = branched(pow(x, expr(rational(3, 2))));
  EXPECT_EQ(power.signs.size(), 1u);
}

TEST(with_free_signs, gives_one_argument_one_sign) {
  const branched_expressions both = branched(abs(x) * sign(x));
  ASSERT_EQ(both.signs.size(), 1u);
  EXPECT_EQ(both.jumps, std::vector<expr>{x});
}

TEST(with_free_signs, reaches_what_is_flat_far_away) {
  const branched_expressions bump = branched(exp(-1000 * pow(x - 5, 2)) + tanh(x));
  ASSERT_EQ(bump.signs.size(), 3u);
  expr_map<expr> all_one;
  for (const expr& s : bump.signs) all_one.emplace(s, expr(1));
  EXPECT_EQ(substitute(bump.values[0], all_one), exp(-1000 * pow(x - 5, 2)) + tanh(x));
}

TEST(with_free_signs, leaves_constants_and_smooth_functions) {
  const expr e = sqrt(k) * sin(x) + pow(x, 3) / abs(k);
  const branched_expressions same = branched(e);
  EXPECT_TRUE(same.signs.empty());
  EXPECT_EQ(same.values[0], e);
}

}  // namespace
}  // namespace actio
