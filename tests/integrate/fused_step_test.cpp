// Newton's iteration as one program: the same motion as by the general step.
#include "actio/integrate/fused_step.hpp"

#include <gtest/gtest.h>

#include "actio/backend/backend.hpp"
#include "actio/discrete/newton_program.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

std::unique_ptr<newton_kernel> kernel_of(const integrator<double>& flow, const galerkin_scheme& scheme, double h) {
  const newton_code code = newton_code_of(*flow.space().code(), scheme);
  return make_newton_kernel(code, flow.space().parameters(), h);
}

// Both steps from the same start: the largest relative difference of their states after `steps` steps.
double difference(const std::string& problem, const galerkin_scheme& scheme, double h, std::size_t steps) {
  const model m = load_model(problem);
  const integrator<double> flow(m.system, {.method = "midpoint", .step = h});
  const step_context<double> context{flow.space(), h};
  fused_step fused(scheme, kernel_of(flow, scheme, h), context);
  galerkin_step<double> general(scheme, context);
  phase_state<double> a = flow.at_start(m), b = a;
  double largest = 0;
  for (std::size_t k = 0; k < steps; ++k) {
    EXPECT_TRUE(fused.advance(a));
    EXPECT_TRUE(general.advance(b));
    EXPECT_NEAR(fused.work(), general.work(), 1e-13);
    for (std::size_t i = 0; i < a.position.size(); ++i) {
      largest = std::max({largest, std::abs(a.position[i] - b.position[i]) / (1 + std::abs(b.position[i])),
                          std::abs(a.momentum[i] - b.momentum[i]) / (1 + std::abs(b.momentum[i]))});
    }
  }
  return largest;
}

TEST(fused_step, equals_the_galerkin_step) {
  ACTIO_NEEDS(machine_code);
  const galerkin_scheme midpoint{1, node_family::gauss, 1}, simpson{2, node_family::lobatto, 3};
  const galerkin_scheme lobatto_4{3, node_family::lobatto, 4}, euler_a{1, node_family::left_end, 1};
  EXPECT_LT(difference("pendulum", midpoint, 0.01, 100), 1e-13);
  EXPECT_LT(difference("double-pendulum", simpson, 0.01, 100), 1e-12);
  EXPECT_LT(difference("lagrange-top", simpson, 0.01, 100), 1e-11);
  EXPECT_LT(difference("kepler", lobatto_4, 0.02, 100), 1e-13);
  EXPECT_LT(difference("relativistic-oscillator", simpson, 0.05, 100), 1e-13);
  EXPECT_LT(difference("damped-driven-pendulum", simpson, 0.02, 100), 1e-13);
  EXPECT_LT(difference("charged-particle", euler_a, 0.01, 100), 1e-12);
}

TEST(fused_step, keeps_cyclic_momenta_to_the_last_bit) {
  ACTIO_NEEDS(machine_code);
  const model m = load_model("lagrange-top");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  const galerkin_scheme simpson{2, node_family::lobatto, 3};
  fused_step step(simpson, kernel_of(flow, simpson, 0.01), {flow.space(), 0.01});
  phase_state<double> state = flow.at_start(m);
  const phase_state<double> start = state;
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(step.advance(state));
  EXPECT_EQ(state.momentum[0], start.momentum[0]);
  EXPECT_EQ(state.momentum[2], start.momentum[2]);
  EXPECT_NE(state.momentum[1], start.momentum[1]);
}

// Cut after steps that ended with their first update, with a second one, and without a past.
TEST(fused_step, goes_on_bit_for_bit) {
  ACTIO_NEEDS(machine_code);
  const galerkin_scheme simpson{2, node_family::lobatto, 3};
  for (const auto& [problem, h] : {std::pair{"double-pendulum", 0.002}, std::pair{"double-pendulum", 0.03},
                                   std::pair{"damped-driven-pendulum", 0.02}, std::pair{"kepler", 0.01}}) {
    const model m = load_model(problem);
    const integrator<double> flow(m.system, {.method = "simpson", .step = h});
    for (const int cut : {1, 5, 50, 51, 130, 131}) {
      fused_step first(simpson, kernel_of(flow, simpson, h), {flow.space(), h});
      fused_step second(simpson, kernel_of(flow, simpson, h), {flow.space(), h});
      phase_state<double> state = flow.at_start(m);
      for (int k = 0; k < cut; ++k) ASSERT_TRUE(first.advance(state));
      second.restore_history(first.history());
      phase_state<double> resumed = state;
      for (int k = 0; k < 200; ++k) {
        ASSERT_TRUE(first.advance(state));
        ASSERT_TRUE(second.advance(resumed));
      }
      EXPECT_EQ(state.position.value, resumed.position.value) << problem << " cut after " << cut;
      EXPECT_EQ(state.momentum.value, resumed.momentum.value) << problem << " cut after " << cut;
      EXPECT_EQ(first.history(), second.history()) << problem << " cut after " << cut;
    }
  }
}

