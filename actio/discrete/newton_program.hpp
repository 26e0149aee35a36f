// One Newton iteration of a Galerkin step as a single straight-line program: residual, Jacobian, elimination, and the
// momentum at the end. For small systems, whose cost is otherwise that of going from one function to the next.
#pragma once

#include "actio/backend/newton_kernel.hpp"
#include "actio/mechanics/hamilton_program.hpp"
#include "actio/mechanics/system_code.hpp"
#include "actio/program/program.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

// Where things stand among the variables and the outputs, for n coordinates and a path of degree s.
struct newton_layout {
  std::size_t n, s;
  std::size_t varied = 0;  // parameters of the system that are variables

  // Variables: q and p with their remainders, the time, the unknowns z, and parameters where these are variables.
  std::size_t position() const { return 0; }
  std::size_t position_remainder() const { return n; }
  std::size_t momentum() const { return 2 * n; }
  std::size_t momentum_remainder() const { return 3 * n; }
  std::size_t time() const { return 4 * n; }
  std::size_t unknowns() const { return 4 * n + 1; }
  std::size_t parameters() const { return unknowns() + s * n; }
  std::size_t variables() const { return parameters() + varied; }

  // Outputs: Newton's update δ (the new unknowns are z − δ), h Σ b_i G_i at z, its change to first order by the update,
  // and the work h Σ b_i (F·v − ∂L/∂t)_i.
  std::size_t update() const { return 0; }
  std::size_t increment() const { return s * n; }
  std::size_t increment_change() const { return s * n + n; }
  std::size_t work() const { return s * n + 2 * n; }
  std::size_t outputs() const { return work() + 1; }
};

// Parameters: those of the system unless they are variables, then the step h. The elimination keeps to one order of
// rows, that which suits short steps; a pivot that vanishes shows as an update that is not finite.
program newton_program(const system_code& code, const galerkin_tableau<double>& tableau,
                       parameter_role role = parameter_role::shared);

// The same as two programs, which newton_kernel puts together: with the nodes in lanes.
// Made once for a scheme.
const newton_code& newton_code_of(const system_code& code, const galerkin_scheme& scheme);

}  // namespace actio
