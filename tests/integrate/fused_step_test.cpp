// Newton's iteration as one program: the same motion as by the general step.
#include "actio/integrate/fused_step.hpp"

#include <gtest/gtest.h>

#include "actio/backend/backend.hpp"
#include "actio/discrete/newton_program.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

std::unique_ptr<newton_kernel> kernel_of(const integrator<double>& flow, const galerkin_scheme& scheme, double h) {
  const newton_code code = newton_code_of(flow.space().system(), make_tableau<double>(scheme));
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
  if (!machine_code_is_available()) GTEST_SKIP() << "there is no machine code";
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
  if (!machine_code_is_available()) GTEST_SKIP() << "there is no machine code";
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

TEST(fused_step, goes_on_bit_for_bit) {
  if (!machine_code_is_available()) GTEST_SKIP() << "there is no machine code";
  const model m = load_model("double-pendulum");
  const integrator<double> flow(m.system, {.method = "simpson", .step = 0.01});
  const galerkin_scheme simpson{2, node_family::lobatto, 3};
  fused_step first(simpson, kernel_of(flow, simpson, 0.01), {flow.space(), 0.01});
  fused_step second(simpson, kernel_of(flow, simpson, 0.01), {flow.space(), 0.01});
  phase_state<double> state = flow.at_start(m);
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(first.advance(state));
  second.restore_history(first.history());
  phase_state<double> resumed = state;
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(first.advance(state));
    ASSERT_TRUE(second.advance(resumed));
  }
  EXPECT_EQ(state.position.value, resumed.position.value);
  EXPECT_EQ(state.momentum.value, resumed.momentum.value);
}

}  // namespace
}  // namespace actio
