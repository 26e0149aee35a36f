#include "actio/mechanics/linear_system.hpp"

#include <gtest/gtest.h>

#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/linear_systems.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

std::optional<linear_system<double>> found_in(const std::string& text) {
  const model m = parse_model(text, "m.toml");
  return linear_system_of(phase_space<double>(m.system, parameter_values<double>(m.system)));
}

std::string with_lagrangian(const std::string& lagrangian, const std::string& more = "") {
  return "coordinates = [\"x\", \"y\"]\nlagrangian = \"" + lagrangian + "\"\n[parameters]\na = 0.3\nb = 0.1\n" + more +
         "[initial]\nposition = {x = 0, y = 0}\nvelocity = {x = 0, y = 0}\n";
}

TEST(linear_system_of, finds_matrices_and_load_in_a_lagrangian) {
  const auto system = found_in(with_lagrangian("(x'+y')^2 + y'^2/2 - a*(x-y)^2/2 - b*x^2 + b*x - 3*y + 7"));
  ASSERT_TRUE(system);
  EXPECT_EQ(system->mass()(0, 0), 2);
  EXPECT_EQ(system->mass()(0, 1), 2);
  EXPECT_EQ(system->mass()(1, 1), 3);
  EXPECT_NEAR(system->stiffness()(0, 0), 0.5, 1e-16);
  EXPECT_EQ(system->stiffness()(1, 0), -0.3);
  EXPECT_EQ(system->load(), (std::vector<double>{0.1, -3}));
}

TEST(linear_system_of, leaves_everything_else_to_the_general_path) {
  EXPECT_TRUE(found_in(with_lagrangian("x'^2 + y'^2 - x^2")));
  EXPECT_FALSE(found_in(with_lagrangian("x'^2 + y'^2 - x^4")));
  EXPECT_FALSE(found_in(with_lagrangian("x'^2 + y'^2 - cos(x)")));
  EXPECT_FALSE(found_in(with_lagrangian("x'^2 + (1 + x^2)*y'^2")));
  EXPECT_FALSE(found_in(with_lagrangian("x'^2 + y'^2 + x*y' - y*x'")));       // gyroscopic
  EXPECT_FALSE(found_in(with_lagrangian("x'^2 + y'^2 + a*x'")));              // momentum at rest
  EXPECT_FALSE(found_in(with_lagrangian("x'^2 + y'^2 - (1 + sin(t))*x^2")));  // depends on time
  EXPECT_FALSE(found_in(with_lagrangian("x'^2 + y'^2 - x^2", "[forces]\nx = \"-x'\"\n")));
  EXPECT_FALSE(found_in(with_lagrangian("x'^2 + y'^2 + x^2")));  // unstable by itself
  EXPECT_FALSE(found_in(with_lagrangian("x'^2 - y'^2 - x^2")));  // no positive mass
}

TEST(linear_table, makes_the_same_system_as_the_lagrangian) {
  const std::string start = "[initial]\nposition = {q1 = 1, q2 = 0}\nvelocity = {q1 = 0, q2 = 0.5}\n";
  const model matrices = parse_model(
      "[parameters]\nk = 0.7\n[linear]\nmass = [[2, 1], [1, 1]]\n"
      "stiffness = [[\"2*k\", \"-k\"], [\"-k\", \"k\"]]\nload = [0, \"k/2\"]\n" +
          start,
      "m.toml");
  const model written = parse_model(
      "coordinates = [\"q1\", \"q2\"]\nlagrangian = \"q1'^2 + q1'*q2' + q2'^2/2 - k*q1^2 + k*q1*q2 "
      "- k*q2^2/2 + k*q2/2\"\n[parameters]\nk = 0.7\n" +
          start,
      "m.toml");
  for (const char* method : {"simpson", "midpoint", "gauss-3"}) {
    const integrator<double> a(matrices.system, {.method = method, .step = 0.1});
    const integrator<double> b(written.system, {.method = method, .step = 0.1});
    phase_state<double> x = a.at_start(matrices), y = b.at_start(written);
    run(a, x, 200);
    run(b, y, 200);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(x.position[i], y.position[i], 1e-13);
  }
}

