// Lagrangians that are not quadratic in their velocities: several velocities may belong to a momentum, and a motion
// stays on the branch on which it was started.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/integrate/catalogue.hpp"
#include "actio/simulate/ensemble.hpp"
#include "actio/simulate/run.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

// p = v³ − v: three velocities for |p| < 0.385, between which the mass 3v² − 1 vanishes.
lagrangian_system three_branches() {
  return lagrangian_system::from("three branches", {"x"},
                                 [](auto q, auto v) { return pow(v[0], 4) / 4 - v[0] * v[0] / 2 - q[0] * q[0] / 2; });
}

// p = v²/2 + v: two branches on both sides of v = −1.
lagrangian_system two_branches() {
  return lagrangian_system::from("two branches", {"x"},
                                 [](auto q, auto v) { return pow(v[0], 3) / 6 + v[0] * v[0] / 2 - q[0] * q[0] / 2; });
}

double velocity_of(const phase_space<double>& space, const phase_state<double>& state) {
  phase_point<double> point(space);
  EXPECT_TRUE(point.measure(state.time, state.position.value, state.momentum.value, state.velocity));
  return point.velocity()[0];
}

TEST(branches, a_given_velocity_is_the_branch) {
  const struct {
    lagrangian_system system;
    double velocity;
  } starts[] = {{three_branches(), 0.9},
                {three_branches(), 0.1},
                {three_branches(), -1.2},
                {two_branches(), -3.5},
                {two_branches(), 1.5}};
  for (const auto& [system, velocity] : starts) {
    const integrator<double> flow(system, {.method = "simpson", .step = 0.01});
    EXPECT_NEAR(velocity_of(flow.space(), flow.at_velocity({0.3}, {velocity})), velocity, 1e-14) << system.name;
  }
}

TEST(branches, a_mass_that_vanishes_at_rest_may_move) {
  const auto quartic = lagrangian_system::from("quartic", {"x"}, [](auto, auto v) { return pow(v[0], 4) / 4; });
  const integrator<double> flow(quartic, {.method = "simpson", .step = 0.1});
  phase_state<double> state = flow.at_velocity({0.0}, {2.0});
  EXPECT_EQ(run(flow, state, 10).status, run_status::done);
  EXPECT_NEAR(state.position.value[0], 2, 1e-13);
  EXPECT_NEAR(velocity_of(flow.space(), flow.at_momentum({0.0}, {8.0})), 2, 1e-13);  // reached from afar
  EXPECT_THROW(flow.at_velocity({0.0}, {0.0}), input_error);
}

TEST(branches, velocities_next_to_that_of_light_have_their_momentum) {
  const auto particle = lagrangian_system::from("particle", {"x"}, [](auto, auto v) { return -sqrt(1 - v[0] * v[0]); });
  const double v = 0.9999999, p = v / std::sqrt(1 - v * v);
  const integrator<double> flow(particle, {.method = "simpson", .step = 0.1});
  EXPECT_NEAR(velocity_of(flow.space(), flow.at_velocity({0.0}, {v})), v, 1e-15);
  EXPECT_NEAR(velocity_of(flow.space(), flow.at_momentum({0.0}, {p})), v, 1e-13);
  phase_state<double> state = flow.at_velocity({0.0}, {v});
  EXPECT_EQ(run(flow, state, 10).status, run_status::done);
  EXPECT_NEAR(state.position.value[0], v, 1e-14);
}

class on_branches : public ::testing::TestWithParam<std::string> {};

// On the branch v < −1 of p = v²/2 + v the mass 1 + v is negative. From x = 1, v = −1.5 the energy v³/3 + v²/2 + x²/2 =
// 1/2 leads to v = −1 at x = 0.816, where the branch ends.
TEST_P(on_branches, motions_stay_and_end_where_the_mass_is_singular) {
  const lagrangian_system system = two_branches();
  const integrator<double> flow(system, {.method = GetParam(), .step = 0.002});
  phase_state<double> state = flow.at_velocity({1.0}, {-1.5});
  const double energy = 0.5;
  const auto report = run(flow, state, 20000);
  EXPECT_EQ(report.status, run_status::failed);
  EXPECT_EQ(report.failure, step_code::mass_singular) << report.reason;
  EXPECT_NE(report.reason.find("mass matrix"), std::string::npos) << report.reason;
  const double v = velocity_of(flow.space(), state), x = state.position.value[0];
  EXPECT_LT(v, -1);
  EXPECT_GT(v, -1.2);
  EXPECT_NEAR(v * v * v / 3 + v * v / 2 + x * x / 2, energy, GetParam() == "lie-trotter" ? 0.02 : 1e-3);
}

