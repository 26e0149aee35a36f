#pragma once

#include <vector>

#include "actio/integrate/catalogue.hpp"

namespace actio {

std::vector<method> partitioned_methods();

bool is_lobatto_pair(const method& m);

}  // namespace actio
