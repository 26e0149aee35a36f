// Paces: numbers of steps as a function of what varies.
#include "actio/simulate/pace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace actio {
namespace {

TEST(pace_rule, follows_a_smooth_need_and_stays_within_the_sample) {
  const auto need = [](double x, double y) { return 40 + 20 * x + 10 * x * y + 5 * std::cos(y); };
  std::vector<double> values, steps;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) {
      const double x = i / 11.0, y = 100 + j / 5.5;  // far from the origin
      values.insert(values.end(), {x, y});
      steps.push_back(need(x, y - 100));
    }
  }
  const pace_rule rule = pace_rule::through(-3, 1e-6, 2, values, steps);
  for (const double x : {0.1, 0.33, 0.9}) {
    for (const double y : {0.2, 1.1, 1.9}) {
      EXPECT_NEAR(rule.needed(std::vector{x, 100 + y}), need(x, y), 0.02 * need(x, y));
    }
  }
  const std::vector<double> beyond{50.0, -1000.0};
  EXPECT_GE(rule.needed(beyond), *std::ranges::min_element(steps));
  EXPECT_LE(rule.needed(beyond), *std::ranges::max_element(steps));
  const pace now = rule.times(2).of(std::vector{0.5, 101.0});
  EXPECT_NEAR(static_cast<double>(now.steps), 2 * need(0.5, 1), 4);
  EXPECT_DOUBLE_EQ(now.step * static_cast<double>(now.steps), -3);
  EXPECT_EQ(now.accuracy, 1e-6);
}

// Columns that say the same, and a value that does not vary, are no obstacle.
TEST(pace_rule, takes_what_a_small_sample_carries) {
  std::vector<double> values, steps;
  for (int i = 0; i < 64; ++i) {
    values.insert(values.end(), {i % 2 == 0 ? 1.0 : 2.0, 7.0});
    steps.push_back(i % 2 == 0 ? 10 : 30);
  }
  const pace_rule rule = pace_rule::through(1, 1e-6, 2, values, steps);
  EXPECT_NEAR(rule.needed(std::vector{1.0, 7.0}), 10, 1e-6);
  EXPECT_NEAR(rule.needed(std::vector{2.0, 7.0}), 30, 1e-6);
  const pace_rule single = pace_rule::through(1, 1e-6, 2, std::vector{1.0, 7.0}, std::vector{12.5});
  EXPECT_EQ(single.of(std::vector{5.0, 5.0}).steps, 13U);
}

}  // namespace
}  // namespace actio
