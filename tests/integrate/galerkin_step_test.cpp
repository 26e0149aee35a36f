// Steps with more digits than a double has: Newton's method with the Jacobian in double.
#include "actio/integrate/galerkin_step.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "actio/simulate/integrator.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

const galerkin_scheme simpson{2, node_family::lobatto, 3}, gauss_3{3, node_family::gauss, 3};

// The solution of a step is unique: steps of the same length in many more digits have it to all digits asked for.
template <class S>
double distance_from_more_digits(const char* text, const galerkin_scheme& scheme, const char* step, int steps) {
  const model m = testing::read(text);
  const auto end_of = [&]<class T>(T) {
    const integrator<T> flow(m.system, {.method = "midpoint", .step = from_digits<T>(step)});
    galerkin_step<T> workspace(scheme, {flow.space(), from_digits<T>(step)});
    phase_state<T> state = flow.at_start(m);
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(workspace.advance(state));
    std::vector<std::string> digits;
    for (const T& x : state.position.value) digits.push_back(to_digits(x));
    for (const T& x : state.momentum.value) digits.push_back(to_digits(x));
    return digits;
  };
  const std::vector<std::string> ours = end_of(S(0));
  // Beyond the digits for which a Jacobian in double pays, Newton's method is the ordinary one.
  const precision_scope scope(300);
  const std::vector<std::string> truth = end_of(multi(0));
  multi largest = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const multi exact = from_digits<multi>(truth[i]);
    largest = std::max<multi>(largest, abs(from_digits<multi>(ours[i]) - exact) / (1 + abs(exact)));
  }
  return to_double(largest);
}

TEST(galerkin_step, has_all_its_digits_in_quad) {
  for (const char* text : {testing::double_pendulum_in_angles, testing::henon_heiles, testing::forced_system}) {
    EXPECT_LT(distance_from_more_digits<quad>(text, simpson, "0.02", 20), 2e-31);
    EXPECT_LT(distance_from_more_digits<quad>(text, gauss_3, "0.02", 20), 2e-31);
  }
}

TEST(galerkin_step, has_all_its_digits_in_multi) {
  ACTIO_NEEDS(mpfr);
  for (const unsigned digits : {25u, 40u, 64u, 100u, 180u}) {
    const precision_scope scope(digits);
    for (const char* text : {testing::double_pendulum_in_angles, testing::henon_heiles, testing::forced_system}) {
      EXPECT_LT(distance_from_more_digits<multi>(text, simpson, "0.02", 20), std::pow(10.0, 3.0 - digits)) << digits;
    }
    EXPECT_LT(distance_from_more_digits<multi>(testing::henon_heiles, gauss_3, "0.3", 20),
              std::pow(10.0, 3.0 - digits));
  }
}

TEST(galerkin_step, solves_without_a_history_and_with_long_steps) {
  ACTIO_NEEDS(mpfr);
  const precision_scope scope(64);
  EXPECT_LT(distance_from_more_digits<multi>(testing::double_pendulum_in_angles, simpson, "0.2", 3), 1e-61);
  EXPECT_LT(distance_from_more_digits<multi>(testing::henon_heiles, simpson, "1e-6", 3), 1e-61);
}

// A mass of 10^-200 and a spring to match: residuals and Jacobians are out of the range of double, the motion is not.
TEST(galerkin_step, falls_back_where_double_cannot_hold_the_jacobian) {
  ACTIO_NEEDS(mpfr);
  const std::string text = R"toml(name = "tiny"
coordinates = ["x"]
lagrangian = "1e-400*(x'^2/2 - x^4/4)"
[initial.position]
x = 1
[initial.velocity]
x = 0
)toml";
  const precision_scope scope(50);
  EXPECT_LT(distance_from_more_digits<multi>(text.c_str(), simpson, "0.02", 20), 1e-46);
}

TEST(galerkin_step, at_64_digits_gains_a_double_an_iteration_and_evaluates_no_more_than_needed) {
  const precision_scope scope(64);
  const model m = testing::read(testing::double_pendulum_in_angles);
  const multi step = multi(1) / 100;
  const integrator<multi> flow(m.system, {.method = "simpson", .step = step});
  galerkin_step<multi> workspace(simpson, {flow.space(), step});
  phase_state<multi> state = flow.at_start(m);
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(workspace.advance(state));
  for (int k = 0; k < 40; ++k) EXPECT_LE(workspace.advance(state).iterations, 1 + digits_in_use() / 15);
}

