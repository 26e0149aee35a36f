// The Lagrangian rewritten so that its derivatives cost less.
#pragma once

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// Where L is quadratic in the velocities, L = ½ Σ M_ij v_i v_j + the rest, with the entries of the mass matrix
// collected: kinetic energies of points in Cartesian coordinates lose their sin² + cos², and coordinates that drop out
// are seen to be cyclic. The system's own L where that is no gain. The potential stays as it is written: rearranged, it
// might cancel.
expr lagrangian_with_collected_mass(const lagrangian_system& system);

}  // namespace actio
