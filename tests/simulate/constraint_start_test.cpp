#include "actio/simulate/constraint_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "actio/simulate/run.hpp"
#include "tests/support/constrained_systems.hpp"

namespace actio {
namespace {

TEST(constraint_start, projects_to_the_nearest_point_and_velocity) {
  const model m = parse_model(testing::rod_in_the_plane, "m.toml");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01, .project = true});
  start_projection<double> moved;
  const phase_state<double> state = flow.at_velocity({3, 4}, {1, 0}, &moved);
  EXPECT_NEAR(state.position[0], 1.2, 1e-15);  // radially: all directions have the same mass
  EXPECT_NEAR(state.position[1], 1.6, 1e-15);
  EXPECT_NEAR(state.momentum[0], 1.5 * 0.64, 1e-15);
  EXPECT_NEAR(state.momentum[1], -1.5 * 0.48, 1e-15);
  EXPECT_NEAR(moved.position, 2.4, 1e-15);
  EXPECT_NEAR(moved.momentum, 1.5 * 0.48, 1e-15);
}

model parabola(const std::string& lagrangian) {
  return parse_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"" + lagrangian +
                         "\"\n[constraints]\nwire = \"y - x^2\"\n[initial]\nposition = {x = 0, y = 0}\n"
                         "momentum = {x = 0, y = 0}\n",
                     "m.toml");
}

template <class S>
std::vector<S> projected(const model& m, std::vector<S> position, start_projection<S>* moved = nullptr) {
  const std::size_t n = position.size();
  const integrator<S> flow(m.system, {.method = "simpson", .step = S(0.01), .project = true});
  return flow.at_momentum(std::move(position), std::vector<S>(n, S(0)), moved).position.value;
}

// The foot of the perpendicular from (1, 0) on y = x² solves 2x³ + x = 1.
TEST(constraint_start, projects_at_right_angles_in_the_metric_of_the_mass) {
  const std::vector<double> q = projected<double>(parabola("1/2*(x'^2 + y'^2)"), {1, 0});
  EXPECT_NEAR(2 * q[0] * q[0] * q[0] + q[0], 1, 1e-15);
  EXPECT_NEAR(q[0], 0.58975451230145889, 1e-15);
  EXPECT_NEAR(q[1], q[0] * q[0], 1e-16);
  // With mass 4 for y: x - 1 + 8 x³ = 0. The mass is that of the start, whatever it is elsewhere.
  const std::vector<double> heavy = projected<double>(parabola("1/2*(x'^2 + (4 + x*y)*y'^2)"), {1, 0});
  EXPECT_NEAR(8 * heavy[0] * heavy[0] * heavy[0] + heavy[0], 1, 2e-15);
  const std::vector<quad> exact = projected<quad>(parabola("1/2*(x'^2 + y'^2)"), {quad(1), quad(0)});
  EXPECT_LT(abs(quad(2 * exact[0] * exact[0] * exact[0] + exact[0] - 1)), quad(1e-32));
}

TEST(constraint_start, projects_from_afar_and_off_ridges) {
  const model m = parabola("1/2*(x'^2 + y'^2)");
  // From (0, 5) the vertex is the farthest point nearby: the nearest ones are at x² = 4.5.
  const std::vector<double> ridge = projected<double>(m, {0, 5});
  EXPECT_NEAR(ridge[0] * ridge[0], 4.5, 1e-14);
  for (const double x : {-1e3, -30.0, 0.3, 7.0, 1e4}) {
    SCOPED_TRACE(x);
    const std::vector<double> q = projected<double>(m, {x, -20});
    const double across = (q[0] - x) + 2 * q[0] * (q[1] + 20);
    EXPECT_NEAR(across / (std::abs(x) + 2 * std::abs(q[0]) * (q[1] + 20)), 0, 4e-15);
    EXPECT_NEAR(q[1], q[0] * q[0], 1e-15 * q[1]);
  }
}

