// Steps that plain Newton iterations do not solve: waves that have not arrived, motions that rounding makes, friction.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "actio/backend/backend.hpp"
#include "actio/simulate/run.hpp"

namespace actio {
namespace {

// Masses in a row with dampers; the first is displaced.
model damped_chain(std::size_t n) {
  std::string names, mass, stiffness, forces;
  for (std::size_t i = 0; i < n; ++i) {
    names += fmt::format("\"q{}\", ", i);
    mass += "[", stiffness += "[";
    for (std::size_t j = 0; j < n; ++j) {
      mass += i == j ? "1, " : "0, ";
      stiffness += i == j ? "2, " : i + 1 == j || j + 1 == i ? "-1, " : "0, ";
    }
    mass += "], ", stiffness += "], ";
    forces += fmt::format("q{0} = \"-0.1*q{0}'\"\n", i);
  }
  std::string position = "[initial.position]\n", velocity = "[initial.velocity]\n";
  for (std::size_t i = 0; i < n; ++i) {
    position += fmt::format("q{} = {}\n", i, i == 0 ? 1 : 0);
    velocity += fmt::format("q{} = 0\n", i);
  }
  return parse_model("coordinates = [" + names + "]\n[linear]\nmass = [" + mass + "]\nstiffness = [" + stiffness +
                         "]\n[forces]\n" + forces + position + velocity,
                     "chain.toml");
}

TEST(hard_steps, a_wave_that_has_not_arrived_is_no_failure) {
  const model m = damped_chain(80);
  for (const char* method : {"simpson", "midpoint", "newmark", "verlet", "gauss-2", "gauss-4", "lobatto-4"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.01});
    phase_state<double> state = flow.at_start(m);
    const auto report = run(flow, state, 60);
    EXPECT_EQ(report.status, run_status::done) << method << ": " << report.reason;
    EXPECT_LT(report.mean_iterations, 40) << method;
  }
}

// By symmetry the middle mass stays where it is: all its motion is rounding.
TEST(hard_steps, a_coordinate_that_only_rounding_moves_is_no_failure) {
  const model m = parse_model(R"toml(coordinates = ["a", "b", "c"]
lagrangian = "1/2*(a'^2 + b'^2 + c'^2) - 1/2*(a^2 + (b - a)^2 + (c - b)^2 + c^2) - 1/3*(b-a)^4 - 1/3*(c-b)^4"
[forces]
a = "-a'/3"
b = "-b'/3"
c = "-c'/3"
[initial.position]
a = 0.7
b = 0
c = -0.7
[initial.velocity]
a = 0
b = 0
c = 0
)toml",
                              "m.toml");
  for (const char* method : {"simpson", "lobatto-5", "gauss-3"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.1});
    phase_state<double> state = flow.at_start(m);
    EXPECT_EQ(run(flow, state, 500).status, run_status::done) << method;
    EXPECT_LT(std::abs(state.position[1]), 1e-13) << method;
  }
}

// Down to the smallest numbers that there are, and to zero.
TEST(hard_steps, a_motion_that_dies_out_is_no_failure) {
  const model m = parse_model(R"toml(coordinates = ["a", "b"]
lagrangian = "1/2*(a'^2 + b'^2) - 1/2*a^2 - 1/2*(b - a)^2 - (b - a)^4"
[forces]
a = "-a'"
b = "-b'"
[initial.position]
a = 1e-280
b = -3e-290
[initial.velocity]
a = 0
b = 0
)toml",
                              "m.toml");
  for (const char* method : {"simpson", "midpoint", "verlet", "gauss-3", "lobatto-4"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.1});
    phase_state<double> state = flow.at_start(m);
    const auto report = run(flow, state, 2500);
    EXPECT_EQ(report.status, run_status::done) << method << ": " << report.reason;
  }
}

TEST(hard_steps, dry_friction_stops_a_motion) {
  const model m = parse_model(R"toml(coordinates = ["q"]
lagrangian = "1/2*q'^2 - 1/2*q^2"
[parameters]
c = 0.3
s = 1e4
[forces]
q = "-c*tanh(s*q')"
[initial.position]
q = 1
[initial.velocity]
q = 0
)toml",
                              "dry.toml");
  for (const char* method : {"simpson", "verlet", "midpoint", "gauss-2", "lobatto-4"}) {
    for (const double step : {0.005, 0.05}) {
      const integrator<double> flow(m.system, {.method = method, .step = step});
      phase_state<double> state = flow.at_start(m);
      const auto report = run(flow, state, static_cast<std::size_t>(10 / step));
      EXPECT_EQ(report.status, run_status::done) << method << " " << step << ": " << report.reason;
      EXPECT_LT(std::abs(state.position[0]), 0.31) << method << " " << step;
    }
  }
  const integrator<quad> flow(m.system, {.method = "simpson", .step = quad(0.05)});
  phase_state<quad> state = flow.at_start(m);
  EXPECT_EQ(run(flow, state, 200).status, run_status::done);
}

TEST(hard_steps, dry_friction_stops_a_motion_under_constraints) {
  const model m = parse_model(R"toml(coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - y"
[constraints]
rod = "x^2 + y^2 - 1"
[forces]
x = "-0.3*tanh(1e4*x')"
y = "-0.3*tanh(1e4*y')"
[initial.position]
x = 1
y = 0
[initial.velocity]
x = 0
y = 0
)toml",
                              "m.toml");
  const integrator<double> flow(m.system, {.method = "verlet", .step = 0.01});
  phase_state<double> state = flow.at_start(m);
  const auto report = run(flow, state, 1000);
  EXPECT_EQ(report.status, run_status::done) << report.reason;
}

std::size_t noted = 0;
void note(std::size_t operations) { noted = std::max(noted, operations); }

// Machine code of so long a formula would take minutes.
TEST(hard_steps, a_very_long_formula_is_interpreted) {
  std::string sum = "1/2*x'^2";
  for (int i = 1; i <= 3000; ++i) sum += fmt::format(" + 0.001*cos({}*x)", i);
  const model m = parse_model(
      "coordinates = [\"x\"]\nlagrangian = \"" + sum + "\"\n[initial.position]\nx = 0.1\n[initial.velocity]\nx = 0\n",
      "m.toml");
  set_compile_note(note);
  for (const char* method : {"simpson", "gauss-4", "rk4"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.001});
    phase_state<double> state = flow.at_start(m);
    EXPECT_EQ(run(flow, state, 20).status, run_status::done) << method;
  }
  set_compile_note(nullptr);
  EXPECT_EQ(noted, 0U);
}

}  // namespace
}  // namespace actio
