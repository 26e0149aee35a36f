#include "common/odeint.hpp"

#include "lagrange_top/equations.hpp"

namespace actio::bench::lagrange_top {

std::vector<competitor> odeint_methods(const top& t) { return odeint_adaptive(start(t), t.until, equations{t}, -12); }

}  // namespace actio::bench::lagrange_top