// Of several minima the nearest one, whichever the slope leads to first.
TEST(constraint_start, projects_to_the_nearest_of_several_minima) {
  const model m = parse_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2)\"\n[constraints]\n"
      "wall = \"(x^2/9 + y^2 - 1)*((x - 0.2)^2 + (y - 0.6)^2 - 0.0001)\"\n[initial]\nposition = {x = 3, y = 0}\n"
      "momentum = {x = 0, y = 0}\n",
      "m.toml");
  // An ellipse and a small ring inside it, which is nearer to the start than the ellipse is.
  const std::vector<double> q = projected<double>(m, {0.2, 0.3});
  EXPECT_NEAR(std::hypot(q[0] - 0.2, q[1] - 0.6), 0.01, 1e-12);
  EXPECT_NEAR(q[0], 0.2, 1e-12);
  EXPECT_NEAR(q[1], 0.59, 1e-12);
}

// The mass of a quaternion is singular along its norm.
TEST(constraint_start, projects_where_the_mass_is_singular) {
  const model m = parse_model(testing::rigid_body, "m.toml");
  start_projection<double> moved;
  const std::vector<double> q = projected<double>(m, {1.2, 0.9, 0, 0}, &moved);
  EXPECT_NEAR(q[0], 0.8, 1e-15);
  EXPECT_NEAR(q[1], 0.6, 1e-15);
  EXPECT_NEAR(moved.position, 0.4, 1e-15);
}

// What is taken from a momentum is Aᵀμ, so that the velocity that is left is the nearest in the metric of the mass.
TEST(constraint_start, projects_momenta_at_right_angles_in_the_inverse_mass) {
  const model m = parabola("1/2*(x'^2 + 4*y'^2) + x*y'/3");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01, .project = true});
  start_projection<double> moved;
  const phase_state<double> state = flow.at_momentum({0.5, 0.25}, {1, -2}, &moved);
  const double dx = state.momentum[0] - 1, dy = state.momentum[1] + 2, slope = -2 * 0.5;  // A = (-2x, 1)
  EXPECT_NEAR(dx, slope * dy, 1e-15);
  const double vx = state.momentum[0], vy = (state.momentum[1] - 0.5 / 3) / 4;
  EXPECT_NEAR(slope * vx + vy, 0, 1e-15);
  EXPECT_EQ(moved.momentum, std::max(std::abs(dx), std::abs(dy)));
}

