// The methods that a choice considers.
#pragma once

#include <vector>

#include "actio/integrate/catalogue.hpp"

namespace actio {

// Those that suit the system, the most promising first; never empty where a method suits at all.
std::vector<const method*> candidates_for(const lagrangian_system& system);

}  // namespace actio
