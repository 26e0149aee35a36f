// Collocation kernels as machine code.
#pragma once

#include "actio/backend/collocation_kernel.hpp"

namespace actio::machine_code {

std::unique_ptr<collocation_kernel> make_kernel(const collocation_code& code, std::span<const double> parameters);

}  // namespace actio::machine_code
