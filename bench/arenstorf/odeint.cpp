#include "common/odeint.hpp"

#include "arenstorf/equations.hpp"

namespace actio::bench::arenstorf {

std::vector<competitor> odeint_methods() { return odeint_adaptive(start(), until, equations(), -14); }

}  // namespace actio::bench::arenstorf
