// The tables [events.NAME] and [control.NAME] of a model file.
#pragma once

#include "actio/mechanics/model.hpp"
#include "actio/mechanics/model_file.hpp"
#include "actio/mechanics/name_scope.hpp"

namespace actio {

// Controls are parameters: their names, beside those of [parameters]. Throws what name_scope::declare throws.
void declare_controls(const file_value& root, name_scope& scope);
// Adds them to the parameters of the system; their values come with the first sample.
void define_controls(const file_value& root, name_scope& scope, lagrangian_system& system);

// Both throw unknown-key, missing-key, wrong-type, unknown-option-value, unknown-event-target, conflicting-options and
// what expressions throw.
std::vector<sampled_control> read_controls(const file_value& root, const name_scope& scope,
                                           const lagrangian_system& system);
std::vector<model_event> read_events(const file_value& root, const name_scope& scope, const lagrangian_system& system);

// "up", "down" or "both". Throws unknown-option-value.
crossing crossing_from(const source_text& typed);

}  // namespace actio
