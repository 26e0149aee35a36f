// What methods keep with a scale of time, dt = σ dτ, measured: Gauss methods are symplectic in the phase space of
// (q, t; p, −E), symmetric methods reversible, and the energy of neither drifts.
#pragma once

#include <vector>

#include "actio/analysis/verification.hpp"

namespace actio {

// An eccentric orbit, and a point held on a sphere near an attracting one. Made once, before there are threads.
const std::vector<model>& scaled_verification_systems();

// Of the systems whose scale the method takes; none where it refuses both.
std::vector<verification_row> scaled_rows(const method& m, unsigned digits);

}  // namespace actio