INSTANTIATE_TEST_SUITE_P(methods, on_branches,
                         ::testing::Values("simpson", "midpoint", "verlet", "gauss-3", "lobatto-4", "rk4", "strang",
                                           "lie-trotter", "energy-difference", "energy-momentum"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// p = v + 0.3 sign(v) has no velocity for |p| < 0.3.
TEST(branches, end_at_a_kink_which_is_named) {
  const lagrangian_system system = lagrangian_system::from("kink", {"x"}, [](auto q, auto v) {
    return v[0] * v[0] / 2 + expr(rational(3, 10)) * abs(v[0]) - q[0] * q[0] / 2;
  });
  const integrator<double> flow(system, {.method = "simpson", .step = 0.01});
  phase_state<double> state = flow.at_velocity({0.0}, {1.0});
  const auto report = run(flow, state, 1000);
  EXPECT_EQ(report.failure, step_code::mass_singular) << report.reason;
  EXPECT_NE(report.reason.find("the Lagrangian has a kink in a velocity there"), std::string::npos) << report.reason;
}

TEST(branches, methods_agree_on_a_branch_that_is_not_that_of_rest) {
  const lagrangian_system system = three_branches();
  const auto end_with = [&](const char* method, bool velocity_state) {
    const integrator<double> flow(system, {.method = method, .step = 0.005, .velocity_state = velocity_state});
    phase_state<double> state = flow.at_velocity({-0.5}, {1.1});
    EXPECT_EQ(run(flow, state, 160).status, run_status::done) << method;
    return state.position.value[0];
  };
  const double reference = end_with("gauss-4", false);
  EXPECT_GT(reference, 0.3);  // the branch of rest would have gone nowhere
  for (const char* method : {"simpson", "lobatto-5", "rk4", "yoshida-6"}) {
    EXPECT_NEAR(end_with(method, false), reference, 1e-7) << method;
  }
  EXPECT_NEAR(end_with("rk4", true), reference, 1e-7);
  for (const char* method : {"midpoint", "verlet", "strang", "energy-momentum"}) {
    EXPECT_NEAR(end_with(method, false), reference, 1e-3) << method;
  }
}

TEST(branches, ensembles_keep_the_velocities_of_their_starts) {
  const model m = parse_model(R"(name = "three branches"
coordinates = ["x"]
lagrangian = "x'^4/4 - x'^2/2 - x^2/2"
[initial.position]
x = -0.5
[initial.velocity]
x = 1.1
)",
                              "branches.toml");
  const ensemble_plan plan(m, {.sweeps = {{"x'", 1.1, 1.2, 3}}});
  std::vector<trajectory_result> results;
  const ensemble_options options{.integrator = {.method = "simpson", .step = 0.01}, .steps = 50};
  run_ensemble(plan, options, [&](const trajectory_result& r) { results.push_back(r); });
  ASSERT_EQ(results.size(), 3U);
  for (const trajectory_result& r : results) {
    const integrator<double> flow(m.system, options.integrator);
    phase_state<double> state = flow.at_velocity({-0.5}, {r.start.values[0]});
    EXPECT_EQ(run(flow, state, 50).status, run_status::done);
    EXPECT_EQ(r.position, state.position.value);
    EXPECT_GT(r.position[0], 0);
  }
}

TEST(branches, states_are_saved_with_their_velocity) {
  const integrator<double> flow(three_branches(), {.method = "simpson", .step = 0.01});
  phase_state<double> state = flow.at_velocity({-0.5}, {1.1});
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(workspace->advance(state));
  snapshot saved;
  save(state, saved);
  const std::vector<double> history = workspace->history();
  phase_state<double> resumed = load_state<double>(saved, flow.space());
  EXPECT_EQ(resumed.velocity, state.velocity);
  const auto other = flow.make_workspace();
  other->restore_history(history);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    ASSERT_TRUE(other->advance(resumed));
  }
  EXPECT_EQ(resumed.position.value, state.position.value);
  EXPECT_EQ(resumed.velocity, state.velocity);
  snapshot old;
  for (const auto& [name, texts] : saved.all()) {
    if (name != "state.velocity") old.put_texts(name, texts);
  }
  EXPECT_THROW(load_state<double>(old, flow.space()), snapshot_error);
}

TEST(branches, quadratic_lagrangians_carry_nothing) {
  const model m = testing::read(testing::double_pendulum_in_cartesian);
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  EXPECT_TRUE(flow.space().has_one_branch());
  EXPECT_TRUE(flow.at_start(m).velocity.empty());
}

}  // namespace
}  // namespace actio
