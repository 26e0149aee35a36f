#include "actio/io/thinned_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace actio {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

thinned_series series_of(const std::vector<double>& values, std::size_t capacity) {
  thinned_series series(1, capacity);
  for (std::size_t i = 0; i < values.size(); ++i) series.add(static_cast<double>(i), std::vector{values[i]});
  return series;
}

TEST(thinned_series, is_the_series_itself_while_it_fits) {
  const std::vector<double> values = {3, 1, 2, 2, 5, -1, 0};
  EXPECT_EQ(series_of(values, 8).values(0), values);
  EXPECT_EQ(series_of(values, 4).values(0), values);  // two rows a bucket
  EXPECT_EQ(series_of(values, 4).times(), (std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(series_of(values, 4).width(), 2u);
  EXPECT_TRUE(series_of({}, 4).times().empty());
}

TEST(thinned_series, keeps_the_extremes_of_every_bucket_in_their_order) {
  const thinned_series series = series_of({0, 7, 3, 1, /**/ 4, -2, 9, 5, /**/ 6}, 4);
  EXPECT_EQ(series.width(), 4u);
  EXPECT_EQ(series.values(0), (std::vector<double>{0, 7, -2, 9, 6}));
  EXPECT_EQ(series.times(), (std::vector<double>{0, 3, 4, 7, 8}));
  EXPECT_EQ(series_of({2, 9, 4, 1}, 2).values(0), (std::vector<double>{2, 9, 4, 1}));
  EXPECT_EQ(series_of({2, 9, 4, 1, 5}, 2).values(0), (std::vector<double>{9, 1, 5}));
}

// A million rows with two single peaks: few points, and both peaks among them.
TEST(thinned_series, never_loses_an_extreme_and_never_grows) {
  thinned_series series(2, 2000);
  for (std::size_t i = 0; i < 1'000'000; ++i) {
    const double peak = i == 123'457 ? 50 : i == 765'432 ? -70 : 0;
    const double row[] = {std::sin(1e-3 * static_cast<double>(i)) + peak, static_cast<double>(i)};
    series.add(static_cast<double>(i), row);
    ASSERT_LE(series.rows(), 2000 * series.width());
  }
  const std::vector<double> times = series.times(), wave = series.values(0), line = series.values(1);
  EXPECT_GT(times.size(), 1900u);
  EXPECT_LE(times.size(), 4000u);
  ASSERT_EQ(wave.size(), times.size());
  EXPECT_GT(*std::ranges::max_element(wave), 49);
  EXPECT_LT(*std::ranges::min_element(wave), -69);
  EXPECT_EQ(line, times);  // of a growing series both ends of a bucket are its extremes
  EXPECT_TRUE(std::ranges::is_sorted(times));
  EXPECT_EQ(times.back(), 999'999);
}

TEST(thinned_series, leaves_out_what_is_not_finite) {
  const std::vector<double> values = series_of({nan, infinity, nan, 4, -infinity, 2, nan, nan}, 4).values(0);
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]));
  EXPECT_EQ(values[2], 4);
  EXPECT_EQ(values[4], 2);
  EXPECT_TRUE(std::isnan(values[6]));
  EXPECT_EQ(series_of({nan, nan, 3, nan, 1, nan, 8, nan, 5}, 2).values(0), (std::vector<double>{1, 8, 5}));
}

thinned_points points_up_to(std::size_t last, std::size_t capacity) {
  thinned_points points(2, capacity);
  for (std::size_t i = 0; i <= last; ++i) points.add(std::vector{static_cast<double>(i), -static_cast<double>(i)});
  return points;
}

TEST(thinned_points, keep_every_stride_th_row_and_the_last) {
  EXPECT_EQ(points_up_to(3, 4).values(0), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(points_up_to(4, 4).values(0), (std::vector<double>{0, 2, 4}));
  EXPECT_EQ(points_up_to(5, 4).values(1), (std::vector<double>{-0.0, -2, -4, -5}));
  EXPECT_EQ(points_up_to(5, 4).stride(), 2u);
  EXPECT_EQ(points_up_to(100, 4).values(0), (std::vector<double>{0, 32, 64, 96, 100}));
}

TEST(thinned_points, never_grow) {
  const thinned_points points = points_up_to(1'000'000, 4000);
  EXPECT_GT(points.values(0).size(), 1900u);
  EXPECT_LE(points.values(0).size(), 4001u);
  EXPECT_EQ(points.values(0).back(), 1'000'000);
}

}  // namespace
}  // namespace actio
