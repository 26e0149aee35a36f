// What events and controls change on the way: states and parameters.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "actio/integrate/step.hpp"
#include "actio/mechanics/model_events.hpp"
#include "actio/mechanics/state_function.hpp"

namespace actio {

bool changes_motion(std::span<const model_event> events);  // some of them set values

// Throws parameters-unsuited where a constraint depends on one of these parameters: a constraint that moves so does
// work of which nobody keeps account.
void require_still_constraints(const lagrangian_system& system, std::span<const std::size_t> parameters);

// Gives the values that events set.
template <class S>
class event_actions {
 public:
  // Throws parameters-unsuited. The events must outlive it.
  event_actions(const phase_space<S>& space, std::span<const model_event> events);

  // At `state`, whose velocity is `velocity`: new parameters of the workspace, then positions, then velocities or
  // momenta. What is not set stays: velocities where others are set, momenta otherwise; under constraints without what
  // leads off them. Returns why the values are no state, or "".
  std::string carry_out(std::size_t event, step_workspace<S>& workspace, phase_point<S>& point, phase_state<S>& state);

 private:
  std::span<const model_event> events_;
  std::vector<std::unique_ptr<state_function<S>>> values_;  // of each event that sets some
};

}  // namespace actio
