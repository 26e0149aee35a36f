// Linear systems of many coordinates: the largest frequency without their matrices, and steps that are too long for it.
#include "actio/simulate/fastest_oscillation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/mechanics/model.hpp"
#include "actio/simulate/integrator.hpp"
#include "actio/simulate/step_limit.hpp"

namespace actio {
namespace {

const std::string chain = R"toml(
coordinates = ["q[1..n]"]
lagrangian = "sum(i = 1..n, m/2*q[i]'^2) - sum(i = 0..n, k/2*(q[i+1] - q[i])^2) + sum(i = 1..n, q[i]*sin(t))"
[sizes]
n = 300
[parameters]
m = 2
k = 3
[definitions]
"q[0]" = 0
"q[n+1]" = 0
)toml";

const std::string membrane = R"toml(
coordinates = ["u[1..n, 1..n]"]
lagrangian = """sum(i = 1..n, j = 1..n, (1 + mod(i + j, 2))/2*u[i,j]'^2)
 + sum(i = 1..n-1, j = 1..n, u[i,j]'*u[i+1,j]'/8)
 - sum(i = 1..n, j = 1..n, 1/2*u[i,j]^2) - sum(i = 1..n-1, j = 1..n, 1/2*(u[i+1,j] - u[i,j])^2)"""
[sizes]
n = 9
)toml";

std::optional<fastest_oscillation> fastest(const model& m) {
  const phase_space<double> space(m.system, parameter_values<double>(m.system));
  return fastest_oscillation_of(space, [](double) { return false; });
}

TEST(fastest_oscillation, of_a_chain_is_known) {
  const auto found = fastest(parse_model(chain, "m.toml"));
  ASSERT_TRUE(found);
  const double expected = 2 * std::sqrt(3.0 / 2) * std::sin(M_PI / 2 * 300 / 301);
  EXPECT_NEAR(found->frequency, expected, 1e-9 * expected);
  EXPECT_GE(found->bound, expected);
  EXPECT_LE(found->bound, 1.0001 * expected);
}

// Beside the dense matrices of the same system in few coordinates.
TEST(fastest_oscillation, is_that_of_the_matrices) {
  const model m = parse_model(membrane, "m.toml");
  const auto found = fastest(m);
  ASSERT_TRUE(found);
  EXPECT_FALSE(std::isfinite(found->bound));  // masses are coupled
  // One row of nine is a system of its own: rows differ by a shift of the masses alone.
  double largest = 0;
  for (const int shift : {0, 1}) {
    std::string text = "coordinates = [\"x[1..9]\"]\nlagrangian = \"sum(i = 1..9, (1 + mod(i + " +
                       std::to_string(shift) +
                       ", 2))/2*x[i]'^2) + sum(i = 1..8, x[i]'*x[i+1]'/8) - sum(i = 1..9, 1/2*x[i]^2) - "
                       "sum(i = 1..8, 1/2*(x[i+1] - x[i])^2)\"\n";
    const model row = parse_model(text, "r.toml");
    const phase_space<double> space(row.system, {});
    largest = std::max(largest, largest_frequency(*linear_system_of(space)));
  }
  EXPECT_NEAR(found->frequency, largest, 1e-9 * largest);
}

TEST(fastest_oscillation, belongs_to_linear_systems_alone) {
  std::string text = chain;
  text.replace(text.find("^2) +"), 5, "^2 + (q[i+1] - q[i])^4) +");
  EXPECT_FALSE(fastest(parse_model(text, "m.toml")));
  text = chain;
  text.replace(text.find("sin(t)"), 6, "q[i]*t");
  EXPECT_FALSE(fastest(parse_model(text, "m.toml")));
}

TEST(fastest_oscillation, refuses_longer_steps_with_the_limit) {
  const model m = parse_model(chain, "m.toml");
  const double limit = 2 / (2 * std::sqrt(3.0 / 2) * std::sin(M_PI / 2 * 300 / 301));
  const auto with = [&](const char* method, double step) {
    integrator<double>(m.system, {.method = method, .step = step});
  };
  EXPECT_NO_THROW(with("verlet", 0.999 * limit));
  EXPECT_NO_THROW(with("gauss-2", 50 * limit));
  EXPECT_NO_THROW(with("simpson", 1.4 * limit));
  struct too_long {
    const char *method, *longest;
    double step;
  };
  for (const too_long& c : {too_long{"verlet", "0.8165", 1.001 * limit}, too_long{"strang", "0.8165", -2 * limit},
                            too_long{"simpson", "1.154", 1.5 * limit}}) {
    try {
      with(c.method, c.step);
      ADD_FAILURE() << c.method;
    } catch (const input_error& error) {
      EXPECT_EQ(error.id(), "unstable-step") << error.what();
      EXPECT_NE(error.cure().find(c.longest), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace actio
