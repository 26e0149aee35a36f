#pragma once

#include <vector>

#include "actio/integrate/catalogue.hpp"

namespace actio {

std::vector<method> linear_methods();

}  // namespace actio
