#include "actio/integrate/constrained_step.hpp"

#include <gtest/gtest.h>

#include "actio/analysis/verification.hpp"
#include "actio/integrate/catalogue.hpp"
#include "actio/simulate/run.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/constrained_systems.hpp"

namespace actio {
namespace {

model driven_rod() { return parse_model(testing::driven_rod, "m.toml"); }
model rod_in_the_plane() { return parse_model(testing::rod_in_the_plane, "m.toml"); }

class constrained_method : public ::testing::TestWithParam<std::string> {};

// Against central differences with more digits than are compared, off the constraints as well.
TEST_P(constrained_method, has_the_derivative_of_its_step) {
  for (const char* text : {testing::driven_rod, testing::rigid_body}) {
    const model m = parse_model(text, "m.toml");
    const integrator<quad> flow(m.system, {.method = GetParam(), .step = quad(0.1)});
    phase_state<quad> start = flow.at_start(m);
    ASSERT_TRUE(flow.make_workspace()->advance(start));
    const matrix<quad> tangent = flow.make_workspace()->tangent_map(start);
    const std::size_t n = m.system.size();
    ASSERT_EQ(tangent.rows(), 2 * n);
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
        EXPECT_NEAR(to_double(tangent(i, j)), to_double(quad((high - low) / (2 * d))), 1e-13) << i << " " << j;
      }
    }
  }
}

TEST_P(constrained_method, stays_on_the_constraints_to_rounding) {
  const model m = parse_model(testing::rigid_body, "m.toml");
  for (const double h : {1e-4, 1e-2, 0.1}) {
    const integrator<double> flow(m.system, {.method = GetParam(), .step = h});
    phase_state<double> state = flow.at_start(m);
    const run_report<double> report = run(flow, state, 1000);
    ASSERT_EQ(report.status, run_status::done);
    EXPECT_LT(report.constraints.max_violation, 1e-15);
    EXPECT_LT(report.constraints.max_hidden_violation, 1e-13);
  }
}

