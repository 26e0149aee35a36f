// What is left of a system while a relation of its velocities holds: dry friction that keeps a body on its support.
//
// A force that changes its sign with w = Σ a_k q_k' − c, the speed at which surfaces slide, drives w to zero from both
// sides as long as it is the stronger one. There w stays, and Σ a_k q_k = c t + offset: one coordinate, the leading
// one, follows from the others, and friction is the force that holds the relation. Such a force is along a, so that it
// does not act on what is left.
#pragma once

#include <optional>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// q_leading = rate·t + offset + Σ ratios_k q_k, with the other coordinates in their order.
struct held_relation {
  std::size_t leading = 0;
  expr rate;                 // in the parameters, as the ratios are
  std::vector<expr> ratios;  // one a coordinate that is left
  expr offset;               // a parameter of its own

  // In the coordinates, velocities and momenta that are left.
  expr in_what_is_left(const lagrangian_system& whole, const expr& e) const;
};

struct held_system {
  // Without the leading coordinate, observables and symmetries; the offset is its last parameter, 0. It has no
  // coordinate left where there was one alone.
  lagrangian_system system;
  held_relation relation;
};

// Nothing where `w` is no such relation with constant coefficients, where more than forces change with its sign, or
// where they change otherwise than along a; nor of systems with constraints, families or forces of the program.
// `number` tells one offset from others.
std::optional<held_system> held(const lagrangian_system& system, const expr& w, std::size_t number);

// The forces as they are where w is positive (side 1) or negative (side −1).
lagrangian_system on_side(const lagrangian_system& system, const expr& w, int side);

}  // namespace actio
