// q'' in observables: what the equations of motion say, with a Lagrangian, constraints, a Hamiltonian or equations.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/integrator.hpp"

namespace actio {
namespace {

std::vector<double> observed_at_start(const std::string& text, const char* method = "midpoint") {
  const model m = parse_model(text, "m.toml");
  const integrator<double> flow(m.system, {.method = method, .step = 0.01});
  const phase_state<double> start = flow.at_start(m);
  phase_point<double> point(flow.space());
  EXPECT_TRUE(point.measure(0.0, start.position.value, start.momentum.value));
  return {point.observables().begin(), point.observables().end()};
}

TEST(accelerations, follow_from_a_lagrangian_with_forces) {
  const auto seen = observed_at_start(R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*(2 + x^2)*x'^2 + 1/2*y'^2 + x'*y'/2 - x*y + t*y"
[forces]
x = "-x'/3"
[definitions]
u = "x^2*y"
s = "x*x'"
[observables]
a = "x''"
b = "y''"
c = "u''"
d = "s'"
[initial.position]
x = 0.7
y = -0.2
[initial.velocity]
x = 0.4
y = 0.1
)toml");
  // (2 + x²) x'' + y''/2 = −x x'² − y − x'/3, x''/2 + y'' = −x + t.
  const double x = 0.7, y = -0.2, v = 0.4, w = 0.1, m = 2 + x * x;
  const double f = -x * v * v - y - v / 3, g = -x, determinant = m - 0.25;
  const double a = (f - g / 2) / determinant, b = (m * g - f / 2) / determinant;
  EXPECT_NEAR(seen[0], a, 1e-14);
  EXPECT_NEAR(seen[1], b, 1e-14);
  EXPECT_NEAR(seen[2], 2 * v * v * y + 2 * x * a * y + 4 * x * v * w + x * x * b, 1e-14);
  EXPECT_NEAR(seen[3], v * v + x * a, 1e-14);
}

TEST(accelerations, follow_from_constraints_too) {
  const auto seen = observed_at_start(R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - 9.81*y"
[constraints]
rod = "x^2 + y^2 - 1"
[observables]
a = "x''"
b = "y''"
along = "x*x'' + y*y'' + x'^2 + y'^2"
[initial.position]
x = 0.6
y = -0.8
[initial.velocity]
x = 1.6
y = 1.2
)toml");
  const double lambda = -4 + 9.81 * -0.8;  // the radial part of the acceleration is −v², that of gravity −g y
  EXPECT_NEAR(seen[0], lambda * 0.6, 1e-13);
  EXPECT_NEAR(seen[1], -9.81 + lambda * -0.8, 1e-13);
  EXPECT_NEAR(seen[2], 0, 1e-13);
}

TEST(accelerations, follow_from_a_hamiltonian_and_from_equations) {
  const auto by_H = observed_at_start(R"toml(
coordinates = ["q"]
hamiltonian = "(1 + q^2)*(1 + p_q^2)/2"
[observables]
a = "q''"
[initial.position]
q = 0.5
[initial.momentum]
q = 2
)toml");
  // q' = (1 + q²) p, q'' = 2 q q' p + (1 + q²) p', p' = −q (1 + p²).
  EXPECT_NEAR(by_H[0], 2 * 0.5 * 2.5 * 2 - 1.25 * 0.5 * 5, 1e-14);
  const auto by_f = observed_at_start(R"toml(
coordinates = ["y"]
[equations]
y = "-y^2 + t"
[observables]
a = "y''"
[initial.position]
y = 2
)toml",
                                      "rk4");
  EXPECT_NEAR(by_f[0], -2 * 2 * -4 + 1, 1e-14);
}

TEST(initial_values, that_are_left_out_are_zero_and_said_to_be) {
  const std::string head = "coordinates = [\"x\", \"y\"]\nlagrangian = \"1/2*(x'^2 + y'^2) - x*y\"\n";
  const model none = parse_model(head, "m.toml");
  EXPECT_EQ(none.initial.rate, rate_kind::velocity);
  EXPECT_EQ(none.initial.left_out, (std::vector<std::string>{"x", "y", "x'", "y'"}));
  EXPECT_EQ(note_of_zeros(none.initial), "initial values that are not given are zero: x, y, x', y'");
  const model some = parse_model(head + "[initial.position]\ny = 2\n[initial.momentum]\nx = 3\n", "m.toml");
  EXPECT_EQ(some.initial.left_out, (std::vector<std::string>{"x", "p_y"}));
  const integrator<double> flow(some.system, {.method = "simpson", .step = 0.01});
  const phase_state<double> start = flow.at_start(some);
  EXPECT_EQ(start.position.value, (std::vector<double>{0, 2}));
  EXPECT_EQ(start.momentum.value, (std::vector<double>{3, 0}));
  const model all =
      parse_model(head + "[initial.position]\nx = 1\ny = 2\n[initial.velocity]\nx = 3\ny = 0\n", "m.toml");
  EXPECT_EQ(note_of_zeros(all.initial), "");
}

}  // namespace
}  // namespace actio
