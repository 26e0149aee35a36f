// The Hamiltonian of a Lagrangian as an expression.
#pragma once

#include <optional>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

struct hamiltonian_form {
  expr energy;                 // H(q, p, t) = p·v − L
  std::vector<expr> velocity;  // v(q, p, t) = ∂H/∂p
};

// With M = ∂²L/∂v² and c = ∂L/∂v at rest: v = M⁻¹ (p − c), H = ½ (p − c)·v − L at rest. M is eliminated without
// exchanging rows: it must be definite. Nothing where the Lagrangian is not quadratic in the velocities as it is
// written, where there are constraints, or where more coordinates are coupled by M than make sense as an expression.
std::optional<hamiltonian_form> hamiltonian_of(const lagrangian_system& system);

}  // namespace actio
