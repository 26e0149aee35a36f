#include "common/odeint.hpp"

#include "pendulum_grid/grid.hpp"

namespace actio::bench::pendulum_grid {

std::vector<competitor> odeint_from(const double_pendulum::state& start) {
  return odeint_adaptive(start, double_pendulum::until, double_pendulum::equations(), -15);
}

}  // namespace actio::bench::pendulum_grid
