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

#include "actio/base/newton.hpp"
#include "actio/discrete/constrained_action.hpp"
#include "actio/integrate/predictor.hpp"
#include "actio/integrate/step.hpp"
#include "actio/integrate/step_path.hpp"

namespace actio {

template <class S>
class constrained_step final : public step_workspace<S> {
 public:
  constrained_step(const galerkin_scheme& scheme, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return work_; }
  void interpolate(const S& fraction, std::span<S> position) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;
  std::vector<S> history() const override;
  void restore_history(std::span<const S> saved) override;

  // The multipliers λ_k of the last step at its control points k = 0 … s, those of one point together. The force at an
  // end belongs half to the step before, half to the step after; the multipliers that a run reports are those of
  // phase_point, which converge faster.
  std::span<const S> multipliers() const { return multipliers_; }

 private:
  // What it takes to find the solution that a state leads to.
  struct connection {
    connection(const galerkin_tableau<S>& tableau, const phase_space<S>& space, const S& step)
        : action(tableau, space, step),
          path(action.unknowns(), action.increments(), saddle_point_solver<S>(action.unknowns())),
          x(action.unknowns(), S(0)) {}
    constrained_action<S> action;
    step_path<S, saddle_point_solver<S>> path;
    std::vector<S> x;
  };

  newton_result solve(const phase_state<S>& state);
  newton_result confirmed(const phase_state<S>& state, newton_result result);
  void start(constrained_action<S>& action, const phase_state<S>& state);
  bool velocity_of(const phase_state<S>& state);
  bool guess_by_velocity(const phase_state<S>& state);
  // Right end, its momentum before the projection, and the projection, from the last solution.
  bool close(const phase_state<S>& state);

  galerkin_tableau<S> tableau_;
  std::vector<S> end_weights_;  // of the Lobatto rule through the control points
  S step_;
  constrained_action<S> action_;
  newton_solver<S, saddle_point_solver<S>> newton_;
  step_predictor<S> predictor_;
  phase_point<S> legendre_;
  std::unique_ptr<connection> path_;  // made when it is first needed
  std::vector<S> x_, left_, right_, right_momentum_, velocity_, increment_, multipliers_;
  std::vector<double> weights_;
  S work_{0};
};

}  // namespace actio
