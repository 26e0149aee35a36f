// One Newton iteration of a Galerkin step as a single straight-line program: residual, Jacobian, elimination, and the
// momentum at the end. For small systems, whose cost is otherwise that of going from one function to the next.
#pragma once

#include "actio/backend/kernel/newton_shape.hpp"
#include "actio/backend/newton_kernel.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/mechanics/system_code.hpp"
#include "actio/program/program.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

// From the variables of newton_layout to its outputs, with the parameters of the system unless they are variables. The
// elimination keeps to one order of rows, that which suits short steps; a pivot that vanishes shows as an update that
// is not finite.
program newton_program(const system_code& code, const galerkin_tableau<double>& tableau,
                       parameter_role role = parameter_role::shared);

// The same as two programs, which newton_kernel puts together: with the nodes in lanes.
// Made once for a scheme.
const newton_code& newton_code_of(const system_code& code, const galerkin_scheme& scheme);

}  // namespace actio
