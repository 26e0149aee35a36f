// Steps of Störmer and Verlet under constraints where the multipliers alone are unknown
// (discrete/rattle_equations.hpp).
//
// Newton's method begins with multipliers extrapolated from earlier steps. Where it does not stay with them,
// constrained_step takes over, from the state alone; it has the same solutions.
#pragma once

#include <memory>
#include <vector>

#include "actio/base/newton.hpp"
#include "actio/discrete/rattle_equations.hpp"
#include "actio/integrate/constrained_step.hpp"
#include "actio/integrate/predictor.hpp"
#include "actio/integrate/step_memory.hpp"

namespace actio {

template <class S>
class rattle_step final : public remembering_step<S> {
 public:
  // The space must have that form.
  rattle_step(const galerkin_scheme& scheme, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return S(0); }
  void interpolate(const S& fraction, std::span<S> position) override;
  matrix<S> tangent_map(const phase_state<S>& state) override { return general().tangent_map(state); }
  bool takes_any_length() const override { return true; }
  void set_step(const S& step) override;
  void parameters_changed() override;

 private:
  void remember(step_memory<S>& memory) override;
  newton_result solve(const phase_state<S>& state);
  step_status advance_generally(phase_state<S>& state);
  constrained_step<S>& general();

  static constexpr std::size_t steps_of_rest = 16;  // after a failure

  galerkin_scheme scheme_;
  step_context<S> context_;
  rattle_equations<S> equations_;
  newton_solver<S, sparse_equations<S>> newton_;
  step_predictor<S> predictor_;
  std::vector<S> multipliers_, left_, increment_;
  std::vector<double> weights_;
  std::size_t rest_ = 0;
  std::unique_ptr<constrained_step<S>> general_;  // made when it is first needed
};

}  // namespace actio
