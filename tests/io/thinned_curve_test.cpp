#include "actio/io/thinned_curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace actio {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t gaps(const curve& c) {
  return static_cast<std::size_t>(std::ranges::count_if(c.x, [](double x) { return std::isnan(x); }));
}

double smallest(const std::vector<double>& values) {
  double result = infinity;
  for (double v : values) result = std::fmin(result, v);
  return result;
}

double largest(const std::vector<double>& values) {
  double result = -infinity;
  for (double v : values) result = std::fmax(result, v);
  return result;
}

TEST(thinned_curve, leaves_short_curves_alone_but_for_what_cannot_be_drawn) {
  const curve c{"a", curve_style::line, {1, 2, 3, 4, 5, 6}, {1, nan, infinity, 0, -2, 5}};
  const curve linear = thinned({}, c, 6);
  EXPECT_EQ(linear.name, "a");
  EXPECT_EQ(gaps(linear), 1u);
  EXPECT_EQ(linear.x.size(), 5u);
  const curve logarithmic = thinned({.y_log = true}, c, 6);
  ASSERT_EQ(logarithmic.x.size(), 3u);  // two points around one gap
  EXPECT_EQ(logarithmic.y[0], 1);
  EXPECT_TRUE(std::isnan(logarithmic.y[1]));
  EXPECT_EQ(logarithmic.x[2], 6);
  EXPECT_TRUE(thinned({}, {}, 10).x.empty());
}

TEST(thinned_curve, keeps_extremes_ends_and_order) {
  curve c{"wave"};
  for (std::size_t i = 0; i < 100'000; ++i) {
    c.x.push_back(static_cast<double>(i));
    c.y.push_back(i == 12'345 ? 50 : i == 76'543 ? -70 : std::sin(0.001 * static_cast<double>(i)));
  }
  const curve few = thinned({}, c, 2000);
  EXPECT_LE(few.x.size(), 2000u);
  EXPECT_GT(few.x.size(), 600u);
  EXPECT_TRUE(std::ranges::is_sorted(few.x));
  EXPECT_EQ(few.x.front(), 0);
  EXPECT_EQ(few.x.back(), 99'999);
  EXPECT_EQ(largest(few.y), 50);
  EXPECT_EQ(smallest(few.y), -70);
  EXPECT_EQ(few.x[static_cast<std::size_t>(std::ranges::find(few.y, 50) - few.y.begin())], 12'345);
}

// Of a curve that comes back in x, all four sides stay, and every point is one of the curve's.
TEST(thinned_curve, keeps_the_shape_of_loops) {
  curve c;
  for (std::size_t i = 0; i <= 50'000; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / 10'000;
    c.x.push_back(3 * std::cos(angle));
    c.y.push_back(std::sin(angle));
  }
  const curve few = thinned({.equal_scales = true}, c, 1000);
  EXPECT_EQ(largest(few.x), 3);
  EXPECT_DOUBLE_EQ(smallest(few.x), -3);
  EXPECT_EQ(largest(few.y), largest(c.y));
  EXPECT_EQ(smallest(few.y), smallest(c.y));
  for (std::size_t i = 0; i < few.x.size(); ++i) EXPECT_NEAR(std::hypot(few.x[i] / 3, few.y[i]), 1, 1e-12);
}

TEST(thinned_curve, keeps_gaps_that_can_be_seen) {
  curve c;
  for (std::size_t i = 0; i < 10'000; ++i) {
    c.x.push_back(static_cast<double>(i));
    c.y.push_back((i >= 4000 && i < 5000) || i % 7 == 0 ? 0 : 1);  // zeros everywhere, and one wide stretch of them
  }
  const curve few = thinned({.y_log = true}, c, 600);
  EXPECT_EQ(gaps(few), 1u);
  EXPECT_EQ(smallest(few.y), 1);
}

// The inside of a cloud is as dense as its rim.
TEST(thinned_curve, thins_separate_points_evenly) {
  curve c{"cloud", curve_style::points};
  for (std::size_t i = 0; i < 50'000; ++i) {
    c.x.push_back(std::fmod(0.618034 * static_cast<double>(i), 1.0));
    c.y.push_back(std::fmod(0.754878 * static_cast<double>(i), 1.0));
  }
  c.y[777] = 9;
  const curve few = thinned({}, c, 1000);
  EXPECT_LE(few.x.size(), 1010u);
  EXPECT_EQ(largest(few.y), 9);
  const auto inside = std::ranges::count_if(few.y, [](double y) { return y > 0.25 && y < 0.75; });
  EXPECT_NEAR(static_cast<double>(inside) / 1000, 0.5, 0.05);
}

TEST(thinned_curve, shares_the_points_of_a_page) {
  EXPECT_EQ(points_allowed({10, 1000, 1000}, 410), 200u);
  EXPECT_EQ(points_allowed({10, 20, 30}, 100), 30u);
  EXPECT_EQ(points_allowed({500, 500}, 1), 1u);
}

}  // namespace
}  // namespace actio
