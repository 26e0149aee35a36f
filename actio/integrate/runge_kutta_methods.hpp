#pragma once

#include <vector>

#include "actio/integrate/catalogue.hpp"

namespace actio {

std::vector<method> runge_kutta_methods();

}  // namespace actio
