#include "actio/integrate/step.hpp"

#include <gtest/gtest.h>

#include "actio/integrate/catalogue.hpp"
#include "actio/simulate/run.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/systems.hpp"
#include "tests/support/tangent_maps.hpp"

namespace actio {
namespace {

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const method& m : method_catalogue()) names.push_back(m.name);
  return names;
}

class every_method : public ::testing::TestWithParam<std::string> {};

TEST_P(every_method, tangent_map_is_the_derivative_of_the_step) {
  const model m = testing::read_suited(
      GetParam(), {testing::forced_system, testing::forced_separable_system, testing::double_pendulum_in_angles});
  const integrator<quad> flow(m.system, {.method = GetParam(), .step = quad(0.2)});
  testing::expect_tangent_map(flow, flow.at_start(m), 1e-14);
}

TEST_P(every_method, a_step_in_double_allocates_nothing) {
  const model m = testing::read_suited(GetParam(), {testing::double_pendulum_in_cartesian, testing::henon_heiles});
  const integrator<double> flow(m.system, {.method = GetParam(), .step = 0.01});
  const auto workspace = flow.make_workspace();
  phase_state<double> state = flow.at_start(m);
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(workspace->advance(state));  // until all that is worth it is compiled
  const testing::allocation_count allocations;
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(workspace->advance(state));
  EXPECT_EQ(allocations.since_start(), 0u);
}

// The functions of MPFR itself allocate, apart from sines and cosines.
TEST_P(every_method, a_galerkin_step_at_64_digits_allocates_nothing) {
  if (!find_method(GetParam())->scheme) GTEST_SKIP() << "no Galerkin method";
  const precision_scope scope(64);
  for (const char* text : {testing::double_pendulum_in_angles, testing::henon_heiles}) {
    const model m = testing::read(text);
    const integrator<multi> flow(m.system, {.method = GetParam(), .step = multi(1) / 100});
    const auto workspace = flow.make_workspace();
    phase_state<multi> state = flow.at_start(m);
    for (int k = 0; k < 30; ++k) ASSERT_TRUE(workspace->advance(state));
    const testing::allocation_count allocations;
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(workspace->advance(state));
    EXPECT_EQ(allocations.since_start(), 0u);
  }
}

TEST_P(every_method, history_makes_a_fresh_workspace_go_on_bit_for_bit_at_50_digits) {
  const precision_scope scope(50);
  const model m = testing::read_suited(GetParam(), {testing::forced_system, testing::henon_heiles});
  const integrator<multi> flow(m.system, {.method = GetParam(), .step = multi(1) / 50});
  const auto workspace = flow.make_workspace(), resumed = flow.make_workspace();
  phase_state<multi> state = flow.at_start(m);
  for (int k = 0; k < 7; ++k) ASSERT_TRUE(workspace->advance(state));
  phase_state<multi> copy = state;
  resumed->restore_history(workspace->history());
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    ASSERT_TRUE(resumed->advance(copy));
    ASSERT_EQ(state.position.value, copy.position.value) << k;
    ASSERT_EQ(state.momentum.remainder, copy.momentum.remainder) << k;
  }
}

TEST_P(every_method, dense_output_meets_the_ends_and_follows_the_motion_between) {
  const model m = testing::read_suited(GetParam(), {testing::double_pendulum_in_angles, testing::henon_heiles});
  const integrator<double> flow(m.system, {.method = GetParam(), .step = 0.01});
  const auto workspace = flow.make_workspace();
  phase_state<double> state = flow.at_start(m);
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(workspace->advance(state));
  const std::vector<double> left = state.position.value;
  ASSERT_TRUE(workspace->advance(state));
  std::vector<double> q(2);
  workspace->interpolate(0.0, q);
  EXPECT_NEAR(q[0], left[0], 1e-15);
  workspace->interpolate(1.0, q);
  EXPECT_NEAR(q[1], state.position[1], 1e-15);
  workspace->interpolate(0.5, q);
  const integrator<double> half = flow.with_step(0.005);
  phase_state<double> truth = flow.at_start(m);
  run(half, truth, 11);
  EXPECT_NEAR(q[0], truth.position[0],
              flow.method().traits.order == 1   ? 1e-2
              : flow.method().traits.order == 2 ? 1e-3
                                                : 1e-6);
}

TEST_P(every_method, history_makes_a_fresh_workspace_go_on_bit_for_bit) {
  const model m = testing::read_suited(GetParam(), {testing::double_pendulum_in_angles, testing::henon_heiles});
  const integrator<double> flow(m.system, {.method = GetParam(), .step = 0.02});
  const auto workspace = flow.make_workspace(), resumed = flow.make_workspace();
  phase_state<double> state = flow.at_start(m);
  for (int k = 0; k < 17; ++k) ASSERT_TRUE(workspace->advance(state));
  phase_state<double> copy = state;
  resumed->restore_history(workspace->history());
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    ASSERT_TRUE(resumed->advance(copy));
    ASSERT_EQ(state.position.value, copy.position.value) << k;
    ASSERT_EQ(state.momentum.remainder, copy.momentum.remainder) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(catalogue, every_method, ::testing::ValuesIn(all_methods()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(velocity_state, rk4_tangent_map_is_the_derivative_of_its_step) {
  const model m = testing::read(testing::forced_system);
  const integrator<quad> flow(m.system, {.method = "rk4", .step = quad(0.2), .velocity_state = true});
  testing::expect_tangent_map(flow, flow.at_start(m), 1e-14);
}

// Velocities and momenta describe the same motion; with a position-dependent mass the two discretisations differ at
// the method's order.
TEST(velocity_state, rk4_converges_to_the_same_motion) {
  const model m = testing::read(testing::double_pendulum_in_angles);
  double previous = 0;
  for (const double h : {0.01, 0.005}) {
    const integrator<double> momenta(m.system, {.method = "rk4", .step = h});
    const integrator<double> velocities(m.system, {.method = "rk4", .step = h, .velocity_state = true});
    phase_state<double> a = momenta.at_start(m), b = velocities.at_start(m);
    run(momenta, a, steps_until(1.0, h));
    run(velocities, b, steps_until(1.0, h));
    const double apart = std::abs(a.position[0] - b.position[0]);
    EXPECT_GT(apart, 0);
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / apart), 4, 0.5);
    }
    previous = apart;
  }
}

TEST(solar_system_size, a_step_with_144_unknowns_allocates_nothing) {
  lagrangian_system system;
  system.name = "lattice";
  expr L(0);
  for (int k = 0; k < 18; ++k) system.coordinates.push_back(expr::symbol("x" + std::to_string(k)));
  for (int k = 0; k < 18; ++k) {
    const expr v = velocity_symbol(system.coordinates[k]);
    L += v * v / 2 - exp(system.coordinates[(k + 1) % 18] - system.coordinates[k]);
  }
  system.lagrangian = L;
  const integrator<double> flow(system, {.method = "gauss-8", .step = 0.1});
  phase_state<double> state = flow.at_momentum(std::vector<double>(18, 0.1), [] {
    std::vector<double> p(18, 0.0);
    p[3] = 1;
    return p;
  }());
  const auto workspace = flow.make_workspace();
  ASSERT_TRUE(workspace->advance(state));
  const testing::allocation_count allocations;
  ASSERT_TRUE(workspace->advance(state));
  EXPECT_EQ(allocations.since_start(), 0u);
}

}  // namespace
}  // namespace actio
