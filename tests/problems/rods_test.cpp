// Rods that hold one another: chains, strings and trees under constraints.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "actio/simulate/integrator.hpp"
#include "problems/problem.hpp"

namespace actio {
namespace {

model sized(const char* problem, int n) {
  model m = load_model(problem);
  set_parameter(m, {"n=" + std::to_string(n), {}, ""});
  return m;
}

struct motion {
  std::vector<double> position;
  double energy_error = 0, violation = 0, hidden = 0;
};

motion moved(const model& m, const std::string& method, double h, int steps) {
  const integrator<double> flow(m.system, {.method = method, .step = h});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  phase_point<double> point(workspace->space());
  EXPECT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
  const double start = point.energy();
  motion result;
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(workspace->advance(state));
    EXPECT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
    result.energy_error = std::max(result.energy_error, std::abs(point.energy() - start));
    result.violation = std::max(result.violation, point.constraint_violation());
    result.hidden = std::max(result.hidden, point.hidden_violation());
  }
  result.position = state.position.value;
  return result;
}

TEST(rods, chain_moves_alike_in_angles_and_with_constraints) {
  constexpr int n = 6;
  const motion angles = moved(sized("chain-in-angles", n), "gauss-4", 0.01, 60),
               points = moved(sized("hanging-chain", n), "lobatto-5", 0.01, 60);
  double x = 0, y = 0;
  for (int i = 0; i < n; ++i) {
    x += std::sin(angles.position[i]);
    y -= std::cos(angles.position[i]);
    EXPECT_NEAR(points.position[i], x, 1e-9) << i;
    EXPECT_NEAR(points.position[n + i], y, 1e-9) << i;
  }
}

// What an error of order `order` leaves of itself with half the step, and constraints to rounding.
void expect_kept(const model& m, const std::string& method, double h, int steps, double order) {
  const motion coarse = moved(m, method, h, steps), fine = moved(m, method, h / 2, 2 * steps);
  EXPECT_LT(coarse.violation, 1e-13) << method;
  EXPECT_LT(coarse.hidden, 1e-12) << method;
  EXPECT_NEAR(std::log2(coarse.energy_error / fine.energy_error), order, 0.5) << method;
}

TEST(rods, keep_their_lengths_in_long_chains) {
  expect_kept(sized("hanging-chain", 60), "simpson", 0.02, 50, 4);
  expect_kept(sized("hanging-chain", 60), "verlet", 0.01, 100, 2);
}

TEST(rods, keep_their_lengths_between_supports) {
  expect_kept(sized("inextensible-string", 40), "simpson", 0.004, 50, 4);
  expect_kept(sized("inextensible-string", 40), "verlet", 0.001, 100, 2);
}

// Most of a large tree hardly moves at first: what rounding makes of its unknowns does not stop a step.
TEST(rods, start_from_rest_in_large_trees) {
  for (const int n : {20, 100}) {
    const model m = sized("rod-tree", n);
    for (const char* method : {"verlet", "simpson", "lobatto-4"}) {
      for (const double h : {0.01, 0.005, 0.001}) {
        const integrator<double> flow(m.system, {.method = method, .step = h});
        phase_state<double> state = flow.at_start(m);
        const auto workspace = flow.make_workspace();
        for (int k = 0; k < 4; ++k)
          ASSERT_TRUE(workspace->advance(state)) << n << " " << method << " " << h << " " << k;
      }
    }
  }
}

TEST(rods, stay_joined_in_trees) {
  expect_kept(sized("rod-tree", 10), "simpson", 0.01, 40, 4);
  expect_kept(sized("rod-tree", 10), "verlet", 0.002, 50, 2);
}

}  // namespace
}  // namespace actio
