#include "actio/simulate/drift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace actio {
namespace {

drift_estimate estimate(std::size_t steps, const std::function<double(double)>& error, double rounding = 0) {
  drift_meter meter;
  for (std::size_t k = 0; k <= steps; ++k) meter.add(0.1 * double(k), error(0.1 * double(k)));
  return meter.estimate(rounding);
}

TEST(drift, an_oscillating_error_does_not_grow) {
  for (const double frequency : {0.013, 0.11, 1.0, 7.3}) {
    EXPECT_FALSE(estimate(20000, [&](double t) { return 1e-6 * std::sin(frequency * t + 0.3); }).grows) << frequency;
  }
}

TEST(drift, a_trend_below_the_oscillation_is_found) {
  const drift_estimate found = estimate(100000, [](double t) { return 1e-6 * std::sin(t) + 2e-10 * t; });
  EXPECT_TRUE(found.grows);
  EXPECT_NEAR(found.per_time, 2e-10, 1e-11);
  EXPECT_LT(found.uncertainty, 1e-11);
}

TEST(drift, a_random_walk_of_rounding_errors_is_not_called_growth) {
  std::mt19937 random(7);
  std::normal_distribution<double> rounding(0, 1e-16);
  for (int trial = 0; trial < 20; ++trial) {
    double walk = 0;
    EXPECT_FALSE(estimate(20000, [&](double) { return walk += rounding(random); }, 10e-16 * std::sqrt(20000.0)).grows);
  }
}

TEST(drift, a_short_run_gives_no_verdict) {
  EXPECT_FALSE(estimate(5, [](double t) { return t; }).grows);
}

TEST(drift, saved_and_loaded_meters_agree) {
  drift_meter a, b;
  for (int k = 0; k < 1000; ++k) a.add(k, std::sin(k) + 1e-3 * k);
  b.load(a.save());
  for (int k = 1000; k < 3000; ++k) {
    a.add(k, std::sin(k) + 1e-3 * k);
    b.add(k, std::sin(k) + 1e-3 * k);
  }
  EXPECT_EQ(a.estimate(0).per_time, b.estimate(0).per_time);
}

}  // namespace
}  // namespace actio
