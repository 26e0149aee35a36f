// Runge–Kutta methods, kept as the baseline that everybody knows.
#include "actio/integrate/method_families.hpp"
#include "actio/integrate/runge_kutta_step.hpp"

namespace actio {

std::vector<method> runge_kutta_methods() {
  return {made_by<runge_kutta_step>(
      {.name = "rk4",
       .aliases = {"runge-kutta-4"},
       .traits = {.order = 4},
       .summary = "classical Runge–Kutta method on Hamilton's equations: not symplectic, energy drifts",
       .formula = "four stages of y' = f(t, y) with y = (q, p), or (q, v) with velocity as the state, or a "
                  "model's own [equations]",
       .reference = "hairer2006",
       .asks_for_field = true},
      classical_rk4())};
}

}  // namespace actio
