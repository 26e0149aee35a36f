// The discrete Lagrangian of a method as nothing but a function of its control points, computed from values of L.
// Derivatives are differences of fourth order in quad: no derivative of the library has a part in them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "actio/integrate/catalogue.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio::testing {

using quads = std::vector<quad>;

inline quad dot(const quads& a, const quads& b) {
  quad sum(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// ∂f/∂x_i.
template <class Function>
quad partial(const Function& f, quads x, std::size_t i) {
  const quad d("1e-6"), at = x[i];
  quad sum(0);
  for (const auto& [offset, weight] : {std::pair{-2, 1}, {-1, -8}, {1, 8}, {2, -1}}) {
    x[i] = at + offset * d;
    sum += weight * quad(f(x));
  }
  return sum / (12 * d);
}

class discrete_lagrangian {
 public:
  using lagrangian = std::function<quad(const quads& q, const quads& v)>;

  discrete_lagrangian(std::string_view method, lagrangian L, std::size_t size, const quad& step)
      : tableau_(make_tableau<quad>(*find_method(method)->scheme)), L_(std::move(L)), size_(size), step_(step) {}

  std::size_t inner() const { return (tableau_.degree - 1) * size_; }
  const quad& step() const { return step_; }
  discrete_lagrangian with_step(const quad& step) const {
    discrete_lagrangian other = *this;
    other.step_ = step;
    return other;
  }

  // Of Q_0 … Q_s, one after another: h Σ b_i L(q_i, v_i).
  quad operator()(const quads& points) const {
    quad sum(0);
    for (std::size_t i = 0; i < tableau_.points; ++i) {
      quads q(size_, quad(0)), v(size_, quad(0));
      for (std::size_t k = 0; k <= tableau_.degree; ++k) {
        for (std::size_t a = 0; a < size_; ++a) {
          const quad& x = points[k * size_ + a];
          q[a] += (tableau_.value.head(i, k) + tableau_.value.tail(i, k)) * x;
          v[a] += (tableau_.slope.head(i, k) + tableau_.slope.tail(i, k)) * x / step_;
        }
      }
      sum += tableau_.weight[i] * L_(q, v);
    }
    return step_ * sum;
  }

  // The control points of the step from q0 to q1: those between make the sum stationary.
  quads points_between(const quads& q0, const quads& q1) const {
    quads points;
    for (const quad& c : tableau_.control) {
      for (std::size_t a = 0; a < size_; ++a) points.push_back(q0[a] + c * (q1[a] - q0[a]));
    }
    const std::size_t n = inner();
    lu_factorisation<quad> lu(n);
    for (int iteration = 0; n > 0 && iteration < 8; ++iteration) {
      matrix<quad> hessian(n, n);
      quads slope(n);
      for (std::size_t i = 0; i < n; ++i) {
        slope[i] = partial(*this, points, size_ + i);
        for (std::size_t j = 0; j < n; ++j) hessian(i, j) = second(points, size_ + i, size_ + j);
      }
      EXPECT_TRUE(lu.factorise(hessian));
      lu.solve_in_place(slope);
      for (std::size_t i = 0; i < n; ++i) points[size_ + i] -= slope[i];
    }
    return points;
  }

  quads left_slope(const quads& points) const { return slope(points, 0); }
  quads right_slope(const quads& points) const { return slope(points, size_ + inner()); }

  // The second derivatives of L_d(q0, q1), the points between eliminated: ((D11, D12), (D21, D22)).
  matrix<quad> reduced_hessian(const quads& points) const {
    const std::size_t n = size_, m = inner();
    const auto end = [&](std::size_t i) { return i < n ? i : m + i; };
    matrix<quad> result(2 * n, 2 * n), between(m, m);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) between(i, j) = second(points, n + i, n + j);
    }
    lu_factorisation<quad> lu(m);
    EXPECT_TRUE(m == 0 || lu.factorise(between));
    for (std::size_t j = 0; j < 2 * n; ++j) {
      quads moved(m);
      for (std::size_t i = 0; i < m; ++i) moved[i] = second(points, n + i, end(j));
      if (m > 0) lu.solve_in_place(moved);
      for (std::size_t i = 0; i < 2 * n; ++i) {
        result(i, j) = second(points, end(i), end(j));
        for (std::size_t k = 0; k < m; ++k) result(i, j) -= second(points, end(i), n + k) * moved[k];
      }
    }
    return result;
  }

 private:
  quad second(const quads& points, std::size_t i, std::size_t j) const {
    return partial([&](const quads& x) { return partial(*this, x, j); }, points, i);
  }
  quads slope(const quads& points, std::size_t first) const {
    quads result(size_);
    for (std::size_t a = 0; a < size_; ++a) result[a] = partial(*this, points, first + a);
    return result;
  }

  galerkin_tableau<quad> tableau_;
  lagrangian L_;
  std::size_t size_;
  quad step_;
};

// A mass that depends on the position and a magnetic term: H is not separable. No symmetry.
inline constexpr auto magnetic_lagrangian = [](const auto& q, const auto& v) {
  return (1 + q[0] * q[0]) * v[0] * v[0] / 2 + v[1] * v[1] / 2 + q[0] * q[0] * v[1] / 3 - q[0] * q[0] * q[1] -
         q[0] * q[0] - q[1] * q[1] / 2;
};
// Its Hamiltonian at (q, p), written out.
inline quad magnetic_hamiltonian(const quads& q, const quads& p) {
  const quad vx = p[0] / (1 + q[0] * q[0]), vy = p[1] - q[0] * q[0] / 3;
  return p[0] * vx / 2 + vy * vy / 2 + q[0] * q[0] * q[1] + q[0] * q[0] + q[1] * q[1] / 2;
}

// Every kind of Galerkin method of the catalogue.
inline const char* const galerkin_method_names[] = {"euler-a", "euler-b",   "midpoint", "verlet",
                                                    "simpson", "lobatto-4", "gauss-2",  "gauss-3"};

}  // namespace actio::testing
