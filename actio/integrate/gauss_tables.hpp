// The coefficients of a Gauss method for kernels, which know no step.
#pragma once

#include "actio/backend/kernel/gauss_shape.hpp"

namespace actio {

kernel::gauss_tables make_gauss_tables(std::size_t points);

}  // namespace actio
