// What to try after a run has failed: only what was tried.
#pragma once

#include <string>

#include "actio/simulate/integrator.hpp"

namespace actio {

// For a run from `start` whose next step after `last` failed. A shorter step is named where it went from the start
// beyond that time with its energy in bounds, and where its linearisation grows no faster than that of steps half as
// long. Where all shorter steps end at the same time, so does the motion. Costs some times what the run did, but for
// very long runs nothing: they get advice without a number.
template <class S>
std::string advice_after_failure(const integrator<S>& integrator, const phase_state<S>& start,
                                 const phase_state<S>& last);

}  // namespace actio
