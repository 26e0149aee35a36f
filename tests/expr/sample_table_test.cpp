#include "actio/expr/sample_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/expr.hpp"

namespace actio {
namespace {

const expr t = expr::symbol("t");

// Samples of a polynomial of degree 3 at uneven times.
std::shared_ptr<const sample_table> cubic_samples(int count, interpolation kind, const char* name = "u") {
  std::vector<rational> times, values;
  for (int k = 0; k < count; ++k) {
    const rational x = rational(k) / 3 + rational(k * k, 50);
    times.push_back(x);
    values.push_back(1 - 2 * x + x * x * x / 5);
  }
  return sample_table::make(name, times, values, kind);
}

template <class S>
S value_at(const expr& e, const S& x) {
  return evaluate<S>(std::span(&e, 1), std::span(&t, 1), std::span(&x, 1))[0];
}

template <class S>
class signals_in : public ::testing::Test {
 protected:
  precision_scope scope_{50};
};
using scalars = ::testing::Types<double, quad, multi>;
TYPED_TEST_SUITE(signals_in, scalars);

// The not-a-knot spline of a cubic is that cubic, with all derivatives.
TYPED_TEST(signals_in, splines_reproduce_cubics) {
  using S = TypeParam;
  const expr u = expr::signal(cubic_samples(9, interpolation::cubic), t);
  std::vector<expr> derivatives{u};
  while (!derivatives.back().is_zero()) derivatives.push_back(derivative(derivatives.back(), t));
  ASSERT_EQ(derivatives.size(), 5U);
  for (const rational& at : {rational(0), rational(1, 7), rational(5, 3), rational(19, 8), rational(39, 10)}) {
    const S x = from_rational<S>(at);
    using std::abs;
    EXPECT_LE(abs(value_at<S>(derivatives[0], x) - (1 - 2 * x + x * x * x / 5)), 400 * epsilon<S>());
    EXPECT_LE(abs(value_at<S>(derivatives[1], x) - (-2 + 3 * x * x / 5)), 4000 * epsilon<S>());
    EXPECT_LE(abs(value_at<S>(derivatives[2], x) - 6 * x / 5), 40000 * epsilon<S>());
    EXPECT_LE(abs(value_at<S>(derivatives[3], x) - S(6) / 5), 400000 * epsilon<S>());
  }
}

TYPED_TEST(signals_in, lines_join_exact_samples) {
  using S = TypeParam;
  const auto samples = sample_table::make("u", {rational(0), rational(1, 10), rational(3, 10)},
                                          {rational(1), rational(-1, 3), rational(2)}, interpolation::linear);
  const expr u = expr::signal(samples, t), slope = derivative(u, t);
  EXPECT_EQ(value_at<S>(u, from_rational<S>(rational(1, 10))), from_rational<S>(rational(-1, 3)));
  using std::abs;
  EXPECT_LE(abs(value_at<S>(u, from_rational<S>(rational(1, 5))) - from_rational<S>(rational(5, 6))), 8 * epsilon<S>());
  EXPECT_EQ(value_at<S>(slope, from_rational<S>(rational(1, 20))), from_rational<S>(rational(-40, 3)));
  EXPECT_EQ(value_at<S>(slope, from_rational<S>(rational(1, 10))), from_rational<S>(rational(35, 3)));  // behind it
  EXPECT_TRUE(derivative(slope, t).is_zero());
  EXPECT_EQ(value_at<S>(u, S(0)), S(1));
}

TYPED_TEST(signals_in, have_no_values_beyond_their_samples) {
  using S = TypeParam;
  const expr u = expr::signal(cubic_samples(5, interpolation::cubic), t);
  EXPECT_FALSE(is_finite(value_at<S>(u, S(-1) / 1000)));
  EXPECT_FALSE(is_finite(value_at<S>(u, S(2))));
  EXPECT_TRUE(is_finite(value_at<S>(u, S(1))));
}

TEST(sample_table, few_samples_give_lines_and_parabolas) {
  const auto line =
      sample_table::make("u", {rational(0), rational(2)}, {rational(1), rational(5)}, interpolation::cubic);
  EXPECT_DOUBLE_EQ(line->value(0, 0.5), 2);
  const auto parabola = sample_table::make("u", {rational(0), rational(1), rational(3)},
                                           {rational(0), rational(1), rational(9)}, interpolation::cubic);
  EXPECT_NEAR(parabola->value(0, 2.0), 4, 1e-14);
  EXPECT_NEAR(parabola->value(1, 2.5), 5, 1e-14);
}

TEST(sample_table, equal_samples_are_one_leaf) {
  const auto first = cubic_samples(4, interpolation::linear), again = cubic_samples(4, interpolation::linear);
  EXPECT_EQ(first, again);
  EXPECT_EQ(expr::signal(first, t), expr::signal(again, t));
  EXPECT_FALSE(expr::signal(first, t) == expr::signal(cubic_samples(4, interpolation::cubic), t));
  EXPECT_FALSE(expr::signal(first, t) == expr::signal(cubic_samples(4, interpolation::linear, "w"), t));
}

TEST(sample_table, leaves_with_the_last_expression) {
  const std::size_t before = expr_pool_size();
  {
    const expr u = expr::signal(cubic_samples(6, interpolation::cubic, "passing"), t);
    EXPECT_GT(expr_pool_size(), before);
  }
  EXPECT_EQ(expr_pool_size(), before);
}

}  // namespace
}  // namespace actio
