// What docs/theory/linear_systems.md says beyond rojas2024: generating function, loads, intervals of stability.
#include <gtest/gtest.h>

#include <cmath>

#include "actio/discrete/linear_schemes.hpp"
#include "tests/support/linear_systems.hpp"

namespace actio {
namespace {

using vector = std::vector<double>;

double form(const vector& a, const matrix<double>& m, const vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) sum += a[i] * m(i, j) * b[j];
  }
  return sum;
}

// p_1 = D2 L_d and p_0 = −D1 L_d with L_d = ¼ (q_1 − q_0)·X(q_1 − q_0) − ¼ (q_1 + q_0)·Y(q_1 + q_0).
TEST(linear_propositions, the_blocks_are_a_generating_function) {
  const linear_system<double> system = testing::random_linear_system<double>(3);
  const scheme_blocks<double> blocks = simpson_blocks(system, 0.3);
  const vector p0{0.3, -0.2, 0.5}, q0{0.1, 0.7, -0.4};
  vector eta = p0;
  eta.insert(eta.end(), q0.begin(), q0.end());
  const vector end = advanced<double>(scheme_of(blocks), eta);
  for (std::size_t i = 0; i < 3; ++i) {
    double left = 0, right = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const double difference = blocks.X(i, j) * (end[3 + j] - q0[j]), sum = blocks.Y(i, j) * (end[3 + j] + q0[j]);
      left += (difference + sum) / 2;
      right += (difference - sum) / 2;
    }
    EXPECT_NEAR(left, p0[i], 1e-13);
    EXPECT_NEAR(right, end[i], 1e-13);
  }
}

// Under a load φ itself is not conserved, φ relative to the equilibrium is.
TEST(linear_propositions, the_form_is_conserved_relative_to_the_equilibrium_of_a_load) {
  const std::size_t n = 3;
  const linear_system<double> system = testing::random_linear_system<double>(n, true);
  vector rest = system.load();
  lu_factorisation<double> stiffness(n);
  ASSERT_TRUE(stiffness.factorise(system.stiffness()));
  stiffness.solve_in_place(rest);
  for (const auto& blocks : {simpson_blocks(system, 0.3), newmark_blocks(system, 0.3)}) {
    const matrix_scheme<double> scheme = scheme_of(blocks);
    const conserved_form<double> phi(blocks);
    const auto at = [&](const vector& eta, bool relative) {
      const vector p(eta.begin(), eta.begin() + n);
      vector q(eta.begin() + n, eta.end());
      for (std::size_t i = 0; relative && i < n; ++i) q[i] -= rest[i];
      return phi(p, q);
    };
    vector eta{0.3, -0.2, 0.5, 0.1, 0.7, -0.4};
    const double relative = at(eta, true), plain = at(eta, false);
    double most = 0;
    for (int k = 0; k < 100; ++k) {
      eta = advanced<double>(scheme, eta);
      EXPECT_NEAR(at(eta, true), relative, 1e-13 * relative);
      most = std::max(most, std::abs(at(eta, false) - plain));
    }
    EXPECT_GT(most, 1e-3 * plain);
  }
}

// The largest entry of the n-th power of Simpson's step on the oscillator with ωh = z.
double largest_after(double z, int steps) {
  matrix<double> mass(1, 1), stiffness(1, 1);
  mass(0, 0) = 1;
  stiffness(0, 0) = z * z;
  const matrix<double> step = step_matrix(scheme_of(simpson_blocks(linear_system<double>(mass, stiffness), 1.0)));
  matrix<double> power = step;
  for (int k = 1; k < steps; ++k) power = step * power;
  double most = 0;
  for (const double x : power.data()) most = std::max(most, std::abs(x));
  return most;
}

TEST(linear_propositions, simpson_is_stable_again_beyond_its_first_border) {
  const double first = std::sqrt(8), second = std::sqrt(12), third = std::sqrt(24);
  for (const double z : {0.9 * first, 1.05 * second, 0.95 * third}) EXPECT_LT(largest_after(z, 1000), 100) << z;
  for (const double z : {(first + second) / 2, 1.05 * third}) EXPECT_GT(largest_after(z, 1000), 1e10) << z;
  // T = (48 − 22z² + z⁴)/(48 + 2z²), in which √8 and √12 are the roots of T = −1.
  const double z = 1.7;
  matrix<double> mass(1, 1), stiffness(1, 1);
  mass(0, 0) = 1;
  stiffness(0, 0) = z * z;
  const matrix<double> step = step_matrix(scheme_of(simpson_blocks(linear_system<double>(mass, stiffness), 1.0)));
  EXPECT_NEAR((step(0, 0) + step(1, 1)) / 2, (48 - 22 * z * z + std::pow(z, 4)) / (48 + 2 * z * z), 1e-14);
}

// On the border there is a Jordan block: at ωh = √12 the n-th power has an entry that grows with n.
TEST(linear_propositions, powers_grow_linearly_on_a_border) {
  const double z = std::sqrt(12.0);
  EXPECT_NEAR(largest_after(z, 2000) / largest_after(z, 1000), 2, 1e-3);
}

// k/μ is above ω_max² unless one vector belongs to both: (40) is sufficient, not necessary.
TEST(linear_propositions, the_bound_of_the_paper_is_sufficient_only) {
  matrix<double> mass(2, 2), stiffness(2, 2);
  mass(0, 0) = 1, mass(1, 1) = 2;
  stiffness(0, 0) = 1, stiffness(1, 1) = 3;
  const linear_system<double> system(mass, stiffness);
  const double largest = system.squared_frequencies().back(), bound = 3.0 / 1.0, h = std::sqrt(8 / 2.0);
  EXPECT_NEAR(largest, 1.5, 1e-14);
  ASSERT_GT(bound * h * h, 8);
  ASSERT_LT(largest * h * h, 8);
  const scheme_blocks<double> blocks = simpson_blocks(system, h);
  for (const matrix<double>& block : {blocks.X, blocks.Y}) {
    for (const vector& direction : {vector{1, 0}, vector{0, 1}}) EXPECT_GT(form(direction, block, direction), 0);
  }
}

}  // namespace
}  // namespace actio
