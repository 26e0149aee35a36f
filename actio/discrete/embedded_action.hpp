// The action of a step in the coordinates q of a chart x = ψ(q), discretised in the ambient space [marsden1997, eqs.
// 48-50].
//
// Notation as in discrete/galerkin_action.hpp, for the ambient Lagrangian: the path is the polynomial through the
// points Q_k = ψ(q_k), z_k = Q_k − Q_0, and leaves the surface between them. With D_k = ∂ψ/∂q at q_k and R_k the
// ambient equations without p_0, a step solves
//   π_0 + D_0ᵀR_0 = 0,   D_kᵀR_k = 0 (0 < k < s)      for ζ_k = q_k − q_0,
// and π_1 = D_sᵀT with T = h Σ_i b_i G_i − Σ_{k<s} R_k, the derivative of the action by Q_s. Forces of constraints are
// orthogonal to the surface: positions are those of the constrained formulation [marsden1997, Theorem 6.1].
//
// Differences ψ(q_k) − ψ(q_0) lose digits as h → 0: momenta have roundings of size ε/h.
#pragma once

#include <span>
#include <vector>

#include "actio/discrete/galerkin_action.hpp"
#include "actio/mechanics/chart.hpp"
#include "actio/mechanics/constraint_map.hpp"

namespace actio {

// The s·m equations of a step for x = (ζ_1, …, ζ_s), in the form that newton_solver asks for.
template <class S>
class embedded_action {
 public:
  // The tableau must outlive it. The space is that of the chart's coordinates.
  embedded_action(const galerkin_tableau<S>& tableau, const phase_space<S>& space, const embedding& surface,
                  const S& step);

  std::size_t unknowns() const { return tableau_->degree * m_; }
  std::size_t increments() const { return unknowns(); }  // of first order in the step

  // Another length for steps that start from now on.
  void set_step(const S& step) {
    step_ = step;
    action_.set_step(step);
  }
  void start(const S& time, std::span<const S> position, std::span<const S> position_remainder,
             std::span<const S> momentum, std::span<const S> momentum_remainder);
  void evaluate(std::span<const S> x, bool with_jacobian);
  void residual(std::span<S> r);
  void jacobian(matrix<S>& J);
  S weight(std::size_t j);

  // Of the last evaluation: π_1, and the energy that the step gained.
  void right_momentum(std::span<S> p) const;
  S work() { return action_.work(); }
  // The derivative ∂(q_1, π_1)/∂(q_0, π_0) of the last evaluation with_jacobian, 2m × 2m; empty where it does not
  // exist.
  matrix<S> tangent();

 private:
  const galerkin_tableau<S>* tableau_;
  std::size_t m_, n_;  // of the chart, of the ambient space
  S step_;
  lagrangian_jet<S> jet_;  // of the ambient Lagrangian
  galerkin_action<S> action_;
  constraint_map<S> chart_;           // ψ in the place of constraints: values, slopes, and second derivatives of w·ψ
  constraint_evaluation<S> surface_;  // at q_0 … q_s
  std::vector<matrix<S>> slopes_;     // D_k
  std::vector<matrix<S>> bends_;      // Σ_a w_a ∂²ψ_a/∂q² at q_k, with w = R_k, and T at the right end
  std::vector<S> q0_, q0_remainder_, p0_, ambient_q0_, zero_, z_, R_, T_, x_, extent_;
  matrix<S> block_;
};

}  // namespace actio
