// Symmetries that a system keeps when parameters change on the way.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// Drops what is a symmetry with the present values of the `changing` parameters only, declared or found; returns the
// names of the momenta that went with it.
std::vector<std::string> keep_lasting_symmetries(lagrangian_system& system, std::span<const std::size_t> changing);

}  // namespace actio
