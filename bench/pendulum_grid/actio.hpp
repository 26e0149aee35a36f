// Many double pendulums by actio.
#pragma once

#include <vector>

#include "actio/base/scalar.hpp"
#include "pendulum_grid/grid.hpp"

namespace actio::bench::pendulum_grid {

// q1, q2, p1, p2 of all of them at t = 10 by gauss-10 at quad precision with 160 and 240 steps, and how far these are
// apart.
struct quad_ends {
  std::vector<quad> ends;
  double uncertainty = 0;
};
quad_ends quad_ends_of(const std::vector<double_pendulum::state>& starts);

}  // namespace actio::bench::pendulum_grid
