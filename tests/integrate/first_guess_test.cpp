// Where Newton's method begins changes what it costs, and nothing else.
#include "actio/integrate/first_guess.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/backend/backend.hpp"
#include "actio/simulate/run.hpp"
#include "problems/problem.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

template <class S>
run_report<S> report_of(const model& m, const char* method, const S& step, std::size_t steps, first_guess guess) {
  const integrator<S> flow(m.system, {.method = method, .step = step, .guess = guess});
  phase_state<S> state = flow.at_start(m);
  return run(flow, state, steps);
}

template <class S>
void expect_agreement(const model& m, const char* method, const S& step, double tolerance) {
  using std::abs;
  const run_report<S> usual = report_of<S>(m, method, step, 60, first_guess::extrapolation);
  for (const first_guess guess : {first_guess::velocity, first_guess::state}) {
    const run_report<S> other = report_of<S>(m, method, step, 60, guess);
    ASSERT_EQ(other.status, run_status::done) << method;
    for (std::size_t i = 0; i < m.system.size(); ++i) {
      EXPECT_LT(abs(S(other.position[i] - usual.position[i])), tolerance) << method;
      EXPECT_LT(abs(S(other.momentum[i] - usual.momentum[i])), tolerance) << method;
    }
  }
}

TEST(first_guess, does_not_change_the_motion) {
  const model pendulum = testing::read(testing::double_pendulum_in_angles),
              forced = testing::read(testing::forced_system);
  for (const char* method : {"midpoint", "verlet", "simpson", "lobatto-4", "gauss-3", "lobatto-iiia-iiib-3"}) {
    expect_agreement<double>(pendulum, method, 0.01, 1e-13);
    expect_agreement<double>(forced, method, 0.05, 1e-13);
  }
  expect_agreement<quad>(pendulum, "simpson", quad(0.01), 1e-30);
  const precision_scope digits(50);
  expect_agreement<multi>(pendulum, "simpson", multi(1) / 100, 1e-45);
}

TEST(first_guess, does_not_change_constrained_and_linear_motions) {
  expect_agreement<double>(load_model("spherical-pendulum-rod"), "simpson", 0.05, 1e-13);
  expect_agreement<double>(load_model("four-bar-linkage"), "lobatto-4", 0.01, 1e-12);
  expect_agreement<double>(load_model("linear-double-pendulum"), "simpson", 0.05, 1e-13);
}

// "This algorithm is converging to machine accuracy in five iterations" from the position and the momentum before, on
// the pendulum with ω = 2π from q = π/2 at rest. [dubois2023, Sections 3 and 4]
TEST(first_guess, of_the_papers_takes_five_iterations) {
  const model m = load_model("pendulum");
  for (const char* method : {"midpoint", "simpson"}) {
    for (const int steps_a_second : {10, 20}) {
      const double step = 1.0 / steps_a_second;
      const auto of = [&](first_guess guess) { return report_of<double>(m, method, step, 200, guess); };
      const run_report<double> state = of(first_guess::state), usual = of(first_guess::extrapolation);
      EXPECT_LE(state.max_iterations, 6) << method << step;
      EXPECT_GE(state.max_iterations, 4) << method << step;
      EXPECT_NEAR(state.mean_iterations, 4.5, 0.75) << method << step;
      // The general step needs more iterations than the kernel of machine code does.
      const double fewer = machine_code_is_available() ? 0.5 : 0.2;
      EXPECT_LT(usual.mean_iterations, state.mean_iterations - fewer) << method << step;
    }
  }
}

}  // namespace
}  // namespace actio
