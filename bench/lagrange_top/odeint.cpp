#include "common/odeint.hpp"

#include "lagrange_top/equations.hpp"

namespace actio::bench::lagrange_top {

// Momenta are of the size 0.01 here: runs with looser tolerances do not come near the answer, and some do not end.
std::vector<competitor> odeint_methods(const top& t) {
  const auto tight = tolerances(-12, -15);
  using stepper = odeint::runge_kutta_fehlberg78<state>;
  return {odeint_controlled<stepper>("fehlberg78", tight, start(t), t.until, equations{t}),
          odeint_bulirsch_stoer(tight, start(t), t.until, equations{t})};
}

}  // namespace actio::bench::lagrange_top
