// A step of a variational integrator under holonomic constraints: positions and momenta on the constraints to rounding.
//
// Newton's method solves for increments and multipliers together (discrete/constrained_action.hpp); a projection of the
// momentum ends the step, so that the next one starts with a velocity along the constraints. With the trapezoidal
// action and a constant mass this is RATTLE, without the projection SHAKE; the positions are the same.
//
// The tangent map is that of the step on the ambient space around the constraints: for vectors tangent to the
// constrained phase space it is the derivative of the step there, and symplectic.
#pragma once

#include <memory>

#include "actio/discrete/constrained_action.hpp"
#include "actio/integrate/path_step.hpp"

namespace actio {

template <class S>
class constrained_step final : public solved_path_step<S, constrained_action<S>, saddle_point_solver<S>> {
 public:
  constrained_step(const galerkin_scheme& scheme, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;

  // The multipliers λ_k of the last step at its control points k = 0 … s, those of one point together. The force at an
  // end belongs half to the step before, half to the step after; the multipliers that a run reports are those of
  // phase_point, which converge faster.
  std::span<const S> multipliers() const { return multipliers_; }

 private:
  void remember(step_memory<S>& memory) override;
  using base = solved_path_step<S, constrained_action<S>, saddle_point_solver<S>>;
  using base::action_, base::left_, base::legendre_, base::n_, base::predictor_, base::step_, base::tableau_,
      base::velocity_, base::x_;

  // Momenta are those of the last evaluation of action_: a path has its own.
  constrained_action<S>& path_action() override;
  // Right end, its momentum before the projection, and the projection, from the last solution.
  bool close(const phase_state<S>& state);

  std::vector<S> end_weights_;                      // of the Lobatto rule through the control points
  std::vector<S> end_slopes_;                       // of the basis of the path there
  std::unique_ptr<constrained_action<S>> on_path_;  // made when it is first needed
  std::vector<S> right_, right_momentum_, increment_, multipliers_;
};

}  // namespace actio
