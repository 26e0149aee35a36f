// Steps of systems that are made of elements, against steps of the same systems with matrices.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/mechanics/element_families.hpp"
#include "actio/simulate/integrator.hpp"
#include "actio/simulate/run.hpp"

namespace actio {
namespace {

// An observed acceleration makes everything of a system with matrices.
model lattice(int n, bool dense) {
  return parse_model(
      "coordinates = [\"q[1..n]\"]\n"
      "lagrangian = \"sum(i = 1..n, m[i]/2*q[i]'^2) - sum(i = 0..n, 1/2*(q[i+1]-q[i])^2 + (q[i+1]-q[i])^4/4)\"\n"
      "[sizes]\nn = " +
          std::to_string(n) +
          "\n[parameters]\n\"m[i = 1..n]\" = \"1 + i/100\"\n[definitions]\n\"q[0]\" = 0\n\"q[n+1]\" = 0\n"
          "[initial.position]\n\"q[i = 1..n]\" = \"sin(3*pi*i/(n+1))\"\n" +
          (dense ? "[observables]\na = \"q[1]''\"\n" : ""),
      "lattice.toml");
}

template <class S>
std::vector<S> end_of(const model& m, const std::string& method, int steps) {
  const integrator<S> flow(m.system, {.method = method, .step = S(1) / S(10)});
  phase_state<S> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(workspace->advance(state));
  std::vector<S> end = state.position.value;
  end.insert(end.end(), state.momentum.value.begin(), state.momentum.value.end());
  return end;
}

template <class S>
void expect_equal(const std::string& method, int steps, double roundings) {
  const model elements = lattice(66, false), dense = lattice(66, true);
  ASSERT_TRUE(is_made_of_elements(elements.system));
  ASSERT_FALSE(is_made_of_elements(dense.system));
  const std::vector<S> a = end_of<S>(elements, method, steps), b = end_of<S>(dense, method, steps);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(to_double(S(a[i] - b[i])), 0, roundings * to_double(epsilon<S>())) << method << " " << i;
  }
}

TEST(element_steps, gauss_4_equals_the_dense_step) { expect_equal<double>("gauss-4", 20, 200); }
TEST(element_steps, gauss_3_equals_the_dense_step) { expect_equal<double>("gauss-3", 20, 200); }
TEST(element_steps, simpson_equals_the_dense_step) { expect_equal<double>("simpson", 5, 500); }
TEST(element_steps, gauss_2_in_quad_equals_the_dense_step) { expect_equal<quad>("gauss-2", 2, 1000); }

// Störmer–Verlet written out.
TEST(element_steps, strang_equals_kicks_and_drifts) {
  const model m = lattice(100, false);
  const std::size_t n = m.system.size();
  std::vector<quad> q, p(n, quad(0));
  for (std::size_t i = 0; i < n; ++i) q.push_back(sin(3 * pi_value<quad>() * (i + 1) / (n + 1)));
  const quad h = quad(1) / 10;
  const auto kick = [&] {
    for (std::size_t i = 0; i <= n; ++i) {
      const quad d = (i < n ? q[i] : quad(0)) - (i > 0 ? q[i - 1] : quad(0)), g = d + d * d * d;
      if (i < n) p[i] -= h / 2 * g;
      if (i > 0) p[i - 1] += h / 2 * g;
    }
  };
  for (int k = 0; k < 50; ++k) {
    kick();
    for (std::size_t i = 0; i < n; ++i) q[i] += h * p[i] / (1 + quad(i + 1) / 100);
    kick();
  }
  const std::vector<quad> in_quad = end_of<quad>(m, "strang", 50);
  const std::vector<double> in_double = end_of<double>(m, "strang", 50);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(to_double(quad(in_quad[i] - q[i])), 0, 1e-31);
    EXPECT_NEAR(to_double(quad(in_quad[n + i] - p[i])), 0, 1e-31);
    EXPECT_NEAR(in_double[i], to_double(q[i]), 1e-14);
  }
}

// Energy errors of a long run make a random walk.
TEST(element_steps, energy_does_not_drift) {
  const model m = lattice(80, false);
  const integrator<double> flow(m.system, {.method = "gauss-4", .step = 0.1});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  phase_point<double> point(flow.space());
  ASSERT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
  const double start = point.energy();
  for (int k = 0; k < 20'000; ++k) ASSERT_TRUE(workspace->advance(state));
  ASSERT_TRUE(point.measure(state.time, state.position.value, state.momentum.value));
  EXPECT_NEAR(point.energy() / start, 1, 2e-13);
}

TEST(element_steps, history_continues_a_run_bit_for_bit) {
  const model m = lattice(70, false);
  const integrator<double> flow(m.system, {.method = "gauss-4", .step = 0.1});
  phase_state<double> state = flow.at_start(m);
  const auto first = flow.make_workspace();
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(first->advance(state));
  const auto second = flow.make_workspace();
  second->restore_history(first->history());
  phase_state<double> other = state;
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(first->advance(state));
    ASSERT_TRUE(second->advance(other));
  }
  EXPECT_EQ(state.position.value, other.position.value);
  EXPECT_EQ(state.momentum.value, other.momentum.value);
}

// The polynomial of a step ends where the step does.
TEST(element_steps, interpolation_meets_both_ends) {
  const model m = lattice(70, false);
  for (const std::string method : {"gauss-4", "strang"}) {
    const integrator<double> flow(m.system, {.method = method, .step = 0.1});
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    const std::vector<double> before = state.position.value;
    ASSERT_TRUE(workspace->advance(state));
    std::vector<double> at(before.size());
    workspace->interpolate(0.0, at);
    for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(at[i], before[i], 1e-15);
    workspace->interpolate(1.0, at);
    for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(at[i], state.position.value[i], 1e-14);
  }
}

}  // namespace
}  // namespace actio
