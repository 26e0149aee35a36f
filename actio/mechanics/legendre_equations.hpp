// The velocity that belongs to a momentum, as equations for Newton's method. Internal to mechanics/.
#pragma once

#include <algorithm>
#include <span>

#include "actio/base/dense.hpp"
#include "actio/base/saddle_point.hpp"
#include "actio/mechanics/constraint_map.hpp"
#include "actio/mechanics/hamiltonian_map.hpp"
#include "actio/mechanics/lagrangian_jet.hpp"

namespace actio {

// ∂L/∂v(t, q, v) = p as a problem for Newton; weights follow the size of the velocities.
template <class S>
class legendre_equations {
 public:
  legendre_equations(jet_evaluation<S>& jet, std::span<const jet_entry> entries, std::span<const S> p)
      : jet_(jet), entries_(entries), p_(p), speed_(S(0)) {}

  void evaluate(std::span<const S> v, bool with_jacobian) {
    using std::abs;
    speed_ = S(0);
    for (std::size_t i = 0; i < v.size(); ++i) {
      *jet_.velocity(i) = v[i];
      if (abs(v[i]) > speed_) speed_ = abs(v[i]);
    }
    v_ = v;
    with_jacobian ? jet_.evaluate_mass() : jet_.evaluate_momentum();
  }
  void residual(std::span<S> r) {
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = *jet_.momentum(i) - p_[i];
  }
  void jacobian(matrix<S>& J) { fill_mass(jet_, entries_, J); }
  S weight(std::size_t j) {
    using std::abs;
    const S own = abs(v_[j]) + speed_ * S(1e-3);
    return own > S(0) ? own : S(1);
  }

  static void fill_mass(const jet_evaluation<S>& jet, std::span<const jet_entry> entries, matrix<S>& mass) {
    mass.set_zero();
    for (const jet_entry& e : entries) {
      if (e.block == jet_block::momentum_v) mass(e.row, e.column) = *jet.entry(e);
    }
  }

 private:
  jet_evaluation<S>& jet_;
  std::span<const jet_entry> entries_;
  std::span<const S> p_, v_;
  S speed_;
};

// ∂H/∂p(t, q, p) = v as a problem for Newton.
template <class S>
struct velocity_equations {
  hamiltonian_evaluation<S>& at;
  const hamiltonian_map<S>& map;
  const S& t;
  std::span<const S> q, v, p = {};
  S size = S(0);

  void evaluate(std::span<const S> momentum, bool with_jacobian) {
    using std::abs;
    p = momentum;
    size = S(0);
    for (const S& one : p) size = std::max<S>(size, abs(one));
    at.evaluate(t, q, p);
    if (with_jacobian) at.evaluate_slopes(t, q, p);
  }
  void residual(std::span<S> r) {
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = at.velocity(i) - v[i];
  }
  void jacobian(matrix<S>& J) {
    const std::size_t n = v.size();
    J.set_zero();
    for (std::size_t k = 0; k < map.slopes().size(); ++k) {
      const matrix_entry& e = map.slopes()[k];
      if (e.row < n && e.column >= n) J(e.row, e.column - n) = at.slope(k);
    }
  }
  S weight(std::size_t j) {
    using std::abs;
    const S own = abs(p[j]) + size * S(1e-3);
    return own > S(0) ? own : S(1);
  }
};

// ∂L/∂v + Aᵀμ = p, A v + ∂g/∂t = 0 as a problem for Newton, x = (v, μ); the constraints are evaluated already.
template <class S>
class bordered_equations {
 public:
  bordered_equations(jet_evaluation<S>& jet, std::span<const jet_entry> entries, const constraint_evaluation<S>& held,
                     const constraint_map<S>& map, std::span<const S> p, bool is_linear)
      : jet_(jet), entries_(entries), held_(held), map_(map), p_(p), is_linear_(is_linear) {
    using std::abs;
    for (const S& x : p) momentum_ = std::max<S>(momentum_, abs(x));
    for (const constraint_entry& e : map.jacobian()) slope_ = std::max<S>(slope_, abs(*held.entry(e)));
  }

  void evaluate(std::span<const S> x, bool with_jacobian) {
    using std::abs;
    x_ = x;
    speed_ = S(0);
    for (std::size_t i = 0; i < p_.size(); ++i) {
      *jet_.velocity(i) = x[i];
      speed_ = std::max<S>(speed_, abs(x[i]));
    }
    with_jacobian ? jet_.evaluate_mass() : jet_.evaluate_momentum();
  }
  void residual(std::span<S> r) {
    const std::size_t n = p_.size();
    for (std::size_t i = 0; i < n; ++i) r[i] = *jet_.momentum(i) - p_[i];
    for (std::size_t c = 0; c < map_.size(); ++c) r[n + c] = *held_.time_derivative(c);
    for (const constraint_entry& e : map_.jacobian()) {
      r[e.column] += *held_.entry(e) * x_[n + e.row];
      r[n + e.row] += *held_.entry(e) * x_[e.column];
    }
  }
  void jacobian(saddle_point_solver<S>& K) { fill(jet_, entries_, held_, map_, S(1), K); }
  S weight(std::size_t j) {
    using std::abs;
    const bool is_velocity = j < p_.size();
    const S own = is_velocity ? S(abs(x_[j]) + speed_ * S(1e-3)) : S(momentum_ / slope_);
    return own > S(0) && is_finite(own) ? own : S(1);
  }
  double matrix_error(double size, double of_followers) const { return std::max(size, of_followers); }
  bool is_linear() const { return is_linear_; }

  // [M ±Aᵀ; A 0].
  static void fill(const jet_evaluation<S>& jet, std::span<const jet_entry> entries,
                   const constraint_evaluation<S>& held, const constraint_map<S>& map, const S& sign,
                   saddle_point_solver<S>& K) {
    K.set_zero();
    const std::size_t n = map.coordinates();
    for (const jet_entry& e : entries) {
      if (e.block == jet_block::momentum_v) K.add(e.row, e.column, *jet.entry(e));
    }
    for (const constraint_entry& e : map.jacobian()) {
      K.add(n + e.row, e.column, *held.entry(e));
      K.add(e.column, n + e.row, sign * *held.entry(e));
    }
  }

 private:
  jet_evaluation<S>& jet_;
  std::span<const jet_entry> entries_;
  const constraint_evaluation<S>& held_;
  const constraint_map<S>& map_;
  std::span<const S> p_, x_;
  bool is_linear_;
  S speed_{0}, momentum_{0}, slope_{0};
};

}  // namespace actio
