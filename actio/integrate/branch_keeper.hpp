// Carries the velocity of a state through a step where several velocities may belong to a momentum (see
// mechanics/phase_space.hpp); does nothing elsewhere.
#pragma once

#include <optional>
#include <span>

#include "actio/integrate/step.hpp"

namespace actio {

template <class S>
class branch_keeper {
 public:
  explicit branch_keeper(const phase_space<S>& space) {
    if (!space.has_one_branch()) point_.emplace(space);
  }

  bool has_branches() const { return point_.has_value(); }

  // Before the state is moved.
  void start(const phase_state<S>& state) {
    if (point_) before_ = state;
  }

  // After it was moved: gives it the velocity on the branch of `near`, or of the velocity that it had. Where the branch
  // ends in between the state is put back, and the answer is false.
  bool finish(phase_state<S>& state, std::span<const S> near = {}) {
    if (!point_) return true;
    if (near.empty()) near = before_.velocity;
    if (point_->velocity_at(state.time, state.position.value, state.momentum.value, state.velocity, near)) return true;
    state = before_;
    return false;
  }

  // The status of a step from `state`: where it could not be solved because the branch ends there, it says so.
  step_status judged(step_status status, const phase_state<S>& state, const S& step) {
    if (status || !point_) return status;
    const bool ends =
        point_->branch_ends_within(step, state.time, state.position.value, state.momentum.value, state.velocity);
    if (ends) status.code = step_code::mass_singular;
    return status;
  }

 private:
  std::optional<phase_point<S>> point_;
  phase_state<S> before_;
};

}  // namespace actio
