// A step in the coordinates q of a chart x = ψ(q), discretised in the ambient space [marsden1997, eq. 48-50].
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

#include <memory>
#include <vector>

#include "actio/base/newton.hpp"
#include "actio/discrete/galerkin_action.hpp"
#include "actio/integrate/branch_keeper.hpp"
#include "actio/integrate/catalogue.hpp"
#include "actio/integrate/predictor.hpp"
#include "actio/integrate/step.hpp"
#include "actio/integrate/step_path.hpp"
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

  // Another length for steps that start from now on.
  void set_step(const S& step) {
    step_ = step;
    action_.set_step(step);
  }
  void start(const phase_state<S>& state);
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

// The same method for the coordinates of a chart, discretised in the ambient space. It is no method of the catalogue:
// it belongs to one system. Throws method-refuses-charts unless `m` is a Galerkin method that holds constraints.
method intrinsic_method(const method& m, embedding surface, const source_place& place = {});

template <class S>
class embedded_step final : public step_workspace<S> {
 public:
  embedded_step(const galerkin_scheme& scheme, const embedding& surface, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return work_; }
  void interpolate(const S& fraction, std::span<S> position) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;
  std::vector<S> history() const override { return predictor_.save(); }
  void restore_history(std::span<const S> saved) override { predictor_.load(saved); }

 private:
  newton_result solve(const phase_state<S>& state);
  newton_result confirmed(const phase_state<S>& state, newton_result result);
  bool velocity_of(const phase_state<S>& state);

  galerkin_tableau<S> tableau_;
  S step_;
  embedded_action<S> action_;
  newton_solver<S> newton_;
  step_predictor<S> predictor_;
  phase_point<S> legendre_;
  std::unique_ptr<step_path<S>> path_;  // made when it is first needed
  branch_keeper<S> branch_;
  std::vector<S> x_, solution_, left_, velocity_, momentum_;
  std::vector<double> weights_;
  S work_{0};
};

}  // namespace actio
