// The discrete Lagrangian as the generating function of a step, [marsden1997, eqs. 26, 27], from its values alone.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/discrete_lagrangian.hpp"

namespace actio {
namespace {

using testing::discrete_lagrangian;
using testing::dot;
using testing::magnetic_hamiltonian;
using testing::magnetic_lagrangian;
using testing::partial;
using testing::quads;

const quads start_position{quad(0.4), quad(-0.3)}, start_momentum{quad(0.7), quad(0.5)};

struct step_taken {
  quads q0, p0, q1, p1;
};

step_taken step_of(std::string_view method, const quad& h) {
  const auto system = lagrangian_system::from("magnetic", {"x", "y"}, magnetic_lagrangian);
  const integrator<quad> flow(system, {.method = std::string(method), .step = h});
  phase_state<quad> state = flow.at_momentum(start_position, start_momentum);
  EXPECT_TRUE(flow.make_workspace()->advance(state));
  return {start_position, start_momentum, state.position.value, state.momentum.value};
}

discrete_lagrangian magnetic_action(std::string_view method, const quad& h) {
  return {method, [](const quads& q, const quads& v) { return quad(magnetic_lagrangian(q, v)); }, 2, h};
}

void expect_equal(const quads& a, const quads& b) {
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(to_double(quad(a[i] - b[i])), 0, 1e-18) << i;
}

quads joined(quads a, const quads& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

quads negative(quads a) {
  for (quad& x : a) x = -x;
  return a;
}

class generating_function : public ::testing::TestWithParam<const char*> {};

// p_0 = −∂S/∂q_0, p_1 = ∂S/∂q_1 with S = L_d. [marsden1997, eq. 26]
TEST_P(generating_function, momenta_of_a_step_are_the_slopes_of_the_discrete_lagrangian) {
  const quad h(0.1);
  const step_taken step = step_of(GetParam(), h);
  const discrete_lagrangian action = magnetic_action(GetParam(), h);
  const quads points = action.points_between(step.q0, step.q1);
  expect_equal(negative(action.left_slope(points)), step.p0);
  expect_equal(action.right_slope(points), step.p1);
}

// ∂S/∂h + H(q_1, ∂S/∂q_1) vanishes for the action of the motion, [marsden1997, eq. 27], and for L_d with the order of
// the method. The points between are stationary: they need not follow h.
TEST_P(generating_function, solves_the_hamilton_jacobi_equation_to_the_order_of_the_method) {
  const auto residual = [&](const quad& h) {
    const step_taken step = step_of(GetParam(), h);
    const discrete_lagrangian action = magnetic_action(GetParam(), h);
    const quads points = action.points_between(step.q0, step.q1);
    const quad by_step = partial([&](const quads& x) { return action.with_step(x[0])(points); }, {h}, 0);
    return std::abs(to_double(quad(by_step + magnetic_hamiltonian(step.q1, action.right_slope(points)))));
  };
  const double order = find_method(GetParam())->traits.order;
  const double coarse = residual(quad(0.1)), fine = residual(quad(0.05));
  EXPECT_GT(fine, 1e-19);
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.4);
}

INSTANTIATE_TEST_SUITE_P(methods, generating_function, ::testing::ValuesIn(testing::galerkin_method_names));

// S(q_1, p_0) = p_0·q_1 − h H(q_1, p_0) generates Example 1 of marsden1997, whether or not H is separable, and L_d is
// its Legendre transform: L_d(q_0, q_1) = S − p_0·q_0.
TEST(mixed_generating_function, of_right_position_and_left_momentum_is_euler_b) {
  const quad h(0.1);
  const step_taken step = step_of("euler-b", h);
  const auto S = [&](const quads& x) {
    const quads q1{x[0], x[1]}, p0{x[2], x[3]};
    return quad(dot(p0, q1) - h * magnetic_hamiltonian(q1, p0));
  };
  const quads at = joined(step.q1, step.p0);
  expect_equal({partial(S, at, 0), partial(S, at, 1)}, step.p1);
  expect_equal({partial(S, at, 2), partial(S, at, 3)}, step.q0);
  const quad action = magnetic_action("euler-b", h)(joined(step.q0, step.q1));
  EXPECT_NEAR(to_double(quad(S(at) - dot(step.p0, step.q0) - action)), 0, 1e-30);
}

// The adjoint: S(q_0, p_1) = p_1·q_0 + h H(q_0, p_1) with p_0 = ∂S/∂q_0, q_1 = ∂S/∂p_1, and L_d = p_1·q_1 − S.
TEST(mixed_generating_function, of_left_position_and_right_momentum_is_euler_a) {
  const quad h(0.1);
  const step_taken step = step_of("euler-a", h);
  const auto S = [&](const quads& x) {
    const quads q0{x[0], x[1]}, p1{x[2], x[3]};
    return quad(dot(p1, q0) + h * magnetic_hamiltonian(q0, p1));
  };
  const quads at = joined(step.q0, step.p1);
  expect_equal({partial(S, at, 0), partial(S, at, 1)}, step.p0);
  expect_equal({partial(S, at, 2), partial(S, at, 3)}, step.q1);
  const quad action = magnetic_action("euler-a", h)(joined(step.q0, step.q1));
  EXPECT_NEAR(to_double(quad(dot(step.p1, step.q1) - S(at) - action)), 0, 1e-30);
}

}  // namespace
}  // namespace actio
