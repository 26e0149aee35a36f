// Writes the machine code of trajectory kernels.
#pragma once

#include <string>

#include "actio/backend/kernel/trajectory_code.hpp"
#include "actio/backend/llvm/target.hpp"

namespace actio::machine_code {

// `numbers` has a row of `stride` numbers for each of trajectory_rows.
using trajectory_entry = void (*)(const double* fixed, const double* certificate_fixed, double* numbers,
                                  const void* const* functions, std::size_t first, std::size_t end, std::size_t stride);

std::string make_trajectory_object(const kernel::trajectory_code& code, std::size_t lanes,
                                   const code_target& target = host_target());

// PTX with the same text, one trajectory a thread: thread k takes number k of every row. The kernel has the arguments
// numbers, how many threads, first, end, stride; shared numbers are in the module (see device_code.hpp).
std::string make_trajectory_ptx(const kernel::trajectory_code& code, const code_target& gpu);

}  // namespace actio::machine_code
