// A step of any Galerkin variational integrator: predict, solve R(z) = 0 by Newton, add the increments.
#pragma once

#include "actio/base/newton.hpp"
#include "actio/discrete/galerkin_action.hpp"
#include "actio/integrate/predictor.hpp"
#include "actio/integrate/step.hpp"

namespace actio {

// z_k of the next step when the polynomial of this one goes on: Σ_l (φ_l(1 + c_k) − φ_l(1)) z_l.
template <class S>
matrix<S> polynomial_continuation(const galerkin_tableau<S>& tableau);

template <class S>
class galerkin_step final : public step_workspace<S> {
 public:
  galerkin_step(const galerkin_scheme& scheme, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  // The unknowns from which the next step is tried first.
  void set_guess(std::span<const S> z);
  // Of the last step: its unknowns, and the size of each coordinate's changes.
  std::span<const S> unknowns() const { return z_; }
  std::span<const S> weights() const { return weights_; }
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
