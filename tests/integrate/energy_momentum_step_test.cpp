#include "actio/integrate/energy_momentum_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/analysis/verification.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/constrained_systems.hpp"

namespace actio {
namespace {

constexpr const char* name = "energy-momentum";

const model& verification_system(const std::string& wanted) {
  for (const model& m : verification_systems()) {
    if (m.system.name == wanted) return m;
  }
  throw std::logic_error(wanted);
}

// The middle of the step and its difference quotients, from two states of a run in quad.
struct quad_step {
  explicit quad_step(const model& m, const quad& h)
      : flow(m.system, {.method = name, .step = h}), before(flow.at_start(m)) {
    const auto workspace = flow.make_workspace();
    for (int k = 0; k < 3; ++k) solved = solved && workspace->advance(before);
    after = before;
    solved = solved && workspace->advance(after);
  }
  integrator<quad> flow;
  phase_state<quad> before, after;
  bool solved = true;
};

// Against central differences with more digits than are compared; the map is defined off the constraints as well.
TEST(energy_momentum_step, has_the_derivative_of_its_step) {
  for (const char* system : {"magnetic well", "central field", "relativistic oscillator",
                             "varying mass on an ellipsoid", "top in quaternions"}) {
    const model& m = verification_system(system);
    const integrator<quad> flow(m.system, {.method = name, .step = quad(0.1)});
    phase_state<quad> start = flow.at_start(m);
    ASSERT_TRUE(flow.make_workspace()->advance(start));
    const matrix<quad> tangent = flow.make_workspace()->tangent_map(start);
    const std::size_t n = m.system.size();
    ASSERT_EQ(tangent.rows(), 2 * n) << system;
    const quad d("1e-11");
    for (std::size_t j = 0; j < 2 * n; ++j) {
      phase_state<quad> above = start, below = start;
      (j < n ? above.position : above.momentum).value[j % n] += d;
      (j < n ? below.position : below.momentum).value[j % n] -= d;
      ASSERT_TRUE(flow.make_workspace()->advance(above));
      ASSERT_TRUE(flow.make_workspace()->advance(below));
      for (std::size_t i = 0; i < 2 * n; ++i) {
        const quad high = (i < n ? above.position : above.momentum)[i % n];
        const quad low = (i < n ? below.position : below.momentum)[i % n];
        EXPECT_NEAR(to_double(tangent(i, j)), to_double(quad((high - low) / (2 * d))), 1e-12)
            << system << " " << i << " " << j;
      }
    }
  }
}

// For L = v²/2 − V(r) the discrete gradient is that of Gonzalez for an invariant potential: ΔV/Δ(r²) times q_0 + q_1.
TEST(energy_momentum_step, is_the_discrete_gradient_of_a_central_potential) {
  const quad h("0.1");
  const quad_step step(verification_system("central field"), h);
  ASSERT_TRUE(step.solved);
  const auto square = [](const phase_state<quad>& s) {
    return quad(s.position[0] * s.position[0] + s.position[1] * s.position[1]);
  };
  const auto potential = [](const quad& s) { return quad(s / 2 + s * s / 3); };
  const quad s0 = square(step.before), s1 = square(step.after);
  const quad slope = (potential(s1) - potential(s0)) / (s1 - s0);
  for (std::size_t i = 0; i < 2; ++i) {
    const quad dq = step.after.position[i] - step.before.position[i];
    const quad dp = step.after.momentum[i] - step.before.momentum[i];
    EXPECT_NEAR(to_double(quad(dq / h - (step.after.momentum[i] + step.before.momentum[i]) / 2)), 0, 1e-30);
    EXPECT_NEAR(to_double(quad(dp + h * slope * (step.after.position[i] + step.before.position[i]))), 0, 1e-29);
  }
}

// With linear potential and quadratic constraints nothing but the constraints' gradient at the middle acts in a step.
TEST(energy_momentum_step, holds_quadratic_constraints_by_their_gradient_in_the_middle) {
  const model m = load_model("double-spherical-pendulum");
  const quad_step step(m, quad("0.001"));
  ASSERT_TRUE(step.solved);
  std::vector<quad> off(6), middle(6);
  const quad h("0.001"), mass[] = {2, 2, 2, quad(7) / 2, quad(7) / 2, quad(7) / 2};
  for (std::size_t i = 0; i < 6; ++i) {
    middle[i] = (step.after.position[i] + step.before.position[i]) / 2;
    const quad fall = i % 3 == 2 ? quad(mass[i] * quad("9.81")) : quad(0);
    off[i] = (step.after.momentum[i] - step.before.momentum[i]) / h + fall;
  }
  // off = 2 λ_1 (q_1, 0) + 2 λ_2 (q_1 − q_2, q_2 − q_1), but for ν = O(h²)
  const quad lower = off[5] / (middle[5] - middle[2]), upper = (off[2] + off[5]) / middle[2];
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(to_double(quad(off[3 + i] - lower * (middle[3 + i] - middle[i]))), 0, 1e-3);
    EXPECT_NEAR(to_double(quad(off[i] + off[3 + i] - upper * middle[i])), 0, 1e-3);
  }
  EXPECT_GT(std::abs(to_double(lower)), 1);
}

TEST(energy_momentum_step, keeps_the_energy_of_the_double_spherical_pendulum) {
  const model m = load_model("double-spherical-pendulum");
  for (const double h : {1e-4, 1e-2, 0.1}) {
    const integrator<double> flow(m.system, {.method = name, .step = h});
    phase_state<double> state = flow.at_start(m);
    const run_report<double> report = run(flow, state, 10'000);
    ASSERT_EQ(report.status, run_status::done) << report.reason;
    EXPECT_LT(report.energy.max_relative_error * report.energy.initial, 1e-11);
    EXPECT_LT(report.momenta.at(0).max_error, 1e-11);
    EXPECT_LT(report.constraints.max_violation, 1e-13);
    EXPECT_LT(report.constraints.max_hidden_violation, 1e-12);
  }
}

// Every built-in system that has an energy, apsides, turning points and points of rest among them.
TEST(energy_momentum_step, keeps_energy_and_linear_momenta_of_every_problem) {
  int seen = 0;
  for (const problem& p : problem_catalogue()) {
    const model m = load_model(std::string(p.name));
    const method& energy_momentum = *find_method(name);
    if (!suits(energy_momentum, m.system) || m.system.time_scale) continue;
    ++seen;
    const double h = quantity_value<double>(m.system, parse_quantity(m, *m.run.find("step")));
    const integrator<double> flow(m.system, {.method = name, .step = h});
    phase_state<double> state = flow.at_start(m);
    // Bodies in quaternions are left out: where a body is free, its symmetries leave no direction for the correction.
    lagrangian_system ambient = m.system;
    ambient.constraints.clear();
    const phase_space<double> space(ambient, flow.space().parameters());
    const std::vector<double> rest(m.system.size(), 0.0);
    if (phase_point<double>(space).mass_pivot_ratio(state.time, state.position.value, rest) < 1e-12) continue;
    const run_report<double> report = run(flow, state, 500);
    ASSERT_EQ(report.status, run_status::done) << p.name << ": " << report.reason;
    EXPECT_LT(report.energy.max_relative_error, 1e-12) << p.name;
    for (const auto& momentum : report.momenta) {
      EXPECT_LT(momentum.max_error, 1e-12) << p.name << " " << momentum.name;
    }
  }
  EXPECT_GE(seen, 20);
}

constexpr const char* circle = R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) + 1/sqrt(x^2 + y^2)"
[symmetries.angular_momentum]
x = "-y"
y = "x"
[initial.position]
x = 1
y = 0
[initial.velocity]
x = 0
y = 1
)toml";

