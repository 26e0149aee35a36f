// Joint translations and rotations of families of coordinates that leave every element as it is. Internal to
// mechanics/: affine_symmetries asks here where a system is made of elements.
#pragma once

#include <vector>

#include "actio/mechanics/generator_directions.hpp"
#include "actio/mechanics/system_code.hpp"

namespace actio {

// Of the directions those that are symmetries of L, of every constraint and of the forces. A direction is tested with
// the expressions of families alone: one that is a symmetry only because terms of different families cancel is not
// seen.
std::vector<direction> symmetries_of_elements(const system_code& code, const std::vector<direction>& tried);

}  // namespace actio
