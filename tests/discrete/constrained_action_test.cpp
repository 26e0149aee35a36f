// The action of a step under constraints: its equations written out, their derivatives by differences, and the
// multipliers of a motion that is known.
#include "actio/discrete/constrained_action.hpp"

#include <gtest/gtest.h>

#include "actio/base/newton.hpp"
#include "actio/mechanics/model.hpp"
#include "tests/support/constrained_systems.hpp"

namespace actio {
namespace {

class constrained_action_test : public ::testing::TestWithParam<std::size_t> {
 protected:
  constrained_action_test()
      : system_(parse_model(testing::driven_rod, "m.toml").system),
        space_(system_, {}),
        tableau_(make_tableau<quad>({GetParam(), node_family::lobatto, GetParam() + 1})),
        action_(tableau_, space_, h_),
        free_(tableau_, space_, h_) {
    for (std::size_t j = 0; j < action_.unknowns(); ++j) x_.push_back(quad(2 + static_cast<int>(7 * j % 5)) / 100);
  }

  std::vector<quad> residual_at(const std::vector<quad>& x, const std::vector<quad>& q) {
    std::vector<quad> r(action_.unknowns());
    action_.start(t_, q, zero_, p_, zero_);
    action_.evaluate(x, false);
    action_.residual(r);
    return r;
  }
  std::vector<quad> momentum_at(const std::vector<quad>& x, const std::vector<quad>& q) {
    residual_at(x, q);
    std::vector<quad> dp(3);
    action_.momentum_increment(x, dp);
    return dp;
  }
  // ∂f/∂y_j by central differences, where y is x and then Q_0.
  template <class F>
  std::vector<quad> slope(F f, std::size_t j) {
    const quad d("1e-12");
    std::vector<quad> up = x_, down = x_, q_up = q_, q_down = q_;
    (j < x_.size() ? up[j] : q_up[j - x_.size()]) += d;
    (j < x_.size() ? down[j] : q_down[j - x_.size()]) -= d;
    std::vector<quad> above = f(up, q_up), below = f(down, q_down);
    for (std::size_t i = 0; i < above.size(); ++i) above[i] = (above[i] - below[i]) / (2 * d);
    return above;
  }