TEST(galerkin_step, keeps_cyclic_momenta_to_the_last_bit) {
  const precision_scope scope(50);
  const model m = testing::read(R"toml(name = "polar"
coordinates = ["r", "phi"]
lagrangian = "(r'^2 + r^2*phi'^2)/2 - r^2/2 - r^4/5"
[initial.position]
r = 1
phi = 0
[initial.velocity]
r = 0.1
phi = 0.7
)toml");
  const multi step = multi(1) / 20;
  const integrator<multi> flow(m.system, {.method = "simpson", .step = step});
  galerkin_step<multi> workspace(simpson, {flow.space(), step});
  phase_state<multi> state = flow.at_start(m);
  const multi start = state.momentum[1];
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(workspace.advance(state));
  EXPECT_EQ(state.momentum[1], start);
  EXPECT_EQ(state.momentum.remainder[1], 0);
}

TEST(galerkin_step, refuses_a_history_that_is_not_its_own) {
  const precision_scope scope(50);
  const model m = testing::read(testing::henon_heiles);
  const integrator<multi> flow(m.system, {.method = "simpson", .step = multi(1) / 50});
  const auto workspace = flow.make_workspace();
  std::vector<multi> saved = workspace->history();
  EXPECT_THROW(workspace->restore_history(std::vector<multi>{}), snapshot_error);
  saved.back() = -1;
  EXPECT_THROW(workspace->restore_history(saved), snapshot_error);
}

// Masses in a row, numbered so that neighbours stand far apart: the matrix is a band only after renumbering.
model row_of_masses(std::size_t n) {
  const auto name = [&](std::size_t i) { return fmt::format("x{}", 7 * i % n); };
  std::string names, lagrangian, position, momentum;
  for (std::size_t i = 0; i < n; ++i) {
    names += fmt::format("{}\"x{}\"", i > 0 ? ", " : "", i);
    const std::string left = i > 0 ? " - " + name(i - 1) : "";
    lagrangian += fmt::format("{0}1/2*{1}'^2 - 1/2*({1}{2})^2 - 1/4*({1}{2})^4", i > 0 ? " + " : "", name(i), left);
    position += fmt::format("x{0} = \"sin({0})\"\n", i);
    momentum += fmt::format("x{} = 0\n", i);
  }
  return parse_model(
      fmt::format("coordinates = [{}]\nlagrangian = \"{}\"\n[initial.position]\n{}[initial.momentum]\n{}", names,
                  lagrangian, position, momentum),
      "row.toml");
}

// A stone that comes down to where it was thrown from: the one unknown is nothing but rounding.
template <class S>
void expect_steps_back_to_the_start(const galerkin_scheme& scheme) {
  const model m = testing::read("coordinates = ['y']\nlagrangian = \"1/2*y'^2 - 981/100*y\"");
  const phase_space<S> space(m.system, std::vector<S>{});
  for (int k = 1; k <= 400; ++k) {
    const S speed = S(k) / S(1201), step = S(200) * speed / S(981);
    galerkin_step<S> workspace(scheme, {space, step});
    phase_state<S> state;
    state.position = compensated_vector<S>(std::vector<S>{S(k % 4) * epsilon<S>() / S(4096)});
    state.momentum = compensated_vector<S>(std::vector<S>{speed});
    ASSERT_TRUE(workspace.advance(state)) << k;
    EXPECT_LT(std::abs(to_double(S(state.momentum[0] + speed))), to_double(S(S(8) * epsilon<S>() * speed))) << k;
  }
}

TEST(galerkin_step, may_come_back_to_where_it_began) {
  for (const galerkin_scheme& scheme : {galerkin_scheme{1, node_family::lobatto, 2}, {1, node_family::gauss, 1}}) {
    expect_steps_back_to_the_start<double>(scheme);
    expect_steps_back_to_the_start<quad>(scheme);
  }
}

// In quad the Jacobian is dense and in double, here it is a band.
TEST(galerkin_step, inside_a_band_has_the_motion_of_the_dense_one) {
  const model m = row_of_masses(40);
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.02});
  const integrator<quad> exact(m.system, {.method = "simpson", .step = quad(1) / 50});
  galerkin_step<double> step({2, node_family::lobatto, 3}, {flow.space(), 0.02});
  galerkin_step<quad> other({2, node_family::lobatto, 3}, {exact.space(), quad(1) / 50});
  phase_state<double> state = flow.at_start(m);
  phase_state<quad> reference = exact.at_start(m);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(step.advance(state));
    ASSERT_TRUE(other.advance(reference));
  }
  for (std::size_t i = 0; i < m.system.size(); ++i) {
    EXPECT_NEAR(state.position[i], to_double(reference.position[i]), 1e-13);
    EXPECT_NEAR(state.momentum[i], to_double(reference.momentum[i]), 1e-13);
  }
}

}  // namespace
}  // namespace actio
