// Where steps end because the model is not smooth there.
#pragma once

#include <vector>

#include "actio/base/option.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio {

// Throws unknown-option-value.
bool splits_at_kinks(const option_values& options);

// The events of the model, and the kinks at which steps end.
std::vector<model_event> watched_events(const model& m, const option_values& options);

// Sample times of signals at which the forces have a kink that the method notices.
template <class S>
std::vector<S> kink_times_of(const integrator<S>& flow);

}  // namespace actio
