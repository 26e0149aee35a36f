// Galerkin methods that are Runge–Kutta methods on Hamilton's equations, and one that is not. The Runge–Kutta methods
// are written out here and take H from its formula.
#include <gtest/gtest.h>

#include "tests/support/discrete_lagrangian.hpp"

namespace actio {
namespace {

using testing::partial;
using testing::quads;

using hamiltonian = std::function<quad(const quads& q, const quads& p)>;
using table = std::vector<quads>;

const quads start_position{quad(0.4), quad(-0.3)}, start_momentum{quad(0.7), quad(0.5)};

// (q_1, p_1) of a partitioned method: stages Q = q + h A Q', P = p + h B P', by fixed-point iteration.
quads partitioned_step(const hamiltonian& H, const table& A, const table& B, const quads& weights, const quad& h) {
  const std::size_t stages = weights.size(), n = start_position.size();
  quads z = start_position;
  z.insert(z.end(), start_momentum.begin(), start_momentum.end());
  const auto field = [&](const quads& x) {
    const auto at = [&](const quads& y) { return H({y.begin(), y.begin() + n}, {y.begin() + n, y.end()}); };
    quads result(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      result[i] = partial(at, x, n + i);
      result[n + i] = -partial(at, x, i);
    }
    return result;
  };
  const auto moved = [&](const std::vector<quads>& slopes, const quads& for_position, const quads& for_momentum) {
    quads x = z;
    for (std::size_t i = 0; i < 2 * n; ++i) {
      for (std::size_t j = 0; j < stages; ++j) x[i] += h * (i < n ? for_position : for_momentum)[j] * slopes[j][i];
    }
    return x;
  };
  std::vector<quads> slopes(stages, field(z));
  for (int iteration = 0; iteration < 60; ++iteration) {
    std::vector<quads> next;
    for (std::size_t i = 0; i < stages; ++i) next.push_back(field(moved(slopes, A[i], B[i])));
    slopes = next;
  }
  return moved(slopes, weights, weights);
}

template <class Function>
quads galerkin_step(std::string_view method, Function L, const quad& h) {
  const integrator<quad> flow(lagrangian_system::from("subject", {"x", "y"}, L),
                              {.method = std::string(method), .step = h});
  phase_state<quad> state = flow.at_momentum(start_position, start_momentum);
  EXPECT_TRUE(flow.make_workspace()->advance(state));
  quads z = state.position.value;
  z.insert(z.end(), state.momentum.value.begin(), state.momentum.value.end());
  return z;
}

double distance(const quads& a, const quads& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(to_double(quad(a[i] - b[i]))));
  return most;
}

// A mass that depends on the position and a magnetic term: nothing is asked of L but that it is regular.
TEST(runge_kutta_forms, gauss_methods_are_gauss_collocation) {
  const quad h(0.1);
  for (const std::size_t points : {1, 2, 3, 4}) {
    const collocation_tableau<quad> gauss = make_gauss_collocation<quad>(points);
    table A(points, quads(points));
    quads weights(points);
    for (std::size_t i = 0; i < points; ++i) {
      weights[i] = gauss.weights.head(0, i);
      for (std::size_t j = 0; j < points; ++j) A[i][j] = gauss.stages.head(i, j);
    }
    const quads ours = galerkin_step("gauss-" + std::to_string(points), testing::magnetic_lagrangian, h);
    EXPECT_LT(distance(ours, partitioned_step(testing::magnetic_hamiltonian, A, A, weights, h)), 1e-20) << points;
  }
}

// L = ½ v·Mv + B (x y' − y x')/2 − V with constant M, and its H.
auto uniform_field(int field) {
  return [field](const auto& q, const auto& v) {
    return v[0] * v[0] / 2 + v[1] * v[1] + field * (q[0] * v[1] - q[1] * v[0]) / 2 - q[0] * q[0] * q[1] -
           q[0] * q[0] * q[0] * q[0] / 4 - q[1] * q[1] / 2;
  };
}
hamiltonian in_uniform_field(int field) {
  return [field](const quads& q, const quads& p) {
    const quad x = p[0] + field * q[1] / 2, y = p[1] - field * q[0] / 2;
    return quad(x * x / 2 + y * y / 4 + q[0] * q[0] * q[1] + q[0] * q[0] * q[0] * q[0] / 4 + q[1] * q[1] / 2);
  };
}

// The same method for L = T(v) − V(q) with constant mass; a constant mass alone is not enough.
TEST(runge_kutta_forms, simpson_is_lobatto_IIIA_IIIB_without_a_magnetic_term_only) {
  const quad one(1);
  const quads weights{one / 6, 2 * one / 3, one / 6};
  const table A{{quad(0), quad(0), quad(0)}, {5 * one / 24, one / 3, -one / 24}, weights};
  const table B{{one / 6, -one / 6, quad(0)}, {one / 6, one / 3, quad(0)}, {one / 6, 5 * one / 6, quad(0)}};
  const auto difference = [&](int field, const quad& h) {
    return distance(galerkin_step("simpson", uniform_field(field), h),
                    partitioned_step(in_uniform_field(field), A, B, weights, h));
  };
  EXPECT_LT(difference(0, quad(0.1)), 1e-20);
  const double coarse = difference(1, quad(0.1)), fine = difference(1, quad(0.05));
  EXPECT_GT(fine, 1e-12);
  EXPECT_NEAR(std::log2(coarse / fine), 5, 0.2);  // two methods of order 4
}

}  // namespace
}  // namespace actio
