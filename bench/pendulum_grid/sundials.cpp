#include "common/sundials.hpp"

#include "pendulum_grid/grid.hpp"

namespace actio::bench::pendulum_grid {

std::vector<competitor> sundials_from(const double_pendulum::state& start) {
  return sundials_competitors(start, double_pendulum::until, double_pendulum::equations());
}

}  // namespace actio::bench::pendulum_grid