// On a circular orbit the energy is the least that goes with the momentum, and no force along the path can mend it.
TEST(energy_momentum_step, stays_on_a_circular_orbit) {
  const model m = parse_model(circle, "m.toml");
  const integrator<double> flow(m.system, {.method = name, .step = 0.05});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 20'000);
  ASSERT_EQ(report.status, run_status::done) << report.reason;
  EXPECT_LT(report.energy.max_relative_error, 1e-12);
  EXPECT_NEAR(std::hypot(state.position[0], state.position[1]), 1, 2e-3);
}

// Rotations about all axes: the generators of one particle are dependent.
TEST(energy_momentum_step, keeps_all_angular_momenta_of_a_particle_in_space) {
  const model m = parse_model(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "1/2*m*(x'^2 + y'^2 + z'^2) - exp(-(x^2 + y^2 + z^2)/a)*k"
[parameters]
m = 2
a = 3
k = -4
[symmetries.around_x]
y = "-z"
z = "y"
[symmetries.around_y]
z = "-x"
x = "z"
[symmetries.around_z]
x = "-y"
y = "x"
[initial.position]
x = 1
y = 0.2
z = -0.3
[initial.velocity]
x = 0.1
y = 0.6
z = 0.2
)toml",
                              "m.toml");
  const integrator<double> flow(m.system, {.method = name, .step = 0.2});
  phase_state<double> state = flow.at_start(m);
  const run_report<double> report = run(flow, state, 5000);
  ASSERT_EQ(report.status, run_status::done) << report.reason;
  EXPECT_LT(report.energy.max_relative_error, 1e-13);
  for (const auto& momentum : report.momenta) EXPECT_LT(momentum.max_error, 1e-12);
}

