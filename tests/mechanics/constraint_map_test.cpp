#include "actio/mechanics/constraint_map.hpp"

#include <gtest/gtest.h>

#include "actio/mechanics/phase_space.hpp"
#include "tests/support/constrained_systems.hpp"

namespace actio {
namespace {

using point = std::array<quad, 7>;  // q, v, t of the driven rod

quad g_at(const point& x) {
  const quad length = 1 + sin(2 * x[6]) / 10;
  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - length * length;
}

// A v + ∂g/∂t by central differences along the motion q + s v, t + s.
quad rate_at(const point& x) {
  const quad s("1e-9");
  point above = x, below = x;
  for (std::size_t i = 0; i < 3; ++i) above[i] += s * x[3 + i], below[i] -= s * x[3 + i];
  above[6] += s;
  below[6] -= s;
  return (g_at(above) - g_at(below)) / (2 * s);
}

TEST(constraint_map, has_the_derivatives_of_the_constraint) {
  const model m = parse_model(testing::driven_rod, "m.toml");
  const constraint_map<quad> map(m.system);
  EXPECT_EQ(map.size(), 1U);
  EXPECT_TRUE(map.depends_on_time());
  constraint_evaluation<quad> held = map.at(1, {});
  const point x = {quad(0.3), quad(-0.5), quad(0.9), quad(1.1), quad(0.2), quad(-0.4), quad(0.7)};
  const quad lambda = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    *held.position(i) = x[i];
    *held.velocity(i) = x[3 + i];
  }
  *held.multiplier(0) = lambda;
  *held.time() = x[6];
  const auto slope = [&x](auto f, std::size_t i, const char* width) {
    const quad d(width);
    point above = x, below = x;
    above[i] += d;
    below[i] -= d;
    return to_double(quad((f(above) - f(below)) / (2 * d)));
  };

  held.evaluate_second();
  EXPECT_NEAR(to_double(*held.value(0)), to_double(g_at(x)), 1e-30);
  EXPECT_NEAR(to_double(*held.time_derivative(0)), slope(g_at, 6, "1e-9"), 1e-15);
  EXPECT_EQ(map.jacobian().size(), 3U);
  for (const constraint_entry& e : map.jacobian()) {
    EXPECT_NEAR(to_double(*held.entry(e)), slope(g_at, e.column, "1e-9"), 1e-15);
  }
  EXPECT_EQ(map.hessian().size(), 3U);  // a sphere bends alike in every direction
  for (const constraint_entry& e : map.hessian()) EXPECT_EQ(*held.entry(e), 2 * lambda);

  held.evaluate_rates();
  for (const constraint_entry& e : map.hidden_slope()) {
    EXPECT_NEAR(to_double(*held.entry(e)), slope(rate_at, e.column, "1e-6"), 1e-9);
  }
  quad second = 0;  // d²g/dt² along the motion without acceleration
  const quad s("1e-6");
  point above = x, below = x;
  for (std::size_t i = 0; i < 3; ++i) above[i] += s * x[3 + i], below[i] -= s * x[3 + i];
  above[6] += s;
  below[6] -= s;
  second = (g_at(above) - 2 * g_at(x) + g_at(below)) / (s * s);
  EXPECT_NEAR(to_double(*held.curvature(0)), to_double(second), 1e-9);
  ASSERT_EQ(map.momentum_rate().size(), 1U);  // of t*z'/5
  EXPECT_EQ(*held.entry(map.momentum_rate()[0]), quad(1) / 5);
  EXPECT_EQ(map.momentum_rate()[0].row, 2U);
}

TEST(constrained_phase_point, finds_the_velocity_along_the_constraints_and_what_a_momentum_has_too_much) {
  const model m = parse_model(testing::rigid_body, "m.toml");
  const phase_space<double> space(m.system, parameter_values<double>(m.system));
  phase_point<double> point(space);
  const std::vector<double> q = {0.5, 0.5, -0.5, 0.5}, along = {0.3, 0.1, 0.6, 0.2};  // along·q = 0
  std::vector<double> p(4), v(4);
  ASSERT_TRUE(point.momentum_of(0, q, along, p));
  ASSERT_TRUE(point.velocity_at(0, q, p, v));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(v[i], along[i], 1e-15);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(point.normal_momentum()[i], 0, 1e-15);

  for (std::size_t i = 0; i < 4; ++i) p[i] += 0.25 * q[i];
  ASSERT_TRUE(point.velocity_at(0, q, p, v));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(v[i], along[i], 1e-15);
    EXPECT_NEAR(point.normal_momentum()[i], 0.25 * q[i], 1e-15);
  }
  EXPECT_NEAR(point.normal_multipliers()[0], 0.125, 1e-15);  // ∂g/∂q = 2q
}

// The tension of a pendulum is m v²/l + m g cos θ; the force 2 λ (x, y) pulls towards the pivot.
TEST(constrained_phase_point, has_the_multiplier_of_the_tension) {
  const model m = parse_model(testing::rod_in_the_plane, "m.toml");
  const phase_space<double> space(m.system, parameter_values<double>(m.system));
  phase_point<double> point(space);
  const double mass = 1.5, l = 2, speed = 0.7;
  const std::vector<double> q = {l * std::sin(1), -l * std::cos(1)};
  ASSERT_TRUE(point.measure(0, q, std::vector<double>{mass * speed * std::cos(1), mass * speed * std::sin(1)}));
  const double tension = mass * speed * speed / l + mass * 9.81 * std::cos(1);
  EXPECT_NEAR(point.multipliers()[0], -tension / (2 * l), 1e-14);
  EXPECT_LT(point.constraint_violation(), 1e-15);
  EXPECT_LT(point.hidden_violation(), 1e-15);
}

TEST(constrained_system, names_its_multipliers_in_the_equations_and_has_no_cyclic_coordinate_that_is_held) {
  const lagrangian_system system = lagrangian_system::from(
      "wall", {"x", "y", "z"}, [](auto, auto v) { return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2; },
      [](auto q) { return std::vector<named_expr>{{"wall", q[0] * q[1] - 1}}; });
  EXPECT_EQ(system.cyclic_coordinates(), std::vector<std::size_t>{2});
  const std::vector<expr> equations = euler_lagrange_equations(system);
  EXPECT_EQ(equations[0], expr::symbol("x''") - expr::symbol("lambda_wall") * expr::symbol("y"));
  EXPECT_EQ(equations[2], expr::symbol("z''"));
}

// L_vv = diag(1, 0): regular together with a constraint that holds y, degenerate with one that holds x.
TEST(constrained_system, may_be_degenerate_along_its_constraints_only) {
  const auto L = [](auto, auto v) { return v[0] * v[0] / 2; };
  EXPECT_NO_THROW(lagrangian_system::from("held", {"x", "y"}, L,
                                          [](auto q) { return std::vector<named_expr>{{"line", q[1] - q[0]}}; }));
  EXPECT_THROW(lagrangian_system::from("free", {"x", "y"}, L,
                                       [](auto q) { return std::vector<named_expr>{{"line", q[0] - 1}}; }),
               input_error);
}

}  // namespace
}  // namespace actio
