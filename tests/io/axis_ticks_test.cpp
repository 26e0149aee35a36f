#include "actio/io/axis_ticks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace actio {
namespace {

std::vector<std::string> texts(const axis_ticks& ticks) {
  std::vector<std::string> result;
  for (const tick_label& l : ticks.labels) {
    result.push_back(l.exponent ? l.text + "^" + std::to_string(*l.exponent) : l.text);
  }
  return result;
}

using strings = std::vector<std::string>;

TEST(linear_ticks, are_round_numbers_with_few_digits) {
  EXPECT_EQ(texts(linear_ticks(-1.1, 1.1, 5)), (strings{"−1.0", "−0.5", "0", "0.5", "1.0"}));
  EXPECT_EQ(texts(linear_ticks(0, 20, 5)), (strings{"0", "5", "10", "15", "20"}));
  EXPECT_EQ(texts(linear_ticks(0, 0.3, 4)), (strings{"0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(texts(linear_ticks(3.2, 3.9, 4)), (strings{"3.2", "3.4", "3.6", "3.8"}));
  EXPECT_TRUE(linear_ticks(0, 20, 5).factor.text.empty());
}

TEST(linear_ticks, share_their_power_of_ten) {
  const axis_ticks small = linear_ticks(-7e-10, 7e-10, 5);
  EXPECT_EQ(texts(small), (strings{"−5", "0", "5"}));
  EXPECT_EQ(small.factor, (tick_label{"×10", -10}));
  EXPECT_EQ(linear_ticks(0, 3e6, 4).factor, (tick_label{"×10", 6}));
}

TEST(linear_ticks, share_what_they_begin_with) {
  const axis_ticks ticks = linear_ticks(0.5 - 1e-10, 0.5 + 1.2e-9, 6);
  EXPECT_EQ(texts(ticks), (strings{"0", "0.5", "1.0"}));
  EXPECT_EQ(ticks.added, "+ 0.5");
  EXPECT_EQ(ticks.factor, (tick_label{"×10", -9}));
  EXPECT_EQ(linear_ticks(-1000.00004, -1000.00001, 4).added, "− 1000");
}

TEST(linear_ticks, lie_inside_whatever_the_range) {
  constexpr double huge = std::numeric_limits<double>::max();
  const std::pair<double, double> ranges[] = {
      {-huge, huge}, {0, 5e-324}, {1, 1 + 1e-15}, {-3e-310, 2e-310}, {1e300, 2e300}};
  for (const auto& [low, high] : ranges) {
    const axis_ticks ticks = linear_ticks(low, high, 5);
    EXPECT_EQ(ticks.values.size(), ticks.labels.size());
    EXPECT_LE(ticks.values.size(), 12u);
    for (double v : ticks.values) {
      EXPECT_TRUE(std::isfinite(v));
    }
  }
}

TEST(logarithmic_ticks, are_powers_of_ten) {
  const axis_ticks ticks = logarithmic_ticks(2e-9, 3e-4, 8);
  EXPECT_EQ(texts(ticks), (strings{"10^-8", "10^-7", "10^-6", "10^-5", "10^-4"}));
  EXPECT_EQ(ticks.values[2], 1e-6);
  EXPECT_EQ(ticks.minor.size(), 42u);  // 2e-9 … 9e-9, 2e-8 … 9e-5, 2e-4, 3e-4
  EXPECT_EQ(texts(logarithmic_ticks(0.01, 100, 8)), (strings{"0.01", "0.1", "1", "10", "100"}));
}

TEST(logarithmic_ticks, leave_out_decades_where_there_are_many) {
  EXPECT_EQ(texts(logarithmic_ticks(1e-16, 1, 5)), (strings{"10^-16", "10^-12", "10^-8", "10^-4", "10^0"}));
  EXPECT_LE(logarithmic_ticks(1e-300, 1e300, 8).minor.size(), 600u);
}

TEST(logarithmic_ticks, are_multiples_where_there_are_few_decades) {
  EXPECT_EQ(texts(logarithmic_ticks(0.015, 0.4, 5)), (strings{"0.02", "0.05", "0.1", "0.2"}));
  EXPECT_GE(logarithmic_ticks(2.1e-6, 4e-6, 5).values.size(), 2u);  // as on a linear axis
  EXPECT_EQ(texts(logarithmic_ticks(0.9e-6, 6e-6, 5)), (strings{"10^-6", "2×10^-6", "5×10^-6"}));
}

}  // namespace
}  // namespace actio
