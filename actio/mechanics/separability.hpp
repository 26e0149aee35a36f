// Is a Lagrangian a kinetic energy of the velocities alone minus a potential energy of the coordinates alone, or a
// Hamiltonian the sum of one of the momenta and one of the coordinates?
#pragma once

#include <optional>
#include <string>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// What keeps a system from being L = T(q') − V(q, t) or H = T(p) + V(q, t) with forces F(q, t), as the start of a
// sentence: "the Lagrangian couples x with y'", "the Hamiltonian couples x with p_y", "the force on x depends on y'".
// Nothing where it is separable. A coupling that cancels is none: identities are tested at random points.
std::optional<std::string> find_coupling(const lagrangian_system& system);

}  // namespace actio
