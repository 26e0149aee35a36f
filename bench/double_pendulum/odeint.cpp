#include "common/odeint.hpp"

#include "double_pendulum/equations.hpp"

namespace actio::bench::double_pendulum {

std::vector<competitor> odeint_methods() {
  std::vector<competitor> all{odeint_rk4(step_counts(250, 32000), start, until, equations())};
  append(all, odeint_adaptive(start, until, equations(), -15));
  return all;
}

}  // namespace actio::bench::double_pendulum
