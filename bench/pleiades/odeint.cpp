#include "common/odeint.hpp"

#include "pleiades/equations.hpp"

namespace actio::bench::pleiades {

std::vector<competitor> odeint_methods() { return odeint_adaptive(bodies().start, until, equations(), -14); }

}  // namespace actio::bench::pleiades
