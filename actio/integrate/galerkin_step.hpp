// A step of any Galerkin variational integrator: predict, solve R(z) = 0 by Newton, add the increments.
#pragma once

#include "actio/base/newton.hpp"
#include "actio/discrete/galerkin_action.hpp"
#include "actio/integrate/predictor.hpp"
#include "actio/integrate/step.hpp"

namespace actio {

template <class S>
class galerkin_step final : public step_workspace<S> {
 public:
  galerkin_step(const galerkin_scheme& scheme, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  // The unknowns from which the next step is tried first.
  void set_guess(std::span<const S> z);
  S work() const override { return work_; }
  void interpolate(const S& fraction, std::span<S> position) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;
  std::vector<S> history() const override { return predictor_.save(); }
  void restore_history(std::span<const S> saved) override { predictor_.load(saved); }

 private:
  // Solves the step from `state` into z_; true when it converged.
  newton_result solve(const phase_state<S>& state);
  bool guess_by_velocity(const phase_state<S>& state);

  galerkin_tableau<S> tableau_;
  S step_;
  galerkin_action<S> action_;
  newton_solver<S> newton_;
  step_predictor<S> predictor_;
  phase_point<S> legendre_;
  std::vector<S> z_, left_, velocity_, increment_, weights_;
  bool has_guess_ = false;  // z_ holds it
  S work_{0};
};

}  // namespace actio
