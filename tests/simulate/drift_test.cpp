#include "actio/simulate/drift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

constexpr double many_swings = 1000;

drift_estimate estimate(std::size_t steps, const std::function<double(double)>& error, double rounding = 0,
                        double swings = many_swings) {
  drift_meter meter;
  for (std::size_t k = 0; k <= steps; ++k) meter.add(0.1 * double(k), error(0.1 * double(k)));
  return meter.estimate({.rounding = rounding, .swings = swings});
}

TEST(drift, an_oscillating_error_is_bounded) {
  for (const double frequency : {0.013, 0.11, 1.0, 7.3}) {
    const auto found = estimate(20000, [&](double t) { return 1e-6 * std::sin(frequency * t + 0.3); });
    EXPECT_EQ(found.verdict, conservation::bounded) << frequency;
    EXPECT_FALSE(found.grows);
  }
}

TEST(drift, a_trend_below_the_oscillation_is_found) {
  const drift_estimate found = estimate(100000, [](double t) { return 1e-6 * std::sin(t) + 2e-10 * t; });
  EXPECT_EQ(found.verdict, conservation::drifts);
  EXPECT_NEAR(found.per_time, 2e-10, 1e-11);
  EXPECT_LT(found.uncertainty, 2e-11);
}

TEST(drift, an_error_that_explodes_is_not_bounded) {
  const auto explosion = [](double t) { return 1e-9 * std::exp(0.1 * t) * (1 + std::sin(t)); };
  EXPECT_EQ(estimate(1000, explosion, 0, 20).verdict, conservation::drifts);
  EXPECT_EQ(estimate(1000, explosion, 0, 2).verdict, conservation::too_short);
}

TEST(drift, a_trend_is_called_one_only_after_many_swings) {
  const auto line = [](double t) { return 1e-6 * t; };
  EXPECT_EQ(estimate(1000, line, 0, 20).verdict, conservation::drifts);
  EXPECT_EQ(estimate(1000, line, 0, 3).verdict, conservation::too_short);
  const auto piece = [](double t) { return 1e-6 * std::sin(0.01 * t); };  // a sixth of an oscillation
  EXPECT_EQ(estimate(1000, piece, 0, 3).verdict, conservation::too_short);
}

TEST(drift, an_error_that_came_to_rest_is_bounded) {
  const auto transient = [](double t) { return 1e-4 * (1 - std::exp(-t)); };
  for (const double swings : {0.0, 3.0, 100.0}) {
    EXPECT_EQ(estimate(1000, transient, 0, swings).verdict, conservation::bounded) << swings;
  }
}

TEST(drift, a_random_walk_of_rounding_errors_is_rounding) {
  std::mt19937 random(7);
  std::normal_distribution<double> rounding(0, 1e-16);
  for (int trial = 0; trial < 20; ++trial) {
    double walk = 0;
    const auto found = estimate(20000, [&](double) { return walk += rounding(random); }, 10e-16 * std::sqrt(20000.0));
    EXPECT_EQ(found.verdict, conservation::to_rounding);
  }
}

TEST(drift, a_short_run_gives_no_verdict) {
  EXPECT_EQ(estimate(5, [](double t) { return t; }).verdict, conservation::too_short);
  EXPECT_EQ(estimate(5, [](double) { return 1e-17; }, 1e-16).verdict, conservation::to_rounding);
}

TEST(drift, saved_and_loaded_meters_agree) {
  drift_meter a, b;
  for (int k = 0; k < 1000; ++k) a.add(k, std::sin(k) + 1e-3 * k);
  b.load(a.save());
  for (int k = 1000; k < 3000; ++k) {
    a.add(k, std::sin(k) + 1e-3 * k);
    b.add(k, std::sin(k) + 1e-3 * k);
  }
  EXPECT_EQ(a.estimate({.swings = 1}).per_time, b.estimate({.swings = 1}).per_time);
  EXPECT_EQ(a.largest(), b.largest());
}

TEST(swings, are_those_of_the_slowest_coordinate_that_moves_to_and_fro) {
  swing_meter meter(3);
  for (int k = 0; k < 6284; ++k) {
    meter.add(0, std::cos(0.01 * k));      // ten times to and fro
    meter.add(1, 5 + std::cos(0.1 * k));   // a hundred times, beside a steady motion
    meter.add(2, 3 + 1e-9 * std::cos(k));  // steady
  }
  EXPECT_NEAR(meter.swings(), 10, 1);
  swing_meter other(3);
  other.load(meter.save());
  EXPECT_EQ(other.swings(), meter.swings());
}

// Runs that are known to drift and known not to, of any length: never the wrong word, and the right one in long runs.
TEST(drift, verdicts_on_runs_are_never_wrong) {
  for (const char* problem : {"pendulum", "henon-heiles", "kepler"}) {
    const model m = load_model(problem);
    for (const char* method : {"simpson", "midpoint", "verlet", "rk4"}) {
      const bool may_drift = std::string(method) == "rk4";
      for (const std::size_t steps : {3U, 10U, 30U, 100U, 300U, 3000U, 30000U}) {
        const integrator<double> flow(m.system, {.method = method, .step = 0.08});
        phase_state<double> state = flow.at_start(m);
        const conservation verdict = run(flow, state, steps).energy.drift.verdict;
        EXPECT_NE(verdict, may_drift ? conservation::to_rounding : conservation::drifts)
            << problem << ' ' << method << ' ' << steps;
        if (steps < 3000) continue;
        EXPECT_EQ(verdict, may_drift ? conservation::drifts : conservation::bounded)
            << problem << ' ' << method << ' ' << steps;
      }
    }
  }
}

TEST(drift, a_million_steps_have_the_right_verdicts) {
  const model m = load_model("pendulum");
  for (const auto& [method, expected] :
       {std::pair("verlet", conservation::bounded), std::pair("rk4", conservation::drifts),
        std::pair("gauss-4", conservation::to_rounding)}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.01});
    phase_state<double> state = flow.at_start(m);
    EXPECT_EQ(run(flow, state, 1'000'000).energy.drift.verdict, expected) << method;
  }
}

}  // namespace
}  // namespace actio
