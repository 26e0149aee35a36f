// Hamilton's equations as one straight-line program, with the mass matrix eliminated inside it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"
#include "actio/program/program.hpp"

namespace actio {

// Whether the parameters of a system are the same at all points, or each point has its own.
enum class parameter_role { shared, variable };

// From (q, p, t) to (q', p', power, entries of M⁻¹): q' = M⁻¹ (p − c) with M = ∂²L/∂v² and c = ∂L/∂v at rest,
// p' = ∂L/∂q + F, and the rate at which energy is supplied (0 where none is). Parameters are those of the system; where
// they are variables they follow t.
struct hamilton_field {
  struct entry {
    std::size_t row, column;  // row ≥ column: M is symmetric
  };
  program code;
  std::vector<entry> inverse_mass;  // in the order of the outputs; none where there would be too many
};

// Nothing where the Lagrangian is not quadratic in the velocities as it is written. M is eliminated without exchanging
// rows: it must be definite.
std::optional<hamilton_field> hamilton_program(const lagrangian_system& system,
                                               parameter_role role = parameter_role::shared);

// From (q, p, t, parameters where these are variables) to (q', p·q', L, the conserved momenta, `more`): what a
// certificate looks at, and whatever else is to be measured there, in q, q', p, t and the parameters. Energy is the
// difference p·q' − L. Nothing where hamilton_program gives nothing.
std::optional<program> certificate_program(const lagrangian_system& system, parameter_role role,
                                           std::span<const expr> more = {});

}  // namespace actio
