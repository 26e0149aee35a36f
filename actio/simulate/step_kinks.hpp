// Where steps end because the model is not smooth there.
#pragma once

#include <vector>

#include "actio/base/option.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio {

// Throws unknown-option-value.
bool splits_at_kinks(const option_values& options);

// The events of the model, and the kinks at which steps end. Steps that are chosen go over kinks, but for those that
// forces may hold.
std::vector<model_event> watched_events(const model& m, bool splits, bool chooses_steps = false);

// What happens to a motion at instants: where there is anything, trials and references go as runs do.
struct motion_instants {
  std::vector<model_event> watched;
  std::vector<sampled_control> sampled;

  bool any() const { return !watched.empty() || !sampled.empty(); }
};
// But for events that only record.
motion_instants instants_of(const model& m, bool splits, bool chooses_steps = false);

// Sample times of signals at which the forces have a kink that the method notices.
template <class S>
std::vector<S> kink_times_of(const integrator<S>& flow);

}  // namespace actio
