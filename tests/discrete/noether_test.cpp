// Discrete symplectic form, tangent map and momentum map from L_d alone, beside what the library's steps do.
// [marsden1997, Theorem 5.1 and the discrete Noether theorem of Section 5]
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/discrete_lagrangian.hpp"

namespace actio {
namespace {

using testing::discrete_lagrangian;
using testing::dot;
using testing::quads;

// Two bodies in a plane; the mass depends on their distance.
constexpr auto two_bodies = [](const auto& q, const auto& v) {
  const auto dx = q[2] - q[0], dy = q[3] - q[1];
  const auto square = dx * dx + dy * dy;
  return v[0] * v[0] / 2 + v[1] * v[1] / 2 + v[2] * v[2] + v[3] * v[3] + square * (v[0] * v[2] + v[1] * v[3]) / 5 +
         (dx * (v[3] - v[1]) - dy * (v[2] - v[0])) / 3 - square * square / 4 - square;
};
quads rotation_of_both(const quads& q) { return {-q[1], q[0], -q[3], q[2]}; }
quads translation_of_both(const quads&) { return {quad(1), quad(0), quad(1), quad(0)}; }

// A screw: what turns about the z axis moves along it.
constexpr auto on_a_screw = [](const auto& q, const auto& v) {
  using std::cos, std::sin;
  const auto u = q[0] * cos(q[2]) + q[1] * sin(q[2]);
  return (1 + u * u) * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 + (q[0] * v[1] - q[1] * v[0]) / 3 - u * u -
         q[0] * q[0] - q[1] * q[1];
};
quads screw(const quads& q) { return {-q[1], q[0], quad(1)}; }

// A free particle in polar coordinates. Its translations do not act linearly on (r, φ).
constexpr auto free_in_polar_coordinates = [](const auto& q, const auto& v) {
  return (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]) / 2;
};
quads translation_in_polar_coordinates(const quads& q) {
  using std::cos, std::sin;
  return {quad(cos(q[1])), quad(-sin(q[1]) / q[0])};
}

// A system with what is needed to step through it and to form its L_d.
struct subject {
  lagrangian_system system;
  discrete_lagrangian::lagrangian lagrangian;
  quads position, momentum;

  integrator<quad> flow(std::string_view method, const quad& h) const {
    return {system, {.method = std::string(method), .step = h}};
  }
  phase_state<quad> start(const integrator<quad>& flow) const { return flow.at_momentum(position, momentum); }
  discrete_lagrangian action(std::string_view method, const quad& h) const {
    return {method, lagrangian, position.size(), h};
  }
};

template <class Function>
subject make_subject(std::initializer_list<std::string_view> names, Function L, const std::vector<double>& q,
                     const std::vector<double>& p) {
  return {lagrangian_system::from("subject", names, L),
          [L](const quads& x, const quads& v) { return quad(L(x, v)); },
          {q.begin(), q.end()},
          {p.begin(), p.end()}};
}

subject magnetic_particle() { return make_subject({"x", "y"}, testing::magnetic_lagrangian, {0.4, -0.3}, {0.7, 0.5}); }
subject two_body_system() {
  return make_subject({"x1", "y1", "x2", "y2"}, two_bodies, {0.1, 0.2, 1.1, -0.3}, {0.3, -0.4, 0.2, 1.1});
}
subject screw_system() { return make_subject({"x", "y", "z"}, on_a_screw, {0.7, 0.2, 0.1}, {0.3, 0.8, -0.4}); }
subject polar_particle() { return make_subject({"r", "phi"}, free_in_polar_coordinates, {1.2, 0.4}, {0.7, 0.5}); }

// ∂(q_1, p_1)/∂(q_0, p_0) from dp_0 = −D11 dq_0 − D12 dq_1 and dp_1 = D21 dq_0 + D22 dq_1.
matrix<quad> tangent_map_of(const matrix<quad>& hessian) {
  const std::size_t n = hessian.rows() / 2;
  matrix<quad> across(n, n), result(2 * n, 2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) across(i, j) = hessian(i, n + j);
  }
  lu_factorisation<quad> lu(n);
  EXPECT_TRUE(lu.factorise(across));
  for (std::size_t j = 0; j < 2 * n; ++j) {
    quads dq1(n, quad(0));
    for (std::size_t i = 0; i < n; ++i) dq1[i] = j < n ? quad(-hessian(i, j)) : quad(i == j - n ? -1 : 0);
    lu.solve_in_place(dq1);
    for (std::size_t i = 0; i < n; ++i) {
      result(i, j) = dq1[i];
      quad& dp1 = result(n + i, j);
      if (j < n) dp1 = hessian(n + i, j);
      for (std::size_t k = 0; k < n; ++k) dp1 += hessian(n + i, n + k) * dq1[k];
    }
  }
  return result;
}

class discrete_mechanics : public ::testing::TestWithParam<const char*> {};

