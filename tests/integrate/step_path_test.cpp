// Steps that are far too long have solutions that the state does not lead to; none of them may pass for a step.
#include "actio/integrate/step_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "actio/simulate/ensemble.hpp"
#include "actio/simulate/run.hpp"
#include "tests/support/constrained_systems.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

class long_steps : public ::testing::TestWithParam<std::string> {};

// The potential energy of the double pendulum is at least −3 g l = −7.31.
TEST_P(long_steps, of_a_double_pendulum_keep_the_energy_or_fail) {
  const model m = testing::read(testing::double_pendulum_in_cartesian);
  std::mt19937_64 bits(1);
  std::uniform_real_distribution<double> number(-1, 1);
  std::size_t taken = 0, refused = 0;
  for (const double step : {0.1, 0.3, 0.42, 0.5, 0.6}) {
    const integrator<double> flow(m.system, {.method = GetParam(), .step = step});
    phase_point<double> point(flow.space());
    for (int start = 0; start < 12; ++start) {
      const auto workspace = flow.make_workspace();
      phase_state<double> state =
          flow.at_momentum({3 * number(bits), 3 * number(bits)}, {0.3 * number(bits), 0.3 * number(bits)});
      for (int k = 0; k < 10; ++k) {
        ASSERT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
        const double energy = point.energy();
        const step_status status = workspace->advance(state);
        refused += !status;
        if (!status) break;
        ++taken;
        ASSERT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
        EXPECT_LT(std::abs(point.energy() - energy), std::max(1.0, energy + 7.31)) << step << " " << start << " " << k;
      }
    }
  }
  EXPECT_GT(taken, 100U);
  EXPECT_GT(refused, 0U);
}

INSTANTIATE_TEST_SUITE_P(methods, long_steps,
                         ::testing::Values("simpson", "lobatto-4", "lobatto-8", "gauss-4", "gauss-6", "gauss-8",
                                           "gauss-10"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Newton's method alone finds solutions with a thousand times the energy.
TEST(step_path, long_steps_of_high_order_find_the_right_solution) {
  const model m = testing::read(testing::double_pendulum_in_cartesian);
  for (const auto& [method, step] : {std::pair{"gauss-8", 0.5}, {"gauss-10", 0.42}}) {
    const integrator<double> flow(m.system, {.method = method, .step = step});
    phase_state<double> state = flow.at_start(m);
    const auto report = run(flow, state, 60);
    EXPECT_EQ(report.status, run_status::done) << method;
    EXPECT_LT(report.energy.max_relative_error, 0.02) << method;
  }
}

TEST(step_path, a_step_that_is_too_long_says_so) {
  const model m = testing::read(testing::double_pendulum_in_cartesian);
  const integrator<double> flow(m.system, {.method = "gauss-4", .step = 0.6});
  std::size_t too_long = 0;
  for (int k = 0; k < 6; ++k) {
    phase_state<double> state = flow.at_momentum({3.0 - 0.4 * k, 1.0}, {0.3, -0.2 + 0.1 * k});
    const phase_state<double> before = state;
    const auto report = run(flow, state, 1);
    if (report.failure != step_code::too_long) continue;
    ++too_long;
    EXPECT_EQ(report.status, run_status::failed);
    EXPECT_NE(report.reason.find("too long"), std::string::npos) << report.reason;
    EXPECT_EQ(state.position.value, before.position.value);
  }
  EXPECT_GT(too_long, 0U);
}

// Stiff: a step of many oscillations. The solution is unique, and nothing is wrong with it.
TEST(step_path, steps_far_longer_than_an_oscillation_are_taken) {
  const auto stiff = lagrangian_system::from("stiff", {"x", "y"}, [](auto q, auto v) {
    const expr stretch = q[0] - 1;
    return (v[0] * v[0] + v[1] * v[1]) / 2 - 10000 * pow(stretch, 2) - 5000 * pow(stretch, 4) - pow(q[0] * q[1], 2);
  });
  for (const char* method : {"midpoint", "gauss-2", "gauss-3"}) {
    const integrator<double> flow(stiff, {.method = method, .step = 0.1});
    phase_state<double> state = flow.at_velocity({1.01, 0.0}, {0.0, 0.5});
    EXPECT_EQ(run(flow, state, 200).status, run_status::done) << method;
  }
}

TEST(step_path, linear_equations_are_always_connected) {
  // An inverted pendulum beyond the step at which the equations of the midpoint rule are singular.
  const auto falling =
      lagrangian_system::from("falling", {"x"}, [](auto q, auto v) { return v[0] * v[0] / 2 + 8 * q[0] * q[0]; });
  const integrator<double> flow(falling, {.method = "midpoint", .step = 0.7});
  phase_state<double> state = flow.at_velocity({1.0}, {0.3});
  EXPECT_TRUE(flow.make_workspace()->advance(state));
}

}  // namespace
}  // namespace actio