  const quad h_{0.2}, t_{0.3};
  lagrangian_system system_;
  phase_space<quad> space_;
  galerkin_tableau<quad> tableau_;
  constrained_action<quad> action_;
  galerkin_action<quad> free_;
  std::vector<quad> q_{quad(0.6), quad(0.1), quad(-0.8)}, p_{quad(0.1), quad(0.4), quad(-0.3)},
      zero_ = {quad(0), quad(0), quad(0)}, x_;
};

// h R_k + A_kᵀ μ_k and g(Q_k), with g = |q|² − (1 + sin(2t)/10)².
TEST_P(constrained_action_test, residual_is_the_formula_written_out) {
  const std::size_t s = GetParam(), n = 3;
  ASSERT_EQ(action_.increments(), s * n);
  ASSERT_EQ(action_.unknowns(), s * n + s);
  const std::vector<quad> r = residual_at(x_, q_);
  std::vector<quad> free(s * n);
  free_.start(t_, q_, zero_, p_, zero_);
  free_.evaluate(std::span(x_).first(s * n), false);
  free_.residual(free);
  for (std::size_t k = 0; k <= s; ++k) {
    quad square = 0;
    for (std::size_t a = 0; a < n; ++a) {
      const quad q = q_[a] + (k == 0 ? quad(0) : x_[(k - 1) * n + a]);
      square += q * q;
      if (k == s) continue;
      const quad wanted = h_ * free[k * n + a] + 2 * q * x_[s * n + k];
      EXPECT_NEAR(to_double(quad(r[k * n + a] - wanted)), 0, 1e-30) << k << " " << a;
    }
    const quad length = 1 + sin(quad(2 * (t_ + tableau_.control[k] * h_))) / 10;
    const quad violation = k > 0 ? r[s * n + k - 1] : quad(square - length * length);
    EXPECT_NEAR(to_double(quad(violation - (square - length * length))), 0, 1e-30) << k;
  }
}

TEST_P(constrained_action_test, jacobians_are_the_derivatives_of_the_residual) {
  const std::size_t unknowns = action_.unknowns();
  residual_at(x_, q_);
  action_.linearise(x_);
  saddle_point_solver<quad> K(unknowns);
  matrix<quad> B(unknowns, 3);
  action_.jacobian(K);
  action_.left_jacobian(B);
  ASSERT_TRUE(K.factorise());
  const auto residual = [this](const auto& x, const auto& q) { return residual_at(x, q); };
  for (std::size_t j = 0; j < unknowns + 3; ++j) {
    std::vector<quad> column = slope(residual, j);
    if (j < unknowns) K.solve_in_place(column);  // K⁻¹ times its column j
    for (std::size_t i = 0; i < unknowns; ++i) {
      const quad wanted = j < unknowns ? quad(i == j) : B(i, j - unknowns);
      EXPECT_NEAR(to_double(quad(column[i] - wanted)), 0, 1e-13) << i << " " << j;
    }
  }
}

TEST_P(constrained_action_test, jacobians_of_the_momentum_are_its_derivatives) {
  const std::size_t unknowns = action_.unknowns();
  residual_at(x_, q_);
  action_.linearise(x_);
  matrix<quad> by_left(3, 3), by_unknowns(3, unknowns);
  action_.momentum_jacobian(by_left, by_unknowns);
  const auto momentum = [this](const auto& x, const auto& q) { return momentum_at(x, q); };
  for (std::size_t j = 0; j < unknowns + 3; ++j) {
    const std::vector<quad> column = slope(momentum, j);
    for (std::size_t i = 0; i < 3; ++i) {
      const quad found = j < unknowns ? by_unknowns(i, j) : by_left(i, j - unknowns);
      EXPECT_NEAR(to_double(quad(column[i] - found)), 0, 1e-14) << i << " " << j;
    }
  }
}

// A rod that hangs at rest: the force 2 λ y of the constraint carries the weight m g at every control point.
TEST_P(constrained_action_test, multipliers_carry_a_weight_at_rest) {
  const std::size_t s = GetParam();
  const model m = parse_model(testing::rod_in_the_plane, "m.toml");
  const phase_space<double> space(m.system, parameter_values<double>(m.system));
  const auto tableau = make_tableau<double>({s, node_family::lobatto, s + 1});
  const double h = 0.01, lambda = 1.5 * 9.81 / (2 * -2);
  constrained_action<double> action(tableau, space, h);
  const std::vector<double> q{0, -2}, zero{0, 0};
  action.start(0, q, zero, zero, zero);
  std::vector<double> x(action.unknowns(), 1e-4), dp(2);
  newton_solver<double, saddle_point_solver<double>> solver(x.size(), saddle_point_solver<double>(x.size()));
  ASSERT_EQ(solver.solve(action, x).outcome, newton_outcome::converged);
  double held = 0;
  for (std::size_t j = 0; j < action.increments(); ++j) EXPECT_NEAR(x[j], 0, 1e-16);
  for (std::size_t k = 0; k < s; ++k) {
    const double weight = tableau.weights.head(0, k);
    EXPECT_NEAR(x[action.increments() + k] / (h * h * weight), lambda, 1e-9);
    held += weight;
  }
  action.momentum_increment(x, dp);  // all but the force at the right end
  EXPECT_NEAR(dp[1], -1.5 * 9.81 * h * (1 - held), 1e-12);
  EXPECT_EQ(action.work(x), 0.0);
}

INSTANTIATE_TEST_SUITE_P(degrees, constrained_action_test, ::testing::Values(1U, 2U, 4U));

}  // namespace
}  // namespace actio
