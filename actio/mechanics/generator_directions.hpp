// The unknowns of a search for affine symmetries: motions of coordinates, alone or together. Internal to mechanics/.
#pragma once

#include <cstddef>
#include <vector>

#include "actio/mechanics/affine_symmetries.hpp"
#include "actio/mechanics/variation_equations.hpp"

namespace actio {

// ξ_i = factor q_j, or ξ_i = factor where j is the number of coordinates.
struct motion {
  std::size_t i, j;
  quad factor = 1;
  expr exact = 1;
  double rough = to_double(factor);
};

// One unknown: coordinates that move together.
using direction = std::vector<motion>;

struct search_plan {
  std::vector<direction> directions;  // those that turn first
  search_extent extent = search_extent::nothing;
  bool has_constant_masses = false;  // kinetic energy does not change along any of them
  bool at_rest = false;              // nor do forces depend on velocities: what these would leave is only rounding
};

// As many unknowns as can be solved for in a tenth of a second. Where masses are constant, m_i A_ij + m_j A_ji = 0
// leaves half of those in A.
search_plan plan_for(const lagrangian_system& system, const variation_equations<quad>& equations,
                     bool has_free_parameters);

// Joint translations and rotations of coordinates whose names differ in their digits alone: those that turn first.
std::vector<direction> family_directions(const lagrangian_system& system);

}  // namespace actio