// The prediction from sixteen steps makes one iteration enough: beside those at the start and the checks there are few.
TEST(fused_step, needs_one_iteration_where_steps_are_short_enough) {
  ACTIO_NEEDS(machine_code);
  const model m = load_model("double-pendulum");
  const galerkin_scheme simpson{2, node_family::lobatto, 3};
  for (const auto& [h, most] : {std::pair{0.0005, 1.02}, std::pair{0.01, 1.05}, std::pair{0.02, 1.6}}) {
    const integrator<double> flow(m.system, {.method = "simpson", .step = h});
    fused_step step(simpson, kernel_of(flow, simpson, h), {flow.space(), h});
    phase_state<double> state = flow.at_start(m);
    state.position.value = {pi_value<double>() / 4, pi_value<double>() / 3};  // swinging, not turning over
    state.momentum.value = {0, 0};
    int iterations = 0;
    const int steps = 1000;
    for (int k = 0; k < steps; ++k) {
      const step_status status = step.advance(state);
      ASSERT_TRUE(status);
      iterations += status.iterations;
    }
    EXPECT_LT(iterations, most * steps) << h;
  }
}

// High orders that smooth motion made good lead astray where it becomes rough: here after some hundred steps.
TEST(fused_step, stays_with_the_solution_where_motion_becomes_rough) {
  ACTIO_NEEDS(machine_code);
  const galerkin_scheme simpson{2, node_family::lobatto, 3};
  EXPECT_LT(difference("lagrange-top", simpson, 0.1, 1000), 1e-9);
}

// Beyond what the inlined sine can reduce; and when steps are so long that sines looked up ahead are of no use.
TEST(fused_step, knows_sines_of_large_angles_and_of_distant_ones) {
  ACTIO_NEEDS(machine_code);
  const model m = load_model("pendulum");
  const galerkin_scheme simpson{2, node_family::lobatto, 3};
  for (const auto& [angle, h] : {std::pair{1e9, 0.01}, std::pair{-3e7, 0.01}, std::pair{1.0, 0.25}}) {
    const integrator<double> flow(m.system, {.method = "simpson", .step = h});
    const step_context<double> context{flow.space(), h};
    fused_step fused(simpson, kernel_of(flow, simpson, h), context);
    galerkin_step<double> general(simpson, context);
    phase_state<double> a = flow.at_start(m);
    a.position.value[0] = angle;
    phase_state<double> b = a;
    for (int k = 0; k < 100; ++k) {
      ASSERT_TRUE(fused.advance(a));
      ASSERT_TRUE(general.advance(b));
    }
    EXPECT_NEAR(a.position[0], b.position[0], 1e-15 * std::abs(angle) + 1e-12) << angle;
    EXPECT_NEAR(a.momentum[0], b.momentum[0], 1e-14 * std::abs(angle) + 1e-12) << angle;
  }
}

// The elimination of two unknowns (one pivot), three (a pair and one), four, six and nine.
TEST(fused_step, solves_for_any_number_of_unknowns) {
  ACTIO_NEEDS(machine_code);
  const galerkin_scheme midpoint{1, node_family::gauss, 1}, lobatto_4{3, node_family::lobatto, 4};
  EXPECT_LT(difference("double-pendulum", midpoint, 0.01, 100), 1e-12);
  EXPECT_LT(difference("lagrange-top", midpoint, 0.01, 100), 1e-11);
  EXPECT_LT(difference("pendulum", lobatto_4, 0.02, 100), 1e-13);
  EXPECT_LT(difference("double-pendulum", lobatto_4, 0.02, 100), 1e-12);
  EXPECT_LT(difference("lagrange-top", lobatto_4, 0.01, 100), 1e-11);
}

}  // namespace
}  // namespace actio
