// The stage equations of a Lobatto IIIA–IIIB pair on Hamilton's equations, written with velocities instead of momenta:
// the Legendre transform is part of the equations and needs no iteration of its own.
//
// Notation: X_i = h V_i the unknowns, V_i the velocity at stage i, a and â the coefficients of positions and momenta,
// G = ∂L/∂q + F and P = ∂L/∂v at (t_0 + c_i h, Q_i, V_i), p_0 the momentum at the left end.
//   Q_i = q_0 + Σ_j a_ij X_j
//   R_i = P_i − p_0 − h Σ_j â_ij G_j,   i = 1 … s: a step solves R = 0; then
//   q_1 = q_0 + Σ_i b_i X_i,   p_1 = p_0 + h Σ_i b_i G_i.
// With P_i as the momentum of stage i this is q' = H_p, p' = −H_q + F. As in galerkin_action only small numbers are
// rounded, and the momentum of a cyclic coordinate does not change by a single bit.
#pragma once

#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/mechanics/phase_space.hpp"
#include "actio/tableaux/lobatto_pair.hpp"

namespace actio {

template <class S>
class partitioned_action {
 public:
  // The pair and the space must outlive it.
  partitioned_action(const lobatto_pair<S>& pair, const phase_space<S>& space, const S& step);

  std::size_t unknowns() const { return pair_->stages * size_; }
  std::size_t increments() const { return unknowns(); }  // of first order in the step
  std::size_t nodes() const { return pair_->stages; }

  // Another length for steps that start from now on.
  void set_step(const S& step);

  // The left end of the step. The remainders are those of compensated sums.
  void start(const S& t, std::span<const S> q, std::span<const S> q_remainder, std::span<const S> p,
             std::span<const S> p_remainder);

  // The interface of newton_solver; x = (X_1, …, X_s), each with n components.
  void evaluate(std::span<const S> x, bool with_jacobian);
  void residual(std::span<S> r);
  void jacobian(matrix<S>& J);
  S weight(std::size_t j);
  void rounding(std::span<S> r);

  // Σ b_i X_i.
  void position_increment(std::span<const S> x, std::span<S> dq);
  // Of the last evaluation: h Σ b_i G_i, and the energy h Σ b_i (F·v − ∂L/∂t)_i that the step gained.
  void momentum_increment(std::span<S> dp);
  S work();
  // h Σ b_i L at its stages: the discrete Lagrangian, where they are solved.
  S value();
  // Of the last evaluation at stage i: its time, and of coordinate a position, velocity and momentum P.
  const S& node_time(std::size_t i) { return jet_.time()[i]; }
  const S& node_position(std::size_t a, std::size_t i) { return jet_.position(a)[i]; }
  const S& node_velocity(std::size_t a, std::size_t i) { return jet_.velocity(a)[i]; }
  const S& node_momentum(std::size_t a, std::size_t i) { return jet_.momentum(a)[i]; }

  // Linearisation of the last evaluation with_jacobian: ∂R/∂q_0 (∂R_i/∂p_0 is minus the identity for every i), and the
  // change of the momentum increment with q_0 and X.
  void left_jacobian(matrix<S>& B) const;
  void momentum_jacobian(matrix<S>& by_left, matrix<S>& by_unknowns) const;

 private:
  // sum += Σ_j coefficient(row, j) values_j, values a stride apart
  void add_over_stages(const split_coefficients<S>& coefficients, std::size_t row, const S* values, std::size_t stride,
                       S& sum);

  const lobatto_pair<S>* pair_;
  std::size_t size_;
  S step_;
  std::span<const jet_entry> entries_;
  bool has_power_;
  jet_evaluation<S> jet_;
  std::vector<S> q_, q_remainder_, p_, p_remainder_, x_, extent_;
  S sum_{0}, product_{0};  // to work with
};

}  // namespace actio
