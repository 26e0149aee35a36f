#include "actio/mechanics/kinetic_form.hpp"

#include <gtest/gtest.h>

#include "actio/program/program.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

TEST(kinetic_form, cartesian_definitions_cost_what_angles_cost) {
  const lagrangian_system angles = testing::read(testing::double_pendulum_in_angles).system;
  const lagrangian_system cartesian = testing::read(testing::double_pendulum_in_cartesian).system;
  const auto cost = [](const lagrangian_system& s) {
    std::vector<expr> variables = s.coordinates;
    for (const expr& v : s.velocities()) variables.push_back(v);
    return lower(std::span(&s.lagrangian, 1), s.parameter_symbols(), variables).body.size();
  };
  EXPECT_LE(cost(cartesian), cost(angles) + 6);
}

TEST(kinetic_form, a_coordinate_that_drops_out_is_cyclic) {
  const model m = parse_model(R"toml(
coordinates = ["phi", "theta"]
lagrangian = "1/2*m*(x'^2 + y'^2 + z'^2) - m*g*z"
[parameters]
m = 2
g = 9.81
[definitions]
x = "sin(theta)*cos(phi)"
y = "sin(theta)*sin(phi)"
z = "-cos(theta)"
[initial.position]
phi = 0
theta = 1
[initial.velocity]
phi = 1
theta = 0
)toml",
                              "test.toml");
  EXPECT_EQ(m.system.cyclic_coordinates(), (std::vector<std::size_t>{0}));
}

TEST(kinetic_form, leaves_alone_what_is_not_quadratic_or_gains_nothing) {
  const auto system = [](auto L) { return lagrangian_system::from("any", {"x", "y"}, L); };
  const lagrangian_system quartic = system(
      [](const auto& q, const auto& v) { return pow(v[0], 4) + v[0] * v[0] / 2 + v[1] * v[1] / 2 - q[0] * q[1]; });
  EXPECT_EQ(lagrangian_with_collected_mass(quartic), quartic.lagrangian);
  const lagrangian_system simple =
      system([](const auto& q, const auto& v) { return (v[0] * v[0] + v[1] * v[1]) / 2 - pow(q[0] - q[1], 2); });
  EXPECT_EQ(lagrangian_with_collected_mass(simple), simple.lagrangian);
}

}  // namespace
}  // namespace actio
