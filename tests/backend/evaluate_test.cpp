#include "actio/backend/evaluate.hpp"

#include <gtest/gtest.h>

namespace actio {
namespace {

TEST(evaluate, gives_the_values_in_order) {
  const expr x = expr::symbol("x"), y = expr::symbol("y");
  const std::vector<expr> es{x + y, x * y, expr(7)}, symbols{x, y};
  EXPECT_EQ(evaluate<double>(es, symbols, std::vector{2.0, 5.0}), (std::vector{7.0, 10.0, 7.0}));
}

TEST(evaluate, needs_no_symbols) {
  const precision_scope scope(40);
  const std::vector<expr> es{decimal("0.1") * expr::pi()};
  const multi expected = multi(1) / 10 * pi_value<multi>();
  EXPECT_EQ(evaluate<multi>(es, {}, {})[0], expected);
  EXPECT_TRUE(evaluate<multi>({}, {}, {}).empty());
}

}  // namespace
}  // namespace actio