TEST_P(constrained_method, allocates_nothing) {
  const model m = driven_rod();
  const integrator<double> flow(m.system, {.method = GetParam(), .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(workspace->advance(state));
  EXPECT_EQ(testing::allocations_in([&] {
              for (int k = 0; k < 20; ++k) workspace->advance(state);
            }),
            0U);
}

TEST_P(constrained_method, goes_on_bit_for_bit_in_a_fresh_workspace) {
  const model m = driven_rod();
  const integrator<double> flow(m.system, {.method = GetParam(), .step = 0.05});
  phase_state<double> state = flow.at_start(m);
  const auto first = flow.make_workspace(), second = flow.make_workspace();
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(first->advance(state));
  second->restore_history(first->history());
  phase_state<double> other = state;
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(first->advance(state));
    ASSERT_TRUE(second->advance(other));
    EXPECT_EQ(state.position.value, other.position.value);
    EXPECT_EQ(state.momentum.value, other.momentum.value);
    EXPECT_EQ(first->work(), second->work());
  }
  EXPECT_THROW(second->restore_history({}), snapshot_error);
}

TEST_P(constrained_method, has_dense_output_between_its_ends) {
  const model m = rod_in_the_plane();
  const integrator<double> flow(m.system, {.method = GetParam(), .step = 0.1});
  phase_state<double> state = flow.at_start(m);
  const std::vector<double> left = state.position.value;
  const auto workspace = flow.make_workspace();
  ASSERT_TRUE(workspace->advance(state));
  std::vector<double> q(2);
  workspace->interpolate(0, q);
  EXPECT_EQ(q, left);
  workspace->interpolate(1, q);
  EXPECT_EQ(q, state.position.value);
  workspace->interpolate(0.5, q);
  EXPECT_NEAR(std::hypot(q[0], q[1]), 2, 1e-2);
}

// Where multipliers are extrapolated and constraints hardly turn in a step, nothing is left after one update; what is
// said of the end is right to rounding all the same.
TEST(constrained_step, ends_long_chains_with_one_update) {
  for (const int n : {10, 300, 3000}) {
    const model m = testing::hanging_chain(n);
    const integrator<double> flow(m.system, {.method = "simpson", .step = 0.001});
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    int iterations = 0;
    for (int k = 0; k < 60; ++k) {
      const step_status status = workspace->advance(state);
      ASSERT_TRUE(status);
      if (k >= 30) iterations += status.iterations;
    }
    EXPECT_LE(iterations, 33) << n;
    phase_point<double> point(flow.space());
    ASSERT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
    EXPECT_LE(point.constraint_violation(), 4e-16 * n + 1e-13) << n;
    EXPECT_LE(point.hidden_violation(), 1e-11) << n;
  }
}

// A constraint that moves and a force that dissipates: what they give must be what the energy gains.
TEST_P(constrained_method, keeps_a_ledger_of_forces_and_moving_constraints) {
  const model m = driven_rod();
  double coarse = 0;
  for (const double h : {0.02, 0.01}) {
    const integrator<double> flow(m.system, {.method = GetParam(), .step = h});
    phase_state<double> state = flow.at_start(m);
    const run_report<double> report = run(flow, state, static_cast<std::size_t>(2 / h));
    ASSERT_EQ(report.status, run_status::done);
    EXPECT_TRUE(report.energy.supplied);
    EXPECT_GT(std::abs(report.energy.work), 0.01);
    if (coarse > 1e-13) {
      EXPECT_LT(report.energy.max_relative_error, coarse / (flow.method().traits.order == 1 ? 1.7 : 3.5));
    }
    coarse = report.energy.max_relative_error;
  }
}

INSTANTIATE_TEST_SUITE_P(catalogue, constrained_method,
                         ::testing::Values("verlet", "midpoint", "simpson", "lobatto-4", "lobatto-5", "euler-a"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// RATTLE for m q'' = −m g e_y + 2 λ q: half a kick with a force that ends on the circle, a drift, half a kick with a
// force that ends along it; the multipliers solve quadratic and linear equations.
TEST(constrained_step, is_rattle_where_the_mass_is_constant) {
  const model m = rod_in_the_plane();
  const double h = 0.05, mass = 1.5, l = 2, g = 9.81;
  const integrator<double> flow(m.system, {.method = "verlet", .step = h});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  double x = state.position[0], y = state.position[1], u = state.momentum[0] / mass, v = state.momentum[1] / mass;
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    const double freex = x + h * u, freey = y + h * v - h * h * g / 2;  // and then + s (x, y) to reach the circle
    const double a = l * l, b = freex * x + freey * y, c = freex * freex + freey * freey - l * l;
    const double s = -c / (b + std::sqrt(b * b - a * c));
    const double newx = freex + s * x, newy = freey + s * y;
    double newu = (newx - x) / h, newv = (newy - y) / h - h * g / 2;
    const double off = (newu * newx + newv * newy) / (l * l);
    newu -= off * newx;
    newv -= off * newy;
    x = newx, y = newy, u = newu, v = newv;
    EXPECT_NEAR(state.position[0], x, 1e-13);
    EXPECT_NEAR(state.position[1], y, 1e-13);
    EXPECT_NEAR(state.momentum[0], mass * u, 1e-12);
    EXPECT_NEAR(state.momentum[1], mass * v, 1e-12);
  }
}

// [marsden1997, eq. 45, 46] with the midpoint rule: D2 L_d(q0, q1) + D1 L_d(q1, q2) is normal to the constraint at q1.
TEST(constrained_step, solves_the_discrete_equations_of_the_midpoint_rule) {
  const model m = parse_model(testing::rigid_body, "m.toml");
  const quad h("0.05");
  const integrator<quad> flow(m.system, {.method = "midpoint", .step = h});
  phase_state<quad> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  jet_evaluation<quad> jet = flow.space().jet().at(1, flow.space().parameters());
  std::vector<std::vector<quad>> q{state.position.value};
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(workspace->advance(state));
    q.push_back(state.position.value);
  }
  const auto middle = [&](std::size_t k) {
    for (std::size_t i = 0; i < 4; ++i) {
      *jet.position(i) = (q[k][i] + q[k + 1][i]) / 2;
      *jet.velocity(i) = (q[k + 1][i] - q[k][i]) / h;
    }
    jet.evaluate_first();
  };
  for (std::size_t k = 1; k < 5; ++k) {
    std::vector<quad> sum(4);
    middle(k - 1);
    for (std::size_t i = 0; i < 4; ++i) sum[i] += h / 2 * *jet.force(i) + *jet.momentum(i);
    middle(k);
    for (std::size_t i = 0; i < 4; ++i) sum[i] += h / 2 * *jet.force(i) - *jet.momentum(i);
    quad along = 0, length = 0;
    for (std::size_t i = 0; i < 4; ++i) along += sum[i] * q[k][i], length += q[k][i] * q[k][i];
    EXPECT_NEAR(to_double(length), 1, 1e-32);
    EXPECT_GT(std::abs(to_double(along)), 1e-6);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(to_double(quad(sum[i] - along * q[k][i])), 0, 1e-30);
  }
}

TEST(constrained_step, has_multipliers_that_converge_to_the_force) {
  const model m = rod_in_the_plane();
  double before = 0;
  for (const double h : {0.02, 0.01}) {
    const integrator<double> flow(m.system, {.method = "simpson", .step = h});
    constrained_step<double> step({2, node_family::lobatto, 3}, {flow.space(), h});
    phase_state<double> state = flow.at_start(m);
    while (state.time < 0.3) ASSERT_TRUE(step.advance(state));
    phase_point<double> point(flow.space());
    ASSERT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
    ASSERT_EQ(step.multipliers().size(), 3U);
    const double off = std::abs(step.multipliers()[2] - point.multipliers()[0]);
    EXPECT_LT(off, 0.2);
    if (before > 0) {
      EXPECT_LT(off, 0.7 * before);
    }
    before = off;
  }
}

// A slider and its crank, joined by a rod without mass whose angle is a coordinate without kinetic energy.
TEST(constrained_step, holds_coordinates_that_have_no_kinetic_energy) {
  const lagrangian_system system = lagrangian_system::from(
      "slider and crank", {"theta", "s", "phi"}, [](auto, auto v) { return v[0] * v[0] + v[1] * v[1] / 2; },
      [](auto q) {
        return std::vector<named_expr>{{"along", cos(q[0]) + 3 * cos(q[2]) - q[1]},
                                       {"across", sin(q[0]) + 3 * sin(q[2])}};
      });
  const integrator<double> flow(system, {.method = "simpson", .step = 0.05});
  phase_state<double> state = flow.at_velocity({0, 4, 0}, {1, 0, -1.0 / 3});
  const run_report<double> report = run(flow, state, 400);
  ASSERT_EQ(report.status, run_status::done);
  EXPECT_LT(report.constraints.max_violation, 1e-14);
  EXPECT_LT(report.energy.max_relative_error, 1e-6);
  EXPECT_NEAR(state.momentum[2], 0, 1e-14);
}

// As many constraints as coordinates leave a motion that is given: the integrator follows it, and its work is known.
TEST(constrained_step, follows_a_motion_that_is_given_altogether) {
  const lagrangian_system system = lagrangian_system::from(
      "guided", {"x", "y"}, [](auto q, auto v) { return (v[0] * v[0] + v[1] * v[1]) / 2 - q[1]; },
      [](auto q) {
        return std::vector<named_expr>{{"drive", q[0] - sin(time_symbol())}, {"wire", q[1] - q[0] * q[0]}};
      });
  const integrator<double> flow(system, {.method = "lobatto-4", .step = 0.1});
  phase_state<double> state = flow.at_velocity({0, 0}, {1, 0});
  const run_report<double> report = run(flow, state, 30);
  ASSERT_EQ(report.status, run_status::done);
  EXPECT_NEAR(state.position[0], std::sin(3.0), 1e-15);
  EXPECT_NEAR(state.momentum[0], std::cos(3.0), 1e-14);
  EXPECT_LT(report.energy.max_relative_error, 1e-8);
}

TEST(constrained_step, says_when_it_cannot_reach_the_constraints) {
  const model m = rod_in_the_plane();
  const integrator<double> flow(m.system, {.method = "verlet", .step = 5.0});
  phase_state<double> state = flow.at_start(m);
  const phase_state<double> start = state;
  const run_report<double> report = run(flow, state, 10);
  EXPECT_EQ(report.status, run_status::failed);
  EXPECT_EQ(report.failure, step_code::no_convergence);
  EXPECT_EQ(report.steps, 0U);
  EXPECT_EQ(state.position.value, start.position.value);
  EXPECT_NE(report.reason.find("step 1 at t = 0 could not reach the constraints"), std::string::npos) << report.reason;
  EXPECT_NE(report.suggestion.find("try step = "), std::string::npos) << report.suggestion;
}

TEST(constrained_methods, have_control_points_at_their_nodes_or_discrete_gradients) {
  const lagrangian_system system = rod_in_the_plane().system;
  for (const method& m : method_catalogue()) {
    const bool lobatto =
        m.scheme && m.scheme->quadrature == node_family::lobatto && m.scheme->points == m.scheme->degree + 1;
    const bool straight = m.scheme && m.scheme->degree == 1;
    const bool discrete_gradient = m.name == "energy-momentum";
    EXPECT_EQ(m.holds_constraints, lobatto || straight || discrete_gradient) << m.name;
    EXPECT_EQ(suits(m, system), m.holds_constraints) << m.name;
  }
}

// Of the vectors tangent to phase space only those along the constraints keep their areas.
TEST(constrained_directions, span_the_constrained_phase_space) {
  const model m = parse_model(testing::rigid_body, "m.toml");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.1});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  ASSERT_TRUE(workspace->advance(state));
  const matrix<double> directions = constrained_directions(flow.space(), state);
  double largest = 0;
  for (std::size_t j = 0; j < 8; ++j) {
    double off = 0, hidden = 0;  // q·dq, and d(q·p) = 0 since momenta of this body are normal to q
    for (std::size_t i = 0; i < 4; ++i) {
      off += state.position[i] * directions(i, j);
      hidden += state.momentum[i] * directions(i, j) + state.position[i] * directions(4 + i, j);
      largest = std::max(largest, std::abs(directions(i, j)));
    }
    EXPECT_NEAR(off, 0, 1e-14);
    EXPECT_NEAR(hidden, 0, 1e-13);
  }
  EXPECT_GT(largest, 0.5);
  const matrix<double> tangent = workspace->tangent_map(state);
  EXPECT_LT(symplectic_defect(tangent, directions), 1e-13);
  EXPECT_GT(symplectic_defect(tangent), 1e-3);
}

