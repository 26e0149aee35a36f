// Why a step failed, in words for the report of its run.
#pragma once

#include <string>

#include "actio/integrate/step.hpp"

namespace actio {

// Of the step that was to start from `state`.
template <class S>
std::string failure_reason(step_code code, const phase_state<S>& state, const step_status& status,
                           const phase_space<S>& space);

// A kink in velocities, or in coordinates of first order, on which the state lies nearly: forces that jump there may
// hold it. "" where there is none.
template <class S>
std::string held_at(const phase_space<S>& space, const phase_state<S>& state);
std::string sticking_reason(double time, const std::string& kink);
inline constexpr const char* cure_for_sticking =
    "let the forces change smoothly, as tanh(v/0.001) does in the place of sign(v), or let an event switch to a mode in "
    "which the motion rests";

// Where [time] has a scale that has come to zero, or nearly so, since the start of the run: that; else "".
template <class S>
std::string vanishing_scale(const phase_space<S>& space, const phase_state<S>& first, const phase_state<S>& last);

}  // namespace actio
