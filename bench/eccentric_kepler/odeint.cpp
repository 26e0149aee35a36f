#include "common/odeint.hpp"

#include "eccentric_kepler/equations.hpp"

namespace actio::bench::eccentric_kepler {

std::vector<competitor> odeint_methods() { return odeint_adaptive(start(), until, equations(), -14); }

}  // namespace actio::bench::eccentric_kepler
