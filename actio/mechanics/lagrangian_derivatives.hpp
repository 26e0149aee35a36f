// The first and second derivatives of a Lagrangian as expressions of q, v, t and the parameters, without forces. What
// is compiled from L (jets, programs of steps and fields, counts of their costs) takes them from here.
#pragma once

#include <vector>

#include "actio/mechanics/system_code.hpp"

namespace actio {

struct lagrangian_derivatives {
  using rows = std::vector<std::vector<expr>>;

  explicit lagrangian_derivatives(const lagrangian_system& system);

  std::vector<expr> by_position, by_velocity;  // ∂L/∂q, ∂L/∂v
  expr by_time;                                // ∂L/∂t
  // ∂²L/∂q² and ∂²L/∂v²; the lower triangle is the upper one, since the two orders of differentiation may give
  // different expressions of the same function. mixed[i][j] = ∂²L/∂v_i∂q_j.
  rows by_positions, by_velocities, mixed;
};

// Those of a system with a Lagrangian that is compiled, made once.
const lagrangian_derivatives& derivatives_of(const system_code& code);

}  // namespace actio
