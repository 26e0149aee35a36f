// After a failure only what was tried is recommended.
#include "actio/simulate/advice.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/run.hpp"

namespace actio {
namespace {

// A hard quartic oscillator, far beyond the stability of verlet: half the step blows up as well, only later.
TEST(advice, names_no_step_that_blows_up_too) {
  const auto hard = lagrangian_system::from(
      "hard", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 - 5000 * q[0] * q[0] - exp(q[0] * q[0]); });
  const integrator<double> flow(hard, {.method = "verlet", .step = 0.1});
  phase_state<double> state = flow.at_velocity({1e-6}, {0.0});
  const auto report = run(flow, state, 100'000);
  ASSERT_EQ(report.status, run_status::failed);
  const std::string before = "try step = ";
  ASSERT_TRUE(report.suggestion.starts_with(before)) << report.suggestion;
  const double advised = std::stod(report.suggestion.substr(before.size()));
  EXPECT_LT(advised, 0.02);  // the limit: 2/ω with ω = 100
  const integrator<double> shorter = flow.with_step(advised);
  phase_state<double> again = shorter.at_velocity({1e-6}, {0.0});
  EXPECT_EQ(run(shorter, again, 100'000).status, run_status::done);
  EXPECT_LT(std::abs(again.position[0]), 2e-6);
}

// Drawn to q = 1 without end, where the force is infinite.
TEST(advice, says_that_a_motion_ends) {
  const auto fall =
      lagrangian_system::from("fall", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 - log(1 - q[0]) + q[0]; });
  const integrator<double> flow(fall, {.method = "simpson", .step = 0.01});
  phase_state<double> state = flow.at_velocity({0.5}, {1.0});
  const auto report = run(flow, state, 1000);
  ASSERT_EQ(report.status, run_status::failed);
  EXPECT_EQ(report.suggestion.find("try step"), std::string::npos) << report.suggestion;
  EXPECT_NE(report.suggestion.find("singularity near t = "), std::string::npos) << report.suggestion;
}

}  // namespace
}  // namespace actio
