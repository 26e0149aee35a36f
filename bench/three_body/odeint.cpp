#include "common/odeint.hpp"

#include "three_body/equations.hpp"

namespace actio::bench::three_body {

std::vector<competitor> odeint_methods() { return odeint_adaptive(bodies().start, until, equations(), -14); }

}  // namespace actio::bench::three_body
