#include "common/odeint.hpp"

#include "kepler/equations.hpp"

namespace actio::bench::kepler {

std::vector<competitor> odeint_methods() {
  const auto counts = step_counts(32000, 1024000);
  std::vector<competitor> all{
      odeint_symplectic<odeint::symplectic_rkn_sb3a_mclachlan>("rkn_sb3a", counts, start_position(), start_momentum(),
                                                               until, kinetic(), force()),
      odeint_symplectic<odeint::symplectic_rkn_sb3a_m4_mclachlan>("rkn_sb3a_m4", counts, start_position(),
                                                                  start_momentum(), until, kinetic(), force())};
  append(all, odeint_adaptive(start(), until, equations(), -14));
  return all;
}

}  // namespace actio::bench::kepler
