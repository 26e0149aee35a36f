#include "common/odeint.hpp"

#include "outer_solar_system/equations.hpp"

namespace actio::bench::outer_solar_system {

std::vector<competitor> odeint_methods(const planets& p) {
  const auto counts = step_counts(200, 12800);
  std::vector<competitor> all{
      odeint_symplectic<odeint::symplectic_rkn_sb3a_mclachlan>("rkn_sb3a", counts, p.position, p.velocity, until,
                                                               drift(), acceleration{p.attraction}),
      odeint_symplectic<odeint::symplectic_rkn_sb3a_m4_mclachlan>("rkn_sb3a_m4", counts, p.position, p.velocity, until,
                                                                  drift(), acceleration{p.attraction})};
  append(all, odeint_adaptive(start(p), until, equations{p.attraction}, -14));
  return all;
}

}  // namespace actio::bench::outer_solar_system
