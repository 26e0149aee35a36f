#include "actio/mechanics/lagrangian_system.hpp"

#include <gtest/gtest.h>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/print.hpp"
#include "actio/mechanics/random_points.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), t = expr::symbol("t");
const expr vx = expr::symbol("x'"), vy = expr::symbol("y'");

lagrangian_system kepler() {
  return lagrangian_system::from("kepler", {"x", "y"}, [](const auto& q, const auto& v) {
    return (v[0] * v[0] + v[1] * v[1]) / 2 + 1 / sqrt(q[0] * q[0] + q[1] * q[1]);
  });
}

void expect_error(const lagrangian_system& system, const std::string& id, const std::string& text) {
  try {
    validate(system);
    FAIL() << "no " << id;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), id);
    EXPECT_EQ(std::string(error.what()), text);
  }
}

void expect_error_id(const lagrangian_system& system, const std::string& id) {
  try {
    validate(system);
    FAIL() << "no " << id;
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), id);
  }
}

TEST(lagrangian_system, is_made_from_a_function) {
  const lagrangian_system system = kepler();
  EXPECT_EQ(system.size(), 2u);
  EXPECT_EQ(system.coordinate_names(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(system.velocities(), (std::vector<expr>{vx, vy}));
  EXPECT_EQ(system.momenta()[1].name(), "p_y");
  EXPECT_FALSE(system.is_forced());
  EXPECT_FALSE(system.is_time_dependent());
  EXPECT_TRUE(system.cyclic_coordinates().empty());
}

TEST(lagrangian_system, knows_its_cyclic_coordinates) {
  lagrangian_system system = lagrangian_system::from(
      "free", {"x", "y"}, [](const auto& q, const auto& v) { return (v[0] * v[0] + v[1] * v[1]) / 2 - pow(q[1], 2); });
  EXPECT_EQ(system.cyclic_coordinates(), std::vector<std::size_t>{0});
  ASSERT_EQ(conserved_momenta(system).size(), 1u);
  EXPECT_EQ(conserved_momenta(system)[0].name, "p_x");
  system.forces = {-vx, expr(0)};
  EXPECT_TRUE(system.is_forced());
  EXPECT_TRUE(system.cyclic_coordinates().empty());
  system.forces = {expr(0), t};
  EXPECT_TRUE(system.is_time_dependent());
  EXPECT_EQ(system.cyclic_coordinates(), std::vector<std::size_t>{0});
}

TEST(time_derivative, follows_the_motion) {
  const lagrangian_system system = kepler();
  const expr ax = acceleration_symbol(x);
  EXPECT_EQ(to_text(time_derivative(system, x)), to_text(vx));
  EXPECT_EQ(time_derivative(system, vx), ax);
  EXPECT_EQ(time_derivative(system, t), expr(1));
  EXPECT_EQ(time_derivative(system, expr::symbol("m")), expr(0));
  EXPECT_EQ(time_derivative(system, x * t), vx * t + x);
}

TEST(euler_lagrange_equations, are_those_of_newton) {
  const lagrangian_system system = kepler();
  const auto equations = euler_lagrange_equations(system);
  const std::vector<expr> symbols{x, y, vx, vy, acceleration_symbol(x), acceleration_symbol(y)};
  const std::vector<double> values{3, 4, 0.3, 0.7, -1, 2};
  const auto residual = evaluate<double>(equations, symbols, values);
  EXPECT_NEAR(residual[0], -1 + 3.0 / 125, 1e-15);
  EXPECT_NEAR(residual[1], 2 + 4.0 / 125, 1e-15);
}

TEST(euler_lagrange_equations, contain_the_forces) {
  lagrangian_system system = lagrangian_system::from(
      "forced", {"x"}, [](const auto& q, const auto& v) { return v[0] * v[0] / 2 - q[0] * q[0] / 2; });
  system.forces = {-3 * vx + t};
  const auto equations = euler_lagrange_equations(system);
  const std::vector<expr> symbols{x, vx, acceleration_symbol(x), t};
  EXPECT_EQ(evaluate<double>(equations, symbols, std::vector<double>{2, 5, 7, 11})[0], 7 + 2 + 15 - 11);
}

TEST(conserved_momenta, contain_declared_symmetries) {
  lagrangian_system system = kepler();
  system.symmetries.push_back({"angular_momentum", {-y, x}, {}});
  validate(system);
  const auto momenta = conserved_momenta(system);
  ASSERT_EQ(momenta.size(), 1u);
  EXPECT_EQ(momenta[0].name, "angular_momentum");
  const std::vector<expr> symbols{x, y, expr::symbol("p_x"), expr::symbol("p_y")};
  const expr value = momenta[0].value;
  EXPECT_EQ(evaluate<double>(std::span(&value, 1), symbols, std::vector<double>{2, 3, 5, 7})[0], 2 * 7 - 3 * 5);
}

TEST(conserved_momenta, leave_out_what_a_force_breaks) {
  lagrangian_system system = kepler();
  system.symmetries.push_back({"angular_momentum", {-y, x}, {}});
  system.forces = {-vx, -vy};
  validate(system);
  EXPECT_TRUE(conserved_momenta(system).empty());
  system.forces = {x * vx, y * vx};  // central, whatever its strength
  EXPECT_EQ(conserved_momenta(system).size(), 1u);
}

TEST(validate, accepts_a_symmetry_that_holds_only_after_cancellation) {
  // In spherical angles with Cartesian definitions ∂L/∂phi vanishes by cos² + sin² = 1, inside one term.
  const expr theta = expr::symbol("theta"), phi = expr::symbol("phi");
  lagrangian_system system;
  system.coordinates = {theta, phi};
  expr L = 0;
  for (const expr& position : {sin(theta) * cos(phi), sin(theta) * sin(phi), -cos(theta)}) {
    L += pow(time_derivative(system, position), 2) / 2;
  }
  system.lagrangian = L + cos(theta);
  system.symmetries.push_back({"rotation", {expr(0), expr(1)}, {}});
  EXPECT_NO_THROW(validate(system));
  EXPECT_EQ(conserved_momenta(system).size(), 1u);
}

TEST(validate, accepts_symmetries_that_depend_on_time) {
  // A free particle: the boost x → x + εt changes L by x', which is no invariance; a time-dependent rotation is one
  // only when it is constant.
  lagrangian_system system = lagrangian_system::from(
      "free", {"x", "y"}, [](const auto&, const auto& v) { return (v[0] * v[0] + v[1] * v[1]) / 2; });
  system.symmetries = {{"rotation", {-y, x}, {}}};
  EXPECT_NO_THROW(validate(system));
  system.symmetries = {{"boost", {t, expr(0)}, {}}};
  EXPECT_THROW(validate(system), input_error);
}

TEST(validate, refuses_false_symmetries) {
  lagrangian_system system = kepler();
  system.symmetries.push_back({"shift", {expr(1), expr(0)}, {"model.toml", 4, 2}});
  try {
    validate(system);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_EQ(error.id(), "false-symmetry");
    EXPECT_TRUE(error.message().starts_with("symmetry 'shift' changes the Lagrangian: its variation is "));
    EXPECT_NE(error.message().find(" at x = "), std::string::npos);
    EXPECT_EQ(to_text(error.place()), "model.toml:4:2");
  }
}

// A wall that is nothing at points of order one stops the rotation where the motion may be.
TEST(validate, refuses_symmetries_that_only_hold_near_the_origin) {
  const auto with_wall = [](const expr& wall) {
    const expr vx = velocity_symbol(x), vy = velocity_symbol(y);
    lagrangian_system system = kepler();
    system.lagrangian = (vx * vx + vy * vy - x * x - y * y) / 2 - wall;
    system.symmetries = {{"rotation", {-y, x}, {}}};
    return system;
  };
  EXPECT_THROW(validate(with_wall(pow(x / 10'000, 40))), input_error);
  EXPECT_NO_THROW(validate(with_wall(pow((x * x + y * y) / 100'000'000, 20))));
}

TEST(validate, names_the_false_one_among_symmetries) {
  lagrangian_system system = kepler();
  system.symmetries = {{"rotation", {-y, x}, {}}, {"stretch", {x, y}, {}}, {"shift", {expr(1), expr(0)}, {}}};
  try {
    validate(system);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_TRUE(error.message().starts_with("symmetry 'stretch' changes the Lagrangian")) << error.message();
  }
}

TEST(validate, tests_symmetries_apart_that_exist_nowhere_together) {
  lagrangian_system system = lagrangian_system::from(
      "free", {"x", "y"}, [](const auto&, const auto& v) { return (v[0] * v[0] + v[1] * v[1]) / 2; });
  const symmetry right{"right", {expr(0), exp(log(x)) / x}, {}};  // 1 where x > 0
  system.symmetries = {right, {"left", {expr(0), exp(log(-x)) / x}, {}}};
  EXPECT_NO_THROW(validate(system));
  system.symmetries = {right, {"left", {sqrt(-x), expr(0)}, {}}};
  expect_error_id(system, "false-symmetry");
}

TEST(validate, looks_again_when_anything_changed) {
  lagrangian_system system;
  system.coordinates = {x, y};
  system.parameters = {{"k", expr(0), {}}, {"m", expr(1), {}}};
  system.lagrangian = (vx * vx + expr::symbol("m") * vy * vy) / 2 - expr::symbol("k") * x * x;
  system.symmetries = {{"shift", {expr(1), expr(0)}, {}}};
  EXPECT_NO_THROW(validate(system));
  EXPECT_NO_THROW(validate(system));
  lagrangian_system stiff = system, light = system, turned = system;
  stiff.parameters[0].value = expr(2);
  light.parameters[1].value = expr(0);
  turned.symmetries[0].generator = {-y, x};
  turned.parameters[1].value = expr(3);
  expect_error_id(stiff, "false-symmetry");
  expect_error_id(light, "degenerate-lagrangian");
  expect_error_id(turned, "false-symmetry");
  EXPECT_NO_THROW(validate(system));
}

TEST(find_nonzero_sums, answers_for_each_sum) {
  const lagrangian_system system = kepler();
  const std::vector<vanishing_sum> sums{{{pow(sin(x), 2), pow(cos(x), 2), expr(-1)}, {}},
                                        {{sin(2 * x), -sin(x) * cos(x)}, {}},
                                        {{x, -x}, {}},
                                        {{sin(2 * y), -2 * sin(y) * cos(y)}, {}},
                                        {{x * decimal("1e-30")}, {expr(1)}}};
  const auto found = find_nonzero_sums(system, sums);
  ASSERT_EQ(found.size(), sums.size());
  for (const std::size_t k : {0U, 2U, 3U, 4U}) EXPECT_FALSE(found[k].has_value()) << k;
  ASSERT_TRUE(found[1].has_value());
  EXPECT_EQ(found[1]->description, find_nonzero_sum(system, sums[1].terms)->description);
}

TEST(validate, refuses_missing_velocities) {
  lagrangian_system system;
  system.coordinates = {x, y};
  system.lagrangian = vx * vx / 2 + y * x;
  expect_error(system, "velocity-missing",
               "the velocity y' does not occur in the Lagrangian; add a kinetic term such as 1/2*m*y'^2, or remove 'y' "
               "from coordinates");
}

TEST(validate, refuses_degenerate_lagrangians) {
  lagrangian_system system;
  system.coordinates = {x, y};
  system.lagrangian = pow(vx + vy, 2) / 2 - x * x;
  expect_error(
      system, "degenerate-lagrangian",
      "the Lagrangian is degenerate: its momenta do not change along (x', y') = (1, -1); add the kinetic energy "
      "of that motion, or describe the system with fewer coordinates");
  system.lagrangian = vx * y - x * vy + x * x;  // linear in the velocities
  EXPECT_THROW(validate(system), input_error);
  system.lagrangian = vx * vy - x * y;  // no square, and yet regular
  EXPECT_NO_THROW(validate(system));
}

TEST(validate, is_not_fooled_by_units) {
  lagrangian_system system;
  system.coordinates = {x, y};
  system.lagrangian = decimal("1e-30") * vx * vx + decimal("1e30") * vy * vy - x * x;
  EXPECT_NO_THROW(validate(system));
}

TEST(validate, finds_points_where_the_lagrangian_exists) {
  lagrangian_system system;
  system.coordinates = {x};
  system.lagrangian = -sqrt(1 - 100 * vx * vx) + log(x);
  EXPECT_NO_THROW(validate(system));
  system.lagrangian = vx * vx * sqrt(-1 - x * x);  // nowhere: left to the run, whose start is not finite
  EXPECT_NO_THROW(validate(system));
}

TEST(validate, refuses_unknown_symbols) {
  lagrangian_system system;
  system.coordinates = {x};
  system.lagrangian = vx * vx / 2 - expr::symbol("omgea") * x * x;
  system.parameters = {{"omega", expr(1), {}}};
  expect_error(system, "unknown-name", "unknown name 'omgea' in lagrangian; did you mean 'omega'?");
  system.lagrangian = vx * vx / 2;
  system.observables = {{"p", expr::symbol("p_x"), {}}};
  EXPECT_NO_THROW(validate(system));
  system.symmetries = {{"strange", {vx}, {}}};
  expect_error(system, "unknown-name", "unknown name 'x'' in symmetry strange; did you mean 'x'?");
}

TEST(validate, refuses_names_used_twice) {
  lagrangian_system system;
  system.coordinates = {x, x};
  system.lagrangian = vx * vx / 2;
  expect_error(system, "duplicate-name", "the name 'x' is used twice; give each thing its own name");
}

TEST(random_points, are_the_same_at_every_run) {
  const lagrangian_system system = kepler();
  const std::vector<expr> outputs{x, vy};
  random_points a(system, outputs), b(system, outputs);
  ASSERT_TRUE(a.draw() && b.draw());
  EXPECT_EQ(a.values()[0], b.values()[0]);
  EXPECT_EQ(a.description(), b.description());
  const quad first = a.values()[0];
  ASSERT_TRUE(a.draw());
  EXPECT_NE(a.values()[0], first);
}

}  // namespace
}  // namespace actio