// Both rods are free of forces where the motion begins: multipliers are nothing but rounding beside what acts.
TEST(constrained_step, starts_from_rest_where_no_constraint_force_acts) {
  const model m = parse_model(R"toml(
coordinates = ["x1", "y1", "x2", "y2"]
lagrangian = "1/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2) - 9.81*(y1 + y2)"
[constraints]
rod1 = "x1^2 + y1^2 - 1"
rod2 = "(x2 - x1)^2 + (y2 - y1)^2 - 1"
[initial.position]
x1 = 1
y1 = 0
x2 = 1
y2 = -1
)toml",
                              "m.toml");
  for (const char* method : {"simpson", "lobatto-4", "verlet", "midpoint"}) {
    for (const double step : {0.01, 0.001}) {
      const integrator<double> flow(m.system, {.method = method, .step = step});
      const auto workspace = flow.make_workspace();
      phase_state<double> state = flow.at_start(m);
      while (state.time < 0.1 - step / 2) ASSERT_TRUE(workspace->advance(state)) << method << " " << state.index;
      EXPECT_NEAR(state.position[1], -9.81 * 0.005, 1e-3) << method;
      EXPECT_NEAR(state.position[0] * state.position[0] + state.position[1] * state.position[1], 1, 1e-13) << method;
    }
  }
}

}  // namespace
}  // namespace actio
