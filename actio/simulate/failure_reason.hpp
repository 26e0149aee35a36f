// Why a step failed, in words for the report of its run.
#pragma once

#include <string>

#include "actio/integrate/step.hpp"

namespace actio {

// Of the step that was to start from `state`.
template <class S>
std::string failure_reason(step_code code, const phase_state<S>& state, const step_status& status,
                           const phase_space<S>& space);

}  // namespace actio