TEST(energy_momentum_step, keeps_fifty_digits) {
  const precision_scope scope(50);
  const model m = load_model("double-spherical-pendulum");
  const integrator<multi> flow(m.system, {.method = name, .step = multi("0.01")});
  phase_state<multi> state = flow.at_start(m);
  const run_report<multi> report = run(flow, state, 100);
  ASSERT_EQ(report.status, run_status::done) << report.reason;
  EXPECT_LT(report.energy.max_relative_error, 1e-46);
  EXPECT_LT(to_double(report.constraints.max_violation), 1e-45);
}

TEST(energy_momentum_step, allocates_nothing) {
  for (const char* system : {"magnetic well", "varying mass on an ellipsoid"}) {
    const model& m = verification_system(system);
    const integrator<double> flow(m.system, {.method = name, .step = 0.05});
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(workspace->advance(state));
    EXPECT_EQ(testing::allocations_in([&] {
                for (int k = 0; k < 20; ++k) workspace->advance(state);
              }),
              0U);
  }
}

TEST(energy_momentum_step, goes_on_bit_for_bit_in_a_fresh_workspace) {
  const model& m = verification_system("varying mass on an ellipsoid");
  const integrator<double> flow(m.system, {.method = name, .step = 0.05});
  phase_state<double> state = flow.at_start(m);
  const auto first = flow.make_workspace(), second = flow.make_workspace();
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(first->advance(state));
  second->restore_history(first->history());
  phase_state<double> other = state;
  first->tangent_map(flow.at_start(m));  // leaves no trace
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(first->advance(state));
    ASSERT_TRUE(second->advance(other));
    EXPECT_EQ(state.position.value, other.position.value);
    EXPECT_EQ(state.momentum.value, other.momentum.value);
  }
  EXPECT_THROW(second->restore_history(std::vector<double>(2)), snapshot_error);
}

TEST(energy_momentum_step, says_when_it_cannot_reach_the_constraints) {
  const model m = parse_model(testing::rod_in_the_plane, "m.toml");
  const integrator<double> flow(m.system, {.method = name, .step = 50.0});
  phase_state<double> state = flow.at_start(m);
  const phase_state<double> start = state;
  const run_report<double> report = run(flow, state, 10);
  EXPECT_EQ(report.status, run_status::failed);
  EXPECT_EQ(state.position.value, start.position.value);
  EXPECT_FALSE(report.suggestion.empty());
}

TEST(horizontal_part, is_orthogonal_to_the_symmetries_and_has_its_own_slopes) {
  const model m = load_model("outer-solar-system");
  const phase_space<quad> space(m.system, parameter_values<quad>(m.system));
  horizontal_part<quad> part(space);
  const std::size_t n = m.system.size();
  EXPECT_EQ(part.generators(), m.system.symmetries.size());
  std::vector<quad> q(n), v(n);
  for (std::size_t i = 0; i < n; ++i) {
    q[i] = sin(quad(static_cast<double>(3 * i + 1)));
    v[i] = cos(quad(static_cast<double>(2 * i)));
  }
  matrix<quad> by_position(n, n), by_velocity(n, n);
  part.evaluate(q, v);
  part.slopes(by_position, by_velocity);
  const quad d("1e-12");
  for (std::size_t j = 0; j < n; ++j) {
    for (const bool moves_position : {true, false}) {
      std::vector<quad> high, low;
      quad& moved = (moves_position ? q : v)[j];
      const quad middle = moved;
      moved = middle + d;
      part.evaluate(q, v);
      high.assign(part.value().begin(), part.value().end());
      moved = middle - d;
      part.evaluate(q, v);
      low.assign(part.value().begin(), part.value().end());
      moved = middle;
      for (std::size_t i = 0; i < n; ++i) {
        const quad slope = (moves_position ? by_position : by_velocity)(i, j);
        EXPECT_NEAR(to_double(slope), to_double(quad((high[i] - low[i]) / (2 * d))), 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace actio
