// Hamilton's equations as one straight-line program: of a Lagrangian with the mass matrix eliminated inside it, or of a
// given Hamiltonian. The one place from which the rates of positions and momenta come as programs.
#pragma once

#include <optional>
#include <span>

#include "actio/mechanics/phase_program.hpp"
#include "actio/program/field_code.hpp"

namespace actio {

// q' = M⁻¹ (p − c) with M = ∂²L/∂v² and c = ∂L/∂v at rest, p' = ∂L/∂q + F, and the rate at which energy is supplied (0
// where none is). Parameters are those of the system. Nothing where the Lagrangian is not quadratic in the velocities
// as it is written. M is eliminated without exchanging rows: it must be definite.
// Where H is given: q' = ∂H/∂p, p' = −∂H/∂q + F; M⁻¹ is then ∂²H/∂p², where that is free of p as H is written.
// Made once.
const std::optional<field_code>& hamilton_program(const system_code& code,
                                                  parameter_role role = parameter_role::shared);
inline std::optional<field_code> hamilton_program(const lagrangian_system& system,
                                                  parameter_role role = parameter_role::shared) {
  return hamilton_program(system_code(system), role);
}

// Lets hamilton_program(extended), of K = σ (H − E) (time_transformation.hpp), have what the field of the system has.
// Nothing is done where σ depends on velocities or momenta.
void share_field(const system_code& code, const system_code& extended);

// From (q, p, t, parameters where these are variables) to (q', p·q', L without its constant terms, kinetic_scale, these
// terms, what is conserved, `more`): what a certificate looks at, and whatever else is to be measured there, in q, q',
// p, t and the parameters. Energy is the difference p·q' − L; where H is given, H − 0. Nothing where hamilton_program
// gives nothing.
std::optional<program> certificate_program(const system_code& code, parameter_role role,
                                           std::span<const expr> more = {});

}  // namespace actio
