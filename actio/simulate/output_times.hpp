// Times at which the rows of a trajectory are wanted.
#pragma once

#include <optional>
#include <vector>

#include "actio/base/option.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

// The file that `times-file` names becomes `times`. Throws file-unreadable, conflicting-options.
void read_times(option_values& options);

// In the order in which the run meets them; nothing where rows are wanted after steps. Throws bad-number, also where a
// time is outside of the run.
template <class S>
std::optional<std::vector<S>> times_from(const model& m, const option_values& options, const integrator<S>& flow,
                                         const run_options<S>& length);

}  // namespace actio
