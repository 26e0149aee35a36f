// Gauss methods as collocation: the same motion as by Newton's method on the discrete action.
#include "actio/integrate/collocation_step.hpp"

#include <gtest/gtest.h>

#include "actio/backend/backend.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/allocations.hpp"

namespace actio {
namespace {

// Both steps from the same start, and the largest difference of their states after `steps` steps.
double difference(const std::string& problem, std::size_t points, double h, std::size_t steps) {
  const model m = load_model(problem);
  const integrator<double> flow(m.system, {.method = "midpoint", .step = h});
  const step_context<double> context{flow.space(), h};
  collocation_step by_collocation({*hamilton_program(m.system), points}, context);
  galerkin_step<double> by_newton({points, node_family::gauss, points}, context);
  phase_state<double> a = flow.at_start(m), b = a;
  double largest = 0;
  for (std::size_t k = 0; k < steps; ++k) {
    EXPECT_TRUE(by_collocation.advance(a));
    EXPECT_TRUE(by_newton.advance(b));
    for (std::size_t i = 0; i < a.position.size(); ++i) {
      largest = std::max({largest, std::abs(a.position[i] - b.position[i]) / (1 + std::abs(b.position[i])),
                          std::abs(a.momentum[i] - b.momentum[i]) / (1 + std::abs(b.momentum[i]))});
    }
  }
  return largest;
}

TEST(collocation_step, equals_the_galerkin_step) {
  EXPECT_LT(difference("pendulum", 1, 0.01, 50), 1e-14);
  EXPECT_LT(difference("double-pendulum", 3, 0.02, 50), 1e-13);
  EXPECT_LT(difference("lagrange-top", 8, 0.02, 50), 1e-12);
  EXPECT_LT(difference("kepler", 9, 0.1, 50), 1e-13);
  EXPECT_LT(difference("charged-particle", 10, 0.05, 20), 1e-13);
  EXPECT_LT(difference("damped-driven-pendulum", 4, 0.02, 50), 1e-13);
  EXPECT_LT(difference("outer-solar-system", 8, 50, 20), 1e-13);
}

// A step of the kernel and of the iteration that any backend can carry out, from the same start.
TEST(collocation_step, kernels_and_the_general_iteration_agree) {
  for (const char* problem : {"double-pendulum", "lagrange-top", "kepler", "damped-driven-pendulum", "toda-lattice"}) {
    const model m = load_model(problem);
    for (const std::size_t points : {1, 2, 3, 5, 8, 9}) {
      const integrator<double> flow(m.system, {.method = "midpoint", .step = 0.02});
      const collocation_code code{*hamilton_program(m.system), points};
      phase_state<double> states[2] = {flow.at_start(m), flow.at_start(m)};
      for (const backend choice : {backend::automatic, backend::interpreter}) {
        set_default_backend(choice);
        collocation_step step(code, {flow.space(), 0.02});
        for (int k = 0; k < 30; ++k) ASSERT_TRUE(step.advance(states[choice == backend::interpreter]));
      }
      set_default_backend(backend::automatic);
      for (std::size_t i = 0; i < m.system.size(); ++i) {
        const double scale = 1 + std::abs(states[0].position[i]) + std::abs(states[0].momentum[i]);
        EXPECT_NEAR(states[0].position[i], states[1].position[i], 1e-13 * scale) << problem << points;
        EXPECT_NEAR(states[0].momentum[i], states[1].momentum[i], 1e-13 * scale) << problem << points;
      }
    }
  }
}

// Angles beyond the range of the inlined sine.
TEST(collocation_step, goes_round_many_times) {
  const model m = parse_model(R"toml(
coordinates = ["q"]
lagrangian = "1/2*q'^2 + cos(q)"
[initial.position]
q = 0
[initial.velocity]
q = 40
)toml",
                              "test.toml");
  for (const char* method : {"gauss-6", "simpson", "lobatto-4"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.005});
    phase_state<double> state = flow.at_start(m);
    const auto report = run(flow, state, 4000);
    EXPECT_EQ(report.status, run_status::done) << method;
    EXPECT_GT(state.position[0], 790.0);
    EXPECT_LT(report.energy.max_relative_error, 1e-8) << method;
  }
}

TEST(collocation_step, leaves_long_steps_to_newton) {
  const model m = load_model("harmonic-oscillator");
  const integrator<double> flow(m.system, {.method = "gauss-2", .step = 20});
  phase_state<double> state = flow.at_start(m);
  const auto report = run(flow, state, 100);
  EXPECT_EQ(report.status, run_status::done);
  EXPECT_LT(report.energy.max_relative_error, 1e-12);
}

TEST(collocation_step, allocates_nothing) {
  const model m = load_model("double-pendulum");
  const integrator<double> flow(m.system, {.method = "gauss-8", .step = 0.02});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  workspace->advance(state);
  workspace->advance(state);
  const testing::allocation_count count;
  for (int k = 0; k < 100; ++k) workspace->advance(state);
  EXPECT_EQ(count.since_start(), 0U);
}

}  // namespace
}  // namespace actio
