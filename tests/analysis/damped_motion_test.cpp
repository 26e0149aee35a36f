// [linear] with damping and loads that vary: exact motion, ledger, frequencies and stability.
#include "actio/analysis/damped_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/analysis/modal_motion.hpp"
#include "actio/analysis/model_facts.hpp"
#include "actio/simulate/run.hpp"

namespace actio {
namespace {

model read(const std::string& text) { return parse_model(text, "m.toml"); }

model oscillator(const std::string& more, const std::string& start = "[initial.position]\nq1 = 1\n") {
  return read("[linear]\nmass = [[2]]\nstiffness = [[8]]\n" + more + start);
}

TEST(damped_motion, decays_as_the_formula_says) {
  // q'' + 2γq' + 4q = 0 with γ = 1/4: e^{−γt} (cos wt + γ/w sin wt).
  const exact_motion<double> motion = modal_motion_of<double>(oscillator("damping = [[1]]\n"));
  ASSERT_TRUE(motion);
  const double g = 0.25, w = std::sqrt(4 - g * g);
  for (const double t : {0.0, 0.3, 2.0, 17.0}) {
    EXPECT_NEAR(motion(t).position[0], std::exp(-g * t) * (std::cos(w * t) + g / w * std::sin(w * t)), 1e-15);
    EXPECT_NEAR(motion(t).momentum[0], -2 * std::exp(-g * t) * (g * g / w + w) * std::sin(w * t), 1e-14);
  }
}

TEST(damped_motion, knows_resonance_and_products_of_functions) {
  // q'' + 4q = cos 2t from rest: t/4 sin 2t.
  const exact_motion<double> resonant = modal_motion_of<double>(oscillator("load = [\"2*cos(2*t)\"]\n", ""));
  ASSERT_TRUE(resonant);
  EXPECT_NEAR(resonant(3.0).position[0], 0.75 * std::sin(6.0), 1e-15);
  // Of any such load the equations hold: differences of the motion beside it.
  const model m = oscillator("rayleigh = [0.1, 0.02]\nload = [\"t^2*exp(-t/3)*sin(3*t + 1)^2 - cosh(t/5)*t\"]\n");
  const exact_motion<quad> motion = modal_motion_of<quad>(m);
  ASSERT_TRUE(motion);
  const quad h = 1e-8;
  for (const double at : {0.5, 4.0}) {
    const quad t = at;
    const quad q = motion(t).position[0], v = motion(t).momentum[0] / 2;
    const quad a = (motion(t + h).momentum[0] - motion(t - h).momentum[0]) / (4 * h);
    const quad sine = sin(quad(3 * t + 1));
    const quad f = t * t * exp(quad(-t / 3)) * sine * sine - cosh(quad(t / 5)) * t;
    EXPECT_LT(std::abs(to_double(quad(2 * a + quad("0.36") * v + 8 * q - f))), 1e-12) << at;
    EXPECT_LT(std::abs(to_double(quad((motion(t + h).position[0] - motion(t - h).position[0]) / (2 * h) - v))), 1e-12);
  }
  EXPECT_FALSE(modal_motion_of<double>(oscillator("load = [\"1/(1 + t)\"]\n")));
}

TEST(damped_motion, is_what_methods_converge_to_and_the_ledger_accounts_for_it) {
  const model m = read(R"toml(
[linear]
mass = [[2, 0.1], [0.1, 1]]
stiffness = [[30, -10], [-10, 10]]
damping = [[0.5, 0.2], [-0.1, 0.3]]
load = [0, "2*sin(7*t)"]
[initial.position]
q1 = 0.1
[initial.velocity]
q2 = 1
)toml");
  const exact_motion<double> motion = modal_motion_of<double>(m);
  ASSERT_TRUE(motion);
  const integrator<double> flow(m.system, {.method = "gauss-4", .step = 0.02});
  phase_state<double> state = flow.at_start(m);
  const auto report = run(flow, state, 250);
  const exact_point<double> end = motion(5.0);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(state.position[i], end.position[i], 1e-12);
    EXPECT_NEAR(state.momentum[i], end.momentum[i], 1e-12);
  }
  EXPECT_TRUE(report.energy.supplied);
  EXPECT_LT(report.energy.max_relative_error, 1e-11);
}

TEST(linear_facts, know_damping) {
  const model m = oscillator("rayleigh = [0.25, \"r\"]\nload = [\"sin(t)\"]\n[parameters]\nr = 0.0625\n");
  const auto facts = facts_of(m).linear;
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->damping(0, 0), 1);  // 0.25·2 + 0.0625·8
  ASSERT_EQ(facts->damped.size(), 1u);
  EXPECT_NEAR(facts->damped[0].decay, 0.25, 1e-14);
  EXPECT_NEAR(facts->damped[0].frequency, std::sqrt(4 - 0.0625), 1e-13);
  EXPECT_EQ(facts->varying, std::vector<std::string>{"sin(t)"});
}

TEST(linear_guard, refuses_steps_that_let_damped_oscillations_grow) {
  const model m = oscillator("damping = [[0.1]]\nload = [\"cos(t)\"]\n");
  EXPECT_THROW(integrator<double>(m.system, {.method = "strang", .step = 0.5}), input_error);  // forces of velocities
  EXPECT_THROW(integrator<double>(m.system, {.method = "verlet", .step = 1.2}), input_error);
  EXPECT_NO_THROW(integrator<double>(m.system, {.method = "midpoint", .step = 1.2}));
}

TEST(time_terms, refuse_what_is_none) {
  const expr t = time_symbol();
  EXPECT_EQ(time_terms_of(sin(2 * t) * cos(3 * t))->size(), 2u);
  EXPECT_EQ(time_terms_of(pow(t, 3))->front().power, 3u);
  EXPECT_FALSE(time_terms_of(sin(t * t)));
  EXPECT_FALSE(time_terms_of(sqrt(t)));
  EXPECT_FALSE(time_terms_of(abs(t)));
}

}  // namespace
}  // namespace actio
