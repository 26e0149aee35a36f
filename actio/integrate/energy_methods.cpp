// Methods that keep the energy and give up symplecticity for it.
#include <fmt/format.h>

#include "actio/integrate/energy_difference_step.hpp"
#include "actio/integrate/energy_momentum_step.hpp"
#include "actio/integrate/method_families.hpp"
#include "actio/mechanics/element_families.hpp"

namespace actio {

namespace {

void require_conserved_energy(const std::string& name, const lagrangian_system& system) {
  std::string reason = system.applied_force ? "an applied force acts" : "";
  source_place place = system.lagrangian_place;
  for (std::size_t i = 0; i < system.forces.size() && reason.empty(); ++i) {
    if (!system.forces[i].is_zero()) reason = "a force acts on " + system.coordinates[i].name();
  }
  if (reason.empty() && depends_on_time(system)) reason = "the Lagrangian contains the time";
  for (std::size_t c = 0; c < system.constraints.size() && reason.empty(); ++c) {
    const named_expr& held = system.constraints[c];
    if (!depends_on(held.value, time_symbol())) continue;
    reason = fmt::format("the constraint '{}' contains the time", held.name);
    place = held.place;
  }
  if (reason.empty()) return;
  throw input_error("method-needs-energy",
                    fmt::format("method '{}' keeps the energy, but this system does not: {}", name, reason), place,
                    "choose simpson or midpoint, which account for the work done");
}

template <template <class> class Step>
method keeping_energy(method m) {
  m.needs = "a Lagrangian without forces or time";
  m.solver = step_solver::newton;
  m.require = [name = m.name](const lagrangian_system& system) { require_conserved_energy(name, system); };
  return made_by<Step>(needing_lagrangian(std::move(m)));
}

}  // namespace

std::vector<method> energy_methods() {
  method difference{
      .name = "energy-difference",
      .traits = {.order = 1, .conserves_energy = true},
      .summary = "keeps the energy to rounding by difference quotients of H; not symplectic",
      .formula =
          "q1-q0 = h (H(q1,p1)-H(q1,p0))/(u.(p1-p0)) u, p1-p0 = -h (H(q1,p0)-H(q0,p0))/(w.(q1-q0)) w with "
          "u = H_p(q1,(p0+p1)/2), w = H_q((q0+q1)/2,p0): Example 4 of marsden1997",
      .reference = "marsden1997, chorin1978"};
  difference.separable_traits = {.order = 2, .symmetric = true, .conserves_momenta = true, .conserves_energy = true};
  method momentum{
      .name = "energy-momentum",
      .aliases = {"discrete-gradient"},
      .traits = {.order = 2, .symmetric = true, .conserves_momenta = true, .conserves_energy = true},
      .summary = "keeps energy and momenta to rounding by discrete gradients, with constraints too; not symplectic",
      .formula =
          "(p0+p1)/2 = P, p1-p0 = h (G - c b) with momentum P and force G of the Lagrangian at ((q0+q1)/2, "
          "(q1-q0)/h), b the part of the velocity orthogonal to the symmetries, c so that H(q1,p1) = H(q0,p0); "
          "keeps momenta of symmetries that act linearly, which must leave a direction of motion free",
      .reference = "gonzalez1996, gonzalez1999, marsden1997"};
  momentum.holds_constraints = true;
  return {keeping_energy<energy_difference_step>(std::move(difference)),
          keeping_energy<energy_momentum_step>(std::move(momentum))};
}

}  // namespace actio
