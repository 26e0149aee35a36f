// How fast a model changes with the time by itself: pulses, switches and drives that a step must not jump over.
#pragma once

#include <optional>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// The shortest time within which a part of the model that depends on t alone changes by half of what it changes by
// between 0 and `until`. Looked for at 131,071 times, and more closely around the fastest change: a pulse that is much
// narrower than the hundred-thousandth part of the run may stay unseen. Nothing where no part varies.
std::optional<double> finest_time_scale(const lagrangian_system& system, const std::vector<double>& parameters,
                                        double until);

}  // namespace actio
