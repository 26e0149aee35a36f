// Splittings of separable systems and their compositions: the same step with other lengths.
#include <fmt/format.h>

#include "actio/integrate/method_families.hpp"
#include "actio/integrate/splitting_step.hpp"
#include "actio/mechanics/separability.hpp"

namespace actio {

namespace {

method splitting(method description, const splitting_scheme& scheme) {
  description.traits = {.order = scheme.order,
                        .symplectic = true,
                        .symmetric = scheme.kind != composition_kind::lie_trotter,
                        .conserves_momenta = true};
  description.require = [name = description.name](const lagrangian_system& system) {
    const std::optional<std::string> coupling = find_coupling(system);
    if (!coupling) return;
    throw input_error("method-needs-separable",
                      fmt::format("method '{}' needs kinetic energy of {} alone and potential energy of "
                                  "coordinates alone, but {}",
                                  name, system.is_hamiltonian() ? "momenta" : "velocities", *coupling),
                      system.lagrangian_place,
                      system.is_hamiltonian() ? "choose gauss-4 or midpoint, which need no such form"
                                              : "choose simpson or verlet, which need no such form");
  };
  description.needs = "a separable Lagrangian or Hamiltonian";
  description.takes_hamiltonian = true;
  description.solver = step_solver::splitting;
  return made_by<splitting_step>(needing_lagrangian(std::move(description)), scheme);
}

}  // namespace

std::vector<method> splitting_methods() {
  std::vector<method> methods{
      splitting({.name = "lie-trotter",
                 .aliases = {"time-splitting"},
                 .summary = "explicit splitting T(v) - V(q): a kick, then a drift; euler-a without a solver",
                 .formula = "p1 = p0 - h V'(q0), q1 = q0 + h T'(p1): Example 5 of marsden1997",
                 .reference = "marsden1997, hairer2006"},
                {composition_kind::lie_trotter, 1}),
      splitting(
          {.name = "strang",
           .aliases = {"velocity-verlet"},
           .summary = "explicit splitting T(v) - V(q): half a kick, a drift, half a kick; verlet without a solver",
           .formula = "S_h: p = p0 - h/2 V'(q0), q1 = q0 + h T'(p), p1 = p - h/2 V'(q1)",
           .reference = "hairer2006",
           .rank = {.smooth = 9, .kinked = 1}},
          {composition_kind::triple_jump, 2}),
      splitting({.name = "yoshida-4",
                 .aliases = {"triple-jump", "forest-ruth"},
                 .summary = "explicit, T(v) - V(q): three strang steps, order 4",
                 .formula = "S_{z h} S_{(1-2z) h} S_{z h}, z = 1/(2 - 2^(1/3))",
                 .reference = "yoshida1990, hairer2006"},
                {composition_kind::triple_jump, 4}),
      splitting({.name = "yoshida-6",
                 .summary = "explicit, T(v) - V(q): seven strang steps, order 6",
                 .formula = "symmetric composition of 7 steps S_{g h}; g solves the 4 order conditions (solution A)",
                 .reference = "yoshida1990, hairer2006",
                 .rank = {.smooth = 7}},
                {composition_kind::symmetric, 6, {0.7845, 0.2356, -1.1777, 1.3152}}),
      splitting({.name = "yoshida-8",
                 .summary = "explicit, T(v) - V(q): fifteen strang steps, order 8",
                 .formula = "symmetric composition of 15 steps S_{g h}; g solves the 8 order conditions (solution D)",
                 .reference = "yoshida1990",
                 .rank = {.smooth = 6}},
                {composition_kind::symmetric,
                 8,
                 {0.91484, 0.25369, -1.44485, -0.15824, 1.93814, -1.96061, 0.10280, 1.70845}}),
      splitting({.name = "mclachlan-8",
                 .summary = "explicit, T(v) - V(q): fifteen shorter strang steps, order 8",
                 .formula = "as yoshida-8, with the solution whose steps are all shorter than h",
                 .reference = "mclachlan1995, hairer2006",
                 .rank = {.smooth = 5}},
                {composition_kind::symmetric,
                 8,
                 {0.74167, -0.40910, 0.19075, -0.57386, 0.29906, 0.33462, 0.31529, -0.79689}}),
  };
  for (int order = 4, steps = 5; order <= 8; order += 2, steps *= 5) {
    methods.push_back(splitting(
        {.name = fmt::format("suzuki-{}", order),
         .summary = fmt::format("explicit, T(v) - V(q): {} strang steps, none longer than h, order {}", steps, order),
         .formula = fmt::format("five steps of order {0} with lengths z, z, 1-4z, z, z; z = 1/(4 - 4^(1/{1}))",
                                order - 2, order - 1),
         .reference = "suzuki1990, hairer2006",
         .rank = {.smooth = order == 4 ? 8 : 0}},
        {composition_kind::fivefold, order}));
  }
  return methods;
}

}  // namespace actio
