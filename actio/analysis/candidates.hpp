// The methods that a choice considers.
#pragma once

#include <vector>

#include "actio/integrate/catalogue.hpp"

namespace actio {

// Those that suit the system, by their rank; where none has one all of more than the first order. Never empty where
// such a method suits.
// Where steps end at kinks, methods keep their orders there.
std::vector<const method*> candidates_for(const lagrangian_system& system, bool is_linear, bool ends_at_kinks = false);

}  // namespace actio
