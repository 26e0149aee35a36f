// What neighbours say of trajectories in lanes (see backend/kernel/neighbour_text.hpp).
#pragma once

#include <algorithm>

#include "actio/backend/trajectory_kernel.hpp"

namespace actio {

// Whether one distance has suited positions and momenta of a lane.
inline bool neighbour_suits(const trajectory_kernel& kernel, std::size_t lane) {
  constexpr double most = 1024;
  const kernel::trajectory_rows& r = kernel.rows();
  const auto [smaller, larger] = std::minmax(kernel.row(r.beside(1))[lane], kernel.row(r.beside(2))[lane]);
  return larger <= most * smaller;
}
inline double neighbour_exponent(const trajectory_kernel& kernel, std::size_t lane, double time) {
  return time > 0 ? kernel.row(kernel.rows().beside(3))[lane] / time : 0;
}

}  // namespace actio
