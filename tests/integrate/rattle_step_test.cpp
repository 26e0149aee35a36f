#include "actio/integrate/rattle_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/integrator.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/constrained_systems.hpp"

namespace actio {
namespace {

using testing::hanging_chain;

constexpr galerkin_scheme trapezoidal{1, node_family::lobatto, 2};

// A square of rods on one fixed point, with masses that differ and springs across.
constexpr const char* square = R"toml(
coordinates = ["x[1..4]", "y[1..4]"]
lagrangian = "sum(i = 1..4, i/2*(x[i]'^2 + y[i]'^2) - 9.81*i*y[i] - y[i]^4/40) - ((x[4]-x[2])^2 + (y[4]-y[2])^2 - 1)^2"
[constraints]
fixed = "x[1]^2 + (y[1]-1)^2 - 1"
"side[i = 1..3]" = "(x[i+1]-x[i])^2 + (y[i+1]-y[i])^2 - 1"
closing = "(x[4]-x[1])^2 + (y[4]-y[1])^2 - 1"
[initial.position]
x = [0, 0.8, 0.6, -0.2]
y = [0, -0.6, "-0.6 - sqrt(0.96)", "-sqrt(0.96)"]
)toml";

template <class S>
S largest_difference(const std::vector<S>& a, const std::vector<S>& b) {
  using std::abs;
  S result(0);
  for (std::size_t k = 0; k < a.size(); ++k) result = std::max<S>(result, abs(S(a[k] - b[k])));
  return result;
}

// Steps that Newton's method from the multipliers of earlier ones solves, and steps that are too long for it.
template <class S>
void expect_general_solutions(const model& m, const S& step, int steps, const S& tolerance) {
  const integrator<S> flow(m.system, {.method = "verlet", .step = step});
  const auto workspace = flow.make_workspace();
  ASSERT_NE(dynamic_cast<rattle_step<S>*>(workspace.get()), nullptr);
  phase_state<S> state = flow.at_start(m), other = state;
  constrained_step<S> general(trapezoidal, {.space = flow.space(), .step = step});
  for (int k = 0; k < steps; ++k) {
    const bool moved = static_cast<bool>(workspace->advance(state));
    ASSERT_EQ(moved, static_cast<bool>(general.advance(other))) << k;
    if (!moved) return;
    ASSERT_EQ(state.time, other.time);
    EXPECT_LE(largest_difference<S>(state.position.value, other.position.value), tolerance) << k;
    EXPECT_LE(largest_difference<S>(state.momentum.value, other.momentum.value), S(10) * tolerance) << k;
  }
}

TEST(rattle_step, has_the_solutions_of_the_general_step) {
  const model rod = parse_model(testing::rod_in_the_plane, "m.toml");
  expect_general_solutions<double>(rod, 0.01, 100, 1e-13);
  expect_general_solutions<quad>(rod, quad(0.01), 30, quad("1e-31"));
  expect_general_solutions<double>(hanging_chain(3), 0.005, 100, 1e-12);
  expect_general_solutions<double>(hanging_chain(40), 0.005, 100, 1e-10);
  expect_general_solutions<quad>(hanging_chain(5), quad(0.005), 30, quad("1e-29"));
}

TEST(rattle_step, has_them_in_loops) {
  expect_general_solutions<double>(parse_model(square, "square.toml"), 0.005, 100, 1e-10);
}

TEST(rattle_step, leaves_long_steps_to_the_general_step) {
  const model rod = parse_model(testing::rod_in_the_plane, "m.toml");
  for (const double h : {0.3, 0.6, 1.0, 2.0}) expect_general_solutions<double>(rod, h, 20, 1e-9);
}

TEST(rattle_step, takes_one_iteration_where_motion_is_smooth) {
  const integrator<double> flow(hanging_chain(200).system, {.method = "verlet", .step = 0.001});
  phase_state<double> state = flow.at_start(hanging_chain(200));
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(workspace->advance(state));
  EXPECT_EQ(workspace->advance(state).iterations, 1);
}

// With memories of the extrapolation, and of the general step while it is in use.
TEST(rattle_step, goes_on_bit_for_bit_in_a_fresh_workspace) {
  for (const auto& [m, h] :
       {std::pair(hanging_chain(30), 0.005), std::pair(hanging_chain(3), 0.2), std::pair(hanging_chain(3), 0.4)}) {
    const integrator<double> flow(m.system, {.method = "verlet", .step = h});
    phase_state<double> state = flow.at_start(m);
    const auto first = flow.make_workspace(), second = flow.make_workspace();
    for (int k = 0; k < 5; ++k) first->advance(state);
    second->restore_history(first->history());
    phase_state<double> other = state;
    for (int k = 0; k < 30; ++k) {
      const bool moved = static_cast<bool>(first->advance(state));
      ASSERT_EQ(moved, static_cast<bool>(second->advance(other)));
      if (!moved) break;
      EXPECT_EQ(state.position.value, other.position.value);
      EXPECT_EQ(state.momentum.value, other.momentum.value);
    }
    EXPECT_THROW(second->restore_history({}), snapshot_error);
  }
}

TEST(rattle_step, allocates_nothing) {
  const model m = hanging_chain(30);
  const integrator<double> flow(m.system, {.method = "verlet", .step = 0.005});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(workspace->advance(state));
  EXPECT_EQ(testing::allocations_in([&] {
              for (int k = 0; k < 20; ++k) workspace->advance(state);
            }),
            0U);
}

TEST(rattle_step, follows_parameters_and_lengths) {
  const model m = hanging_chain(5);
  const integrator<double> flow(m.system, {.method = "verlet", .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(workspace->advance(state));
  std::vector<double> values(flow.space().parameters().values().begin(), flow.space().parameters().values().end());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (flow.space().system().parameters[k].name == "g") values[k] = 1.62;
  }
  workspace->set_parameters(values);
  workspace->set_step(0.004);
  phase_state<double> other = state;
  constrained_step<double> general(trapezoidal, {.space = workspace->space(), .step = 0.004});
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    ASSERT_TRUE(general.advance(other));
    EXPECT_LE(largest_difference<double>(state.position.value, other.position.value), 1e-13);
  }
}

// A mass matrix that varies, one that is singular, forces that know velocities, constraints that move.
TEST(rattle_step, is_for_constant_masses_and_forces_of_positions) {
  for (const char* text : {testing::driven_rod, testing::rigid_body}) {
    const model m = parse_model(text, "m.toml");
    const integrator<double> flow(m.system, {.method = "verlet", .step = 0.01});
    EXPECT_EQ(dynamic_cast<rattle_step<double>*>(flow.make_workspace().get()), nullptr);
  }
}

}  // namespace
}  // namespace actio
