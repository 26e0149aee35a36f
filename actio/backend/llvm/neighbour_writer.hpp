// Writes what brings neighbours of trajectories back on a GPU.
#pragma once

#include <string>

#include "actio/backend/kernel/gauss_shape.hpp"
#include "actio/backend/llvm/target.hpp"

namespace actio::machine_code {

// PTX of kernel/neighbour_text.hpp, one trajectory a thread: thread k takes number k of every row, and number own + k
// is its neighbour. The kernel has the arguments numbers, how many threads, own, step, stride.
std::string make_neighbour_ptx(const kernel::trajectory_rows& rows, const code_target& gpu);

}  // namespace actio::machine_code
