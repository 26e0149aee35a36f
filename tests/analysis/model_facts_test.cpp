#include "actio/analysis/model_facts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/systems.hpp"

namespace actio {
namespace {

model_structure structure(const char* lagrangian) {
  return structure_of(parse_model(std::string("coordinates = [\"x\", \"y\"]\nlagrangian = \"") + lagrangian +
                                      "\"\n[initial]\nposition = {x = 1, y = 1}\nvelocity = {x = 0, y = 0}\n",
                                  "m.toml")
                          .system);
}

TEST(model_facts, structure_of_simple_systems) {
  const model_structure plain = structure("x'^2 + y'^2 - x^4*y");
  EXPECT_TRUE(plain.is_quadratic && plain.has_constant_mass && plain.is_separable);
  EXPECT_FALSE(plain.is_time_dependent || plain.is_forced);
  const model_structure polar = structure("x'^2 + x^2*y'^2 - 1/x");
  EXPECT_TRUE(polar.is_quadratic);
  EXPECT_FALSE(polar.has_constant_mass || polar.is_separable);
  const model_structure magnetic = structure("x'^2 + y'^2 + x*y'");
  EXPECT_TRUE(magnetic.has_constant_mass);
  EXPECT_FALSE(magnetic.is_separable);
  const model_structure relativistic = structure("-sqrt(1 - x'^2/100 - y'^2/100) - x^2");
  EXPECT_TRUE(relativistic.is_separable);
  EXPECT_FALSE(relativistic.is_quadratic || relativistic.has_constant_mass);
  EXPECT_TRUE(structure("x'^2 + y'^2 + x*t").is_time_dependent);
  EXPECT_FALSE(structure("exp(t)*(x'^2 + y'^2)").has_constant_mass);
}

TEST(model_facts, pieces_are_no_structure) {
  const auto valley = structure_of(
      lagrangian_system::from("valley", {"x"}, [](auto q, auto v) { return v[0] * v[0] / 2 - abs(q[0]); }));
  EXPECT_TRUE(valley.is_quadratic && valley.has_constant_mass && valley.is_separable);
  const auto rubbing =
      structure_of(lagrangian_system::from("rubbing", {"x"}, [](auto, auto v) { return v[0] * v[0] / 2 + abs(v[0]); }));
  EXPECT_FALSE(rubbing.is_quadratic);
  const auto halves = structure_of(
      lagrangian_system::from("halves", {"x"}, [](auto q, auto v) { return (2 + sign(q[0])) * v[0] * v[0] / 2; }));
  EXPECT_TRUE(halves.is_quadratic);
  EXPECT_FALSE(halves.has_constant_mass);
  EXPECT_FALSE(halves.is_separable);
}

TEST(model_facts, identities_behind_trigonometry_are_seen) {
  EXPECT_TRUE(structure("(cos(x)*x')^2 + (sin(x)*x')^2 + y'^2").has_constant_mass);
}

TEST(model_facts, of_a_model) {
  const model_facts facts = facts_of(testing::read(testing::double_pendulum_in_angles));
  EXPECT_EQ(facts.equations.size(), 2U);
  EXPECT_TRUE(facts.cyclic.empty());
  EXPECT_TRUE(facts.momenta.empty());
  EXPECT_EQ(facts.parameters.size(), 4U);
  EXPECT_EQ(facts.velocity, (std::vector<double>{0, 0}));
  EXPECT_LT(facts.energy, 0);
  EXPECT_GT(facts.gradient_operations, facts.value_operations);
  EXPECT_TRUE(facts_of(testing::read(testing::forced_system)).structure.is_forced);
}

TEST(model_facts, frequencies_below_the_rounding_of_double_are_not_rigid) {
  const auto lowest = [](const std::string& corner) {
    return facts_of(parse_model("[linear]\nmass = [[1, 0], [0, 1]]\nstiffness = [[1, -1], [-1, " + corner +
                                    "]]\n[initial.position]\nq1 = 1\nq2 = 0\n[initial.velocity]\nq1 = 0\nq2 = 0\n",
                                "m.toml"))
        .linear->frequencies.front();
  };
  EXPECT_EQ(lowest("1"), 0);
  // The determinant over the trace: 1e-15/2.
  EXPECT_NEAR(lowest("1.000000000000001"), std::sqrt(5e-16), 1e-12 * std::sqrt(5e-16));
}

TEST(model_facts, chaos_takes_three_dimensions_and_no_linear_equations) {
  const auto may = [](const std::string& coordinates, const std::string& lagrangian) {
    std::string start;
    for (const char* table : {"\n[initial.position]\n", "[initial.velocity]\n"}) {
      start += table;
      for (const char c : coordinates) start += std::string(1, c) + " = 0.1\n";
    }
    std::string names;
    for (const char c : coordinates) names += std::string("'") + c + "', ";
    return may_be_chaotic(
        parse_model("coordinates = [" + names + "]\nlagrangian = \"" + lagrangian + "\"" + start, "m.toml").system);
  };
  EXPECT_FALSE(may("x", "x'^2/2 + cos(x)"));
  EXPECT_TRUE(may("x", "x'^2/2 + cos(x) + x*sin(t)"));
  EXPECT_FALSE(may("x", "exp(-t)*(x'^2/2 - x^2/2)"));
  EXPECT_FALSE(may("xy", "x'^2/2 + y'^2/2 + x*y + x*y'"));
  EXPECT_TRUE(may("xy", "x'^2/2 + y'^2/2 - x^2*y"));
}

}  // namespace
}  // namespace actio
