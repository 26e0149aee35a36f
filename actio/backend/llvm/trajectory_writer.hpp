// Writes the machine code of trajectory kernels.
#pragma once

#include <string>

#include "actio/backend/kernel/trajectory_code.hpp"

namespace actio::machine_code {

// `numbers` has a row of `stride` numbers for each of trajectory_rows.
using trajectory_entry = void (*)(const double* fixed, const double* certificate_fixed, double* numbers,
                                  const void* const* functions, std::size_t first, std::size_t end, std::size_t stride);

std::string make_trajectory_object(const kernel::trajectory_code& code, std::size_t lanes);

}  // namespace actio::machine_code
