// Symmetries q → q + ε(Aq + b) of a system, found where nobody declared them.
//
// The equations for A and b are linear; they are taken at as many random points as there are unknowns and some more,
// and solved (null_space.hpp). What is found is written with exact numbers, and then tested at points that had no part
// in it, near and far. Each equation must hold to rounding in quad precision, so that masses of 1 and 1 + 1e-18 are
// different, and then with so many digits that no term is too small to be seen (generator_proof.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// What was looked for; it depends on the number of coordinates and on what a point costs.
enum class search_extent {
  affine,        // every A and b
  translations,  // every b, and rotations of families of coordinates: x1, x2, ... and y1, y2, ... all alike
  families,      // translations and rotations of families of coordinates
  nothing,       // there is no Lagrangian, no random point in its domain, or a point costs too much
};

std::string to_text(search_extent extent);    // "affine", "translations", "families" or "nothing"
std::string limits_of(search_extent extent);  // what was left out, for people; empty where nothing was
std::string to_text(momentum_origin origin);  // "cyclic", "declared" or "found"

struct symmetry_search {
  std::vector<symmetry> found = {};  // translations first; none that follows from declared ones and cyclic coordinates
  search_extent extent = search_extent::nothing;
  // Symmetries that are not among `found`: their numbers could not be written exactly, or they are too many.
  std::size_t untracked = 0;
};

// Parameters among `free`, by their places, may have any value; the others have theirs.
symmetry_search find_affine_symmetries(const lagrangian_system& system, std::span<const std::size_t> free = {});

// The same, remembered for the systems that were asked for last.
symmetry_search affine_symmetries(const lagrangian_system& system);

// Declared symmetries and those that were found.
std::vector<symmetry> all_symmetries(const lagrangian_system& system);

}  // namespace actio
