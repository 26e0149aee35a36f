// How fast a model changes with the time by itself: pulses, switches and drives that a step must not jump over.
#pragma once

#include <optional>
#include <vector>

#include "actio/simulate/integrator.hpp"

namespace actio {

// The shortest time within which a part of the model that depends on t alone changes by half of what it changes by
// between `start` and `end`. Looked for at 131,071 times, and more closely around the fastest change: a pulse that is
// much narrower than the hundred-thousandth part of the run may stay unseen. Nothing where no part varies. Where
// steps end at kinks and jumps, changes over a time at which a switching value of t alone has a zero do not count.
std::optional<double> finest_time_scale(const lagrangian_system& system, const std::vector<double>& parameters,
                                        double start, double end, bool splits_at_kinks = false);

// The same of the forces along a motion: the shortest time within which they change by half of what they change by in
// all, at 32,768 places of its steps' own polynomials. A wall that the steps jump over stands out there. Nothing where
// forces do not matter, where steps are as many as these places, for models with kinks, and beyond double.
std::optional<double> finest_path_scale(const integrator<double>& flow, const phase_state<double>& start,
                                        std::size_t steps);

}  // namespace actio
