// The action of one step whose control points are held on constraints g(q, t) = 0.
//
// Notation as in galerkin_action.hpp; A_k = ∂g/∂q at the control point Q_k = Q_0 + z_k, c_k its time, and b_k the
// weights of the Lobatto rule through the control points (for Lobatto methods the quadrature itself). A step solves
//   h R_k + A_kᵀ μ_k = 0 (k = 0 … s−1),   g(Q_k) = 0 (k = 1 … s),   with μ_k = h² b_k λ_k,
// for z_1 … z_s and μ_0 … μ_{s−1}: [marsden1997, eq. 45, 46] with points in between. Scaled so, the Jacobian keeps its
// size as h → 0. The momentum at the right end has not seen the constraint force there yet,
//   p⁻ = p_0 + h Σ_i b_i G_i + (1/h) Σ_{k<s} A_kᵀ μ_k;
// that force, A_sᵀ h b_s λ_s, is what makes its velocity satisfy the hidden constraint.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "actio/base/saddle_point.hpp"
#include "actio/discrete/galerkin_action.hpp"
#include "actio/mechanics/held_groups.hpp"

namespace actio {

template <class S>
class constrained_action {
 public:
  // The space must have constraints.
  constrained_action(const galerkin_tableau<S>& tableau, const phase_space<S>& space, const S& step);

  std::size_t increments() const { return action_.unknowns(); }                          // s·n
  std::size_t unknowns() const { return increments() + tableau_->degree * held_size_; }  // and s·m multipliers

  // Another length for steps that start from now on.
  void set_step(const S& step) {
    step_ = step;
    action_.set_step(step);
  }
  void start(const S& t, std::span<const S> q, std::span<const S> q_remainder, std::span<const S> p,
             std::span<const S> p_remainder);

  // The interface of newton_solver; x = (z_1, …, z_s, μ_0, …, μ_{s−1}).
  void evaluate(std::span<const S> x, bool with_jacobian);
  void residual(std::span<S> r);
  void jacobian(saddle_point_solver<S>& K);
  S weight(std::size_t j);
  // After an evaluation with Jacobian: what rounding may make of the residual.
  void rounding(std::span<S> r);
  // Of an update's increments, by weights; it is kept by how much the update turns the forces of the constraints.
  double size_of(std::span<const S> update);
  // By what the update of this size comes to, whose multipliers change by this part: what bends the equations is the
  // Lagrangian, unless its momenta are linear and its forces constant, and constraints as they turn.
  double matrix_error(double size, double of_multipliers) const {
    const double by_turn = turn_ * std::max(part_, of_multipliers);
    return std::max(is_linear_ ? 0.0 : size, size > 0 ? by_turn / size : turn_);
  }
  double blur() const { return blur_; }
  // After a solution whose last update had this size: evaluates there, where what follows depends on it by more than
  // the last evaluation shows to first order.
  void settle(std::span<const S> x, double update);
  // Multipliers follow from the increments, and may be nothing at first.
  bool follows(std::size_t j) const { return j >= increments(); }
  // Of the increments. Multipliers of long chains are known to fewer digits than the forces that they add up to: they
  // do not tell when a step is found.
  std::span<const S> weights();
  // What its Jacobian is filled into.
  saddle_point_solver<S> equations() const { return saddle_point_solver<S>(groups_); }

  // With the multipliers of the solution x, and all else of the last evaluation, from which x differs by one update at
  // most: p⁻ − p_0, with slopes that turn with the update, and the energy gained but for the work of the force at the
  // right end. (The momentum must belong to the increments as they are added: that of the evaluation before would
  // differ by h⁻¹ times the update.)
  void momentum_increment(std::span<const S> x, std::span<S> dp);
  S work(std::span<const S> x);

  // Evaluates with what the following need as well.
  void linearise(std::span<const S> x);
  // Linearisation of the last call of linearise: of the equations by Q_0 (by p_0 it is h times the identity in
  // the rows of k = 0), and of p⁻ − p_0 by Q_0 and by x.
  void left_jacobian(matrix<S>& B) const;
  void momentum_jacobian(matrix<S>& by_left, matrix<S>& by_unknowns) const;

 private:
  const galerkin_tableau<S>* tableau_;
  const constraint_map<S>* map_;
  std::size_t size_, held_size_;
  S step_;
  galerkin_action<S> action_;
  constraint_evaluation<S> held_;  // at Q_0 … Q_s
  bool depends_on_time_;
  bool is_settled_;  // impulses do not depend on the unknowns but for those of the constraints
  bool is_linear_;   // nor do momenta, but linearly on the velocities
  // Of the last update: by how much, beside themselves, it turns the forces of the constraints, and its part of the
  // increments. By how much rounding of the positions turns these forces.
  double turn_ = 1, part_ = 1, blur_ = 0;
  S force_scale_{0};  // of the forces of the constraints
  sparse_pattern groups_;
  std::vector<S> q_, q_remainder_, p_, x_, weights_;
  bool knows_weights_ = false, knows_impulse_ = false;
  std::vector<S> rounded_off_;  // of the control points: a·(s+1) + k
  std::vector<S> impulse_;      // of the forces in the step
  // The largest |q_0|, |p_0|, |h G|, |∂g/∂q|, |z|.
  S position_scale_{0}, momentum_scale_{0}, impulse_scale_{0}, slope_scale_{0}, extent_{0};
};

}  // namespace actio