TEST(constraint_start, leaves_consistent_data_alone) {
  const model m = parse_model(testing::rigid_body, "m.toml");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01, .project = true});
  start_projection<double> moved;
  const phase_state<double> state = flow.at_start(m, &moved);
  EXPECT_EQ(state.position.value, (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(moved.position, 0);
  EXPECT_LT(moved.momentum, 1e-15);
}

// At every precision an initial state that is exact but for rounding is taken as it is.
TEST(constraint_start, takes_rounded_data_at_every_precision) {
  const model m = parse_model(testing::rod_in_the_plane, "m.toml");
  EXPECT_NO_THROW(integrator<double>(m.system, {.step = 0.01}).at_start(m));
  EXPECT_NO_THROW(integrator<quad>(m.system, {.step = quad(0.01)}).at_start(m));
  const precision_scope scope(80);
  const integrator<multi> flow(m.system, {.step = multi(0.01)});
  EXPECT_NO_THROW(flow.at_start(m));
  EXPECT_THROW(flow.at_velocity({multi(2) + multi("1e-60"), multi(0)}, {multi(0), multi(0)}), input_error);
}

class two_positions : public ::testing::TestWithParam<std::string> {};

TEST_P(two_positions, start_with_the_momentum_that_leads_from_one_to_the_other) {
  for (const char* text : {testing::rigid_body, testing::rod_in_the_plane}) {
    const model m = parse_model(text, "m.toml");
    const integrator<double> flow(m.system, {.method = GetParam(), .step = 0.05});
    phase_state<double> state = flow.at_start(m);
    const phase_state<double> start = state;
    ASSERT_TRUE(flow.make_workspace()->advance(state));
    phase_state<double> again = flow.at_positions(start.position.value, state.position.value);
    for (std::size_t i = 0; i < start.momentum.size(); ++i) {
      EXPECT_NEAR(again.momentum[i], start.momentum[i], 1e-12);
    }
    ASSERT_TRUE(flow.make_workspace()->advance(again));
    for (std::size_t i = 0; i < start.position.size(); ++i) {
      EXPECT_NEAR(again.position[i], state.position[i], 1e-15);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, two_positions, ::testing::Values("verlet", "midpoint", "simpson", "gauss-1"),
                         [](const auto& info) { return info.param == "gauss-1" ? "gauss_1" : info.param; });

TEST(two_positions, work_without_constraints_and_count_the_first_step) {
  const std::string text = R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2 - 1/2*x^2 - x^4"
[initial]
position = {x = 1}
next = {x = 0.99}
[run]
step = 0.1
steps = 1
)toml";
  const model m = parse_model(text, "m.toml");
  EXPECT_EQ(m.initial.rate, rate_kind::next);
  for (const char* method : {"simpson", "gauss-3", "rk4", "strang"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.1});
    phase_state<double> state = flow.at_start(m);
    EXPECT_EQ(state.index, 0U);
    EXPECT_EQ(run(flow, state, 1).position[0], 0.99) << method;
  }
}

// The free rigid body of marsden1997, Section 7, from its start: an Euler step of 1e-5 s, the method up to h, then two
// positions.
TEST(marsden1997, the_rigid_body_has_the_published_discrete_energies) {
  const model m = parse_model(testing::rigid_body, "m.toml");
  const double short_step = 1e-5;
  std::vector<double> first = {1, 0, 0, 0}, next = {1, 0, 1.5 * short_step, 2 * short_step};
  const double length = std::hypot(next[0], std::hypot(next[2], next[3]));
  for (double& x : next) x /= length;
  const integrator<double> fine(m.system, {.method = "midpoint", .step = short_step});
  phase_state<double> state = fine.at_positions(first, next);
  ASSERT_EQ(run(fine, state, 10).status, run_status::done);
  const std::vector<double> at_1e4 = state.position.value;
  ASSERT_EQ(run(fine, state, 100).status, run_status::done);
  const std::vector<double> at_1e3 = state.position.value;

  const auto discrete_energy = [](const std::vector<double>& x, const phase_state<double>& y, double h) {
    std::vector<double> q(4), v(4);
    for (std::size_t i = 0; i < 4; ++i) {
      q[i] = (x[i] + y.position[i]) / 2;
      v[i] = 2 * (y.position[i] - x[i]) / h;
    }
    const double w1 = q[0] * v[1] - q[1] * v[0] - q[2] * v[3] + q[3] * v[2];
    const double w2 = q[0] * v[2] - q[2] * v[0] - q[3] * v[1] + q[1] * v[3];
    const double w3 = q[0] * v[3] - q[3] * v[0] - q[1] * v[2] + q[2] * v[1];
    return (w1 * w1 + 2 * w2 * w2 + 3 * w3 * w3) / 2;
  };
  const struct {
    double step, published;
    std::vector<double> next;
  } cases[] = {{1e-3, 32.99993723, at_1e3}, {1e-4, 32.99999935, at_1e4}};
  for (const auto& c : cases) {
    const integrator<double> flow(m.system, {.method = "midpoint", .step = c.step});
    phase_state<double> now = flow.at_positions(first, c.next);
    phase_point<double> point(flow.space());
    const auto workspace = flow.make_workspace();
    double initial = 0, energy = 0;
    for (int k = 0; k < 10000; ++k) {
      const std::vector<double> left = now.position.value;
      ASSERT_TRUE(workspace->advance(now));
      energy = discrete_energy(left, now, c.step);
      ASSERT_TRUE(point.measure(now.time, now.position.value, now.momentum.value));
      if (k == 0) initial = point.energy();
      // Positions rounded to 1e-16 leave a velocity and an energy that are no better than 1e-16/h.
      ASSERT_NEAR(energy, c.published, 1e-8 + 1e-14 / c.step);
      ASSERT_NEAR(point.energy(), initial, 1e-11);
    }
  }
}

}  // namespace
}  // namespace actio
