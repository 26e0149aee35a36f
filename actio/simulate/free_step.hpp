// Steps of a method of any length: to ends of runs that are no multiple of the step, to given times, to crossings.
#pragma once

#include <cstdint>
#include <memory>

#include "actio/simulate/integrator.hpp"

namespace actio {

template <class S>
class free_step {
 public:
  // In a space that may be that of another workspace, whose parameters change on the way.
  free_step(const integrator<S>& flow, const phase_space<S>& space);

  // Moves `state` by `length`, of either sign, as one step; the next step begins a new count. When it fails the state
  // is unchanged. Methods that choose their steps may take several.
  step_status advance(phase_state<S>& state, const S& length);
  // The same, with an end that is exactly `time`.
  step_status advance_to(phase_state<S>& state, const S& time);

  // That of the last step, for its work and dense output.
  step_workspace<S>& workspace() { return *step_; }

 private:
  void prepare(const S& length);
  step_status advance_freely(phase_state<S>& state, const S& time);

  integrator<S> flow_;
  phase_space<S> space_;
  std::unique_ptr<step_workspace<S>> step_;
  std::uint64_t revision_ = 0;  // of the parameters, when the last step was taken
};

}  // namespace actio
