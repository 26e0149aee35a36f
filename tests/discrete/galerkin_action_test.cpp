#include "actio/discrete/galerkin_action.hpp"

#include <gtest/gtest.h>

#include "tests/support/systems.hpp"

namespace actio {
namespace {

// Scheme and number of coordinates vary; the system has every feature at once.
class galerkin_action_test : public ::testing::TestWithParam<galerkin_scheme> {
 protected:
  galerkin_action_test()
      : system_(testing::read(testing::forced_system).system),
        space_(system_, {}),
        tableau_(make_tableau<quad>(GetParam())),
        action_(tableau_, space_, quad(0.2)) {
    action_.start(quad(0.3), q_, zero_, p_, zero_);
    for (std::size_t j = 0; j < action_.unknowns(); ++j) z_.push_back(quad(0.03) + quad(0.01) * quad(int(j) % 3));
  }

  std::vector<quad> residual_at(const std::vector<quad>& z, const std::vector<quad>& q) {
    action_.start(quad(0.3), q, zero_, p_, zero_);
    std::vector<quad> r(action_.unknowns());
    action_.evaluate(z, false);
    action_.residual(r);
    return r;
  }

  lagrangian_system system_;
  phase_space<quad> space_;
  galerkin_tableau<quad> tableau_;
  galerkin_action<quad> action_;
  std::vector<quad> q_{quad(0.5), quad(-0.2)}, p_{quad(0.1), quad(0.4)}, zero_{quad(0), quad(0)}, z_;
};

TEST_P(galerkin_action_test, jacobians_are_the_derivatives_of_the_residual) {
  const std::size_t n = 2, unknowns = action_.unknowns();
  matrix<quad> J(unknowns, unknowns), B(unknowns, n);
  action_.evaluate(z_, true);
  action_.jacobian(J);
  action_.left_jacobian(B);
  const quad d("1e-12");
  for (std::size_t j = 0; j < unknowns + n; ++j) {
    std::vector<quad> up = z_, down = z_, q_up = q_, q_down = q_;
    (j < unknowns ? up[j] : q_up[j - unknowns]) += d;
    (j < unknowns ? down[j] : q_down[j - unknowns]) -= d;
    const std::vector<quad> above = residual_at(up, q_up), below = residual_at(down, q_down);
    for (std::size_t i = 0; i < unknowns; ++i) {
      const quad slope = (above[i] - below[i]) / (2 * d);
      EXPECT_NEAR(to_double(j < unknowns ? J(i, j) : B(i, j - unknowns)), to_double(slope), 1e-15) << i << " " << j;
    }
  }
}

TEST_P(galerkin_action_test, a_cyclic_momentum_gets_no_increment_at_all) {
  const auto free = lagrangian_system::from(
      "free", {"x", "y"}, [](auto q, auto v) { return v[0] * v[0] / 2 + v[1] * v[1] * exp(q[0]) / 2; });
  const phase_space<double> space(free, {});
  const auto tableau = make_tableau<double>(GetParam());
  galerkin_action<double> action(tableau, space, 0.1);
  const std::vector<double> q{0.3, 0.7}, p{1.1, 0.2}, none{0, 0};
  action.start(0, q, none, p, none);
  action.evaluate(std::vector<double>(action.unknowns(), 0.01), false);
  std::vector<double> dp(2);
  action.momentum_increment(dp);
  EXPECT_NE(dp[0], 0.0);
  EXPECT_EQ(dp[1], 0.0);
}

INSTANTIATE_TEST_SUITE_P(
    schemes, galerkin_action_test,
    ::testing::Values(galerkin_scheme{1, node_family::gauss, 1}, galerkin_scheme{1, node_family::left_end, 1},
                      galerkin_scheme{1, node_family::right_end, 1}, galerkin_scheme{2, node_family::lobatto, 3},
                      galerkin_scheme{3, node_family::gauss, 3}, galerkin_scheme{8, node_family::lobatto, 9}));

// Simpson's discrete Lagrangian of a free particle in a potential, by hand: [rojas2025, section 2].
TEST(galerkin_action, simpson_residual_matches_the_formula_written_out) {
  const auto oscillator = lagrangian_system::from(
      "oscillator", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 - q[0] * q[0] * q[0] * q[0] / 4; });
  const phase_space<double> space(oscillator, {});
  const auto tableau = make_tableau<double>({2, node_family::lobatto, 3});
  const double h = 0.1, q0 = 0.8, p0 = 0.3, zm = 0.011, z1 = 0.027;
  galerkin_action<double> action(tableau, space, h);
  const std::vector<double> q{q0}, p{p0}, none{0};
  action.start(0, q, none, p, none);
  action.evaluate(std::vector<double>{zm, z1}, false);
  std::vector<double> r(2);
  action.residual(r);
  const auto force = [](double x) { return -x * x * x; };
  const double v0 = (4 * zm - z1) / h, vm = z1 / h, v1 = (3 * z1 - 4 * zm) / h;
  const double left = h / 6 * force(q0) + (-3 * v0 - 4 * vm + v1) / 6,
               middle = 2 * h / 3 * force(q0 + zm) + (4 * v0 - 4 * v1) / 6;
  EXPECT_NEAR(r[0], p0 + left, 1e-15);
  EXPECT_NEAR(r[1], middle, 1e-15);
}

}  // namespace
}  // namespace actio
