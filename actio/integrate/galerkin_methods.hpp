#pragma once

#include <vector>

#include "actio/integrate/catalogue.hpp"

namespace actio {

std::vector<method> galerkin_methods();

}  // namespace actio