TEST(linear_table, follows_changed_parameters_and_checks_them) {
  model m = parse_model(testing::chain_model(6, false), "m.toml");
  const double before = integrator<double>(m.system, {.step = 0.1}).linear()->stiffness()(0, 0);
  set_parameter(m, {"k=2", {"--set", 1, 1}, "--set"});
  const integrator<double> flow(m.system, {.step = 0.1});
  EXPECT_EQ(before, 1.4);
  EXPECT_EQ(flow.linear()->stiffness()(0, 0), 4);
  set_parameter(m, {"k=-2", {"--set", 1, 1}, "--set"});
  EXPECT_THROW(integrator<double>(m.system, {.step = 0.1}), input_error);
}

TEST(linear_run, of_a_chain_of_six_masses_follows_the_general_step) {
  const model m = parse_model(testing::chain_model(6, false), "m.toml");
  const integrator<double> flow(m.system, {.step = 0.1});
  phase_state<double> fast = flow.at_start(m), general = fast;
  run(flow, fast, 1000);
  const auto step = flow.method().make<double>({.space = flow.space(), .step = 0.1});
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(step->advance(general));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(fast.position[i], general.position[i], 1e-12);
}

TEST(linear_run, of_a_free_chain_keeps_its_momentum_and_floats_away) {
  const std::string symmetry = "[symmetries.shift]\nq1 = 1\nq2 = 1\nq3 = 1\nq4 = 1\n";
  const model m = parse_model(testing::chain_model(4, true, symmetry), "m.toml");
  const integrator<double> flow(m.system, {.step = 0.1});
  ASSERT_NE(flow.linear(), nullptr);
  EXPECT_EQ(flow.linear()->squared_frequencies().front(), 0);
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 100'000);
  EXPECT_LT(report.momenta.front().max_error, 1e-11);
  // The centre of mass moves with P/M; masses 1, 2, 3, 4 from 0.5, 1.5, 2.5, 0.5, and momenta 0, 1, 0, 1.
  const double centre =
      (state.position[0] + 2 * state.position[1] + 3 * state.position[2] + 4 * state.position[3]) / 10;
  EXPECT_NEAR(centre, 1.3 + 0.2 * 10'000, 1e-9);
}

TEST(linear_step, leaves_the_momentum_of_a_free_coordinate_alone) {
  const model m = parse_model(
      "[linear]\nmass = [[1, 0.5], [0.5, 1]]\nstiffness = [[3, 0], [0, 0]]\n"
      "[initial]\nposition = {q1 = 1, q2 = 0.1}\nmomentum = {q1 = 0.3, q2 = 0.7}\n",
      "m.toml");
  for (const char* method : {"simpson", "midpoint"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.1});
    phase_state<double> state = flow.at_start(m);
    run(flow, state, 1000);
    EXPECT_EQ(state.momentum.value[1], 0.7);
    EXPECT_EQ(state.momentum.remainder[1], 0.0);
  }
}

TEST(linear_step, allocates_nothing) {
  const model m = parse_model(testing::chain_model(6, false), "m.toml");
  for (const char* method : {"simpson", "midpoint"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.1});
    const auto workspace = flow.make_workspace();
    phase_state<double> state = flow.at_start(m);
    const testing::allocation_count allocations;
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(workspace->advance(state));
    EXPECT_EQ(allocations.since_start(), 0u);
  }
}

// Nothing is remembered from step to step: a resumed run goes on bit for bit.
TEST(linear_step, of_a_fresh_workspace_has_the_same_bits) {
  const model m = parse_model(testing::chain_model(4, true, "load = [0, 1, 0, \"-k/3\"]\n"), "m.toml");
  for (const char* method : {"simpson", "midpoint"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.1});
    const auto workspace = flow.make_workspace();
    phase_state<double> state = flow.at_start(m), resumed = state;
    EXPECT_TRUE(workspace->history().empty());
    for (int k = 0; k < 100; ++k) {
      ASSERT_TRUE(workspace->advance(state));
      ASSERT_TRUE(flow.make_workspace()->advance(resumed));
      ASSERT_EQ(state.position.value, resumed.position.value) << k;
      ASSERT_EQ(state.momentum.remainder, resumed.momentum.remainder) << k;
    }
  }
}

// Rounding may walk at random, but not march: no drift that the certificate could see, and an error like √steps.
TEST(linear_run, has_no_drift_of_energy) {
  const model m = load_model("linear-double-pendulum");
  for (const char* method : {"simpson", "midpoint"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.01});
    phase_state<double> state = flow.at_start(m);
    const run_report<double> report = run(flow, state, 200'000);
    EXPECT_FALSE(report.energy.drift.grows) << method;
  }
}

}  // namespace
}  // namespace actio