TEST_P(discrete_mechanics, the_tangent_map_of_a_step_follows_from_the_second_derivatives_of_its_action) {
  const quad h(0.1);
  for (const subject& s : {magnetic_particle(), screw_system()}) {
    const integrator<quad> flow = s.flow(GetParam(), h);
    phase_state<quad> state = s.start(flow);
    const auto workspace = flow.make_workspace();
    const matrix<quad> tangent = workspace->tangent_map(state);
    ASSERT_TRUE(workspace->advance(state));
    const discrete_lagrangian action = s.action(GetParam(), h);
    const matrix<quad> ours =
        tangent_map_of(action.reduced_hessian(action.points_between(s.position, state.position.value)));
    for (std::size_t i = 0; i < tangent.rows(); ++i) {
      for (std::size_t j = 0; j < tangent.columns(); ++j) {
        EXPECT_NEAR(to_double(quad(ours(i, j) - tangent(i, j))), 0, 1e-16) << i << " " << j;
      }
    }
  }
}

// ω(δ, δ') = δ'q_0·D12 δq_1 − δq_0·D12 δ'q_1 on pairs of positions. Vectors are carried along by the library's tangent
// maps; D12 is that of each step's own action. The form is the same at every step, and dq ∧ dp at its left end.
TEST_P(discrete_mechanics, the_discrete_symplectic_form_is_carried_along) {
  const quad h(0.1);
  const subject s = magnetic_particle();
  const std::size_t n = 2;
  const integrator<quad> flow = s.flow(GetParam(), h);
  const auto workspace = flow.make_workspace();
  const discrete_lagrangian action = s.action(GetParam(), h);
  phase_state<quad> state = s.start(flow);
  matrix<quad> vectors(2 * n, 2);
  for (std::size_t i = 0; i < 2 * n; ++i) {
    vectors(i, 0) = quad(static_cast<double>(i) + 1) / 2;
    vectors(i, 1) = quad(static_cast<double>(i * i)) / 3 - 1;
  }
  quad canonical(0);
  for (std::size_t i = 0; i < n; ++i) {
    canonical += vectors(i, 0) * vectors(n + i, 1) - vectors(i, 1) * vectors(n + i, 0);
  }
  for (int k = 0; k < 3; ++k) {
    const quads left = state.position.value;
    const matrix<quad> carried = workspace->tangent_map(state) * vectors;
    ASSERT_TRUE(workspace->advance(state));
    const matrix<quad> hessian = action.reduced_hessian(action.points_between(left, state.position.value));
    quad form(0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        form += hessian(i, n + j) * (vectors(i, 1) * carried(j, 0) - vectors(i, 0) * carried(j, 1));
      }
    }
    EXPECT_NEAR(to_double(quad(form - canonical)), 0, 1e-16) << "step " << k;
    vectors = carried;
  }
}

// J = D2 L_d·ξ(q_1) = −D1 L_d·ξ(q_0): the same at both ends of a step, and at all steps.
TEST_P(discrete_mechanics, the_discrete_momentum_of_an_affine_symmetry_is_conserved) {
  struct symmetry {
    subject moved;
    quads (*generator)(const quads&);
  };
  const quad h(0.1);
  for (const symmetry& y : {symmetry{two_body_system(), rotation_of_both},
                            {two_body_system(), translation_of_both},
                            {screw_system(), screw}}) {
    const integrator<quad> flow = y.moved.flow(GetParam(), h);
    const auto workspace = flow.make_workspace();
    const discrete_lagrangian action = y.moved.action(GetParam(), h);
    phase_state<quad> state = y.moved.start(flow);
    const quad momentum = dot(y.moved.momentum, y.generator(y.moved.position));
    for (int k = 0; k < 3; ++k) {
      const quads left = state.position.value;
      ASSERT_TRUE(workspace->advance(state));
      const quads& right = state.position.value;
      const quads points = action.points_between(left, right);
      const quad at_left = -dot(action.left_slope(points), y.generator(left));
      const quad at_right = dot(action.right_slope(points), y.generator(right));
      EXPECT_NEAR(to_double(quad(at_left - momentum)), 0, 1e-18) << "step " << k;
      EXPECT_NEAR(to_double(quad(at_right - momentum)), 0, 1e-18) << "step " << k;
    }
  }
}

// A nonlinear action does not take paths of degree s to such paths. L is invariant, L_d is not: the momentum changes in
// a step, by as little as the order of the method allows.
TEST_P(discrete_mechanics, the_momentum_of_a_symmetry_that_is_not_affine_is_kept_to_the_order_only) {
  const subject s = polar_particle();
  const auto change = [&](const quad& h) {
    const integrator<quad> flow = s.flow(GetParam(), h);
    phase_state<quad> state = s.start(flow);
    EXPECT_TRUE(flow.make_workspace()->advance(state));
    return std::abs(to_double(quad(dot(state.momentum.value, translation_in_polar_coordinates(state.position.value)) -
                                   dot(s.momentum, translation_in_polar_coordinates(s.position)))));
  };
  const double coarse = change(quad(0.02)), fine = change(quad(0.01));
  EXPECT_GT(fine, 1e-25);
  EXPECT_NEAR(std::log2(coarse / fine), find_method(GetParam())->traits.order + 1, 0.25);
}

INSTANTIATE_TEST_SUITE_P(methods, discrete_mechanics, ::testing::ValuesIn(testing::galerkin_method_names));

}  // namespace
}  // namespace actio
