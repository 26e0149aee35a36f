#include "actio/mechanics/shifted_model.hpp"

#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

// Back in time velocities and momenta change sign, and so do the right-hand sides of y' = f(t, y); forces do not.
model shifted_model(const model& m, const expr& start, bool goes_back) {
  const expr sign = goes_back ? -1 : 1;
  model shifted = m;
  lagrangian_system& system = shifted.system;
  write_out_recursions(system);
  expr_map<expr> by;
  by.emplace(time_symbol(), start + sign * time_symbol());
  for (const expr& v : system.velocities()) by.emplace(v, sign * v);
  for (const expr& p : system.momenta()) by.emplace(p, sign * p);
  if (system.hamiltonian) system.hamiltonian = substitute(*system.hamiltonian, by);
  if (system.time_scale) system.time_scale->value = substitute(system.time_scale->value, by);
  if (!system.is_first_order()) system.lagrangian = substitute(system.lagrangian, by);
  if (system.sums) {
    auto sums = std::make_shared<std::vector<element_family>>(*system.sums);
    for (element_family& family : *sums) {
      expr_map<expr> local;
      local.emplace(time_symbol(), start + sign * time_symbol());
      for (const expr& v : family.velocities) local.emplace(v, sign * v);
      family.body = substitute(family.body, local);
    }
    system.sums = std::move(sums);
  }
  for (expr& force : system.forces) force = substitute(force, by);
  for (expr& f : system.equations) f = sign * substitute(f, by);
  for (named_expr& g : system.constraints) g.value = substitute(g.value, by);
  system.observables.clear();
  system.invariants.clear();
  system.linear.reset();
  for (model_event& event : shifted.events) {
    event.when = substitute(event.when, by);
    for (assigned_value& a : event.set) {
      const bool is_rate = a.kind == assigned_kind::velocity || a.kind == assigned_kind::momentum;
      a.value = (is_rate ? sign : expr(1)) * substitute(a.value, by);
    }
  }
  for (sampled_control& control : shifted.controls) control.value = substitute(control.value, by);
  shifted.view = {};
  if (goes_back && shifted.initial.rate != rate_kind::next) {
    for (named_expr& rate : shifted.initial.rates) rate.value = sign * rate.value;
  }
  return shifted;
}

}  // namespace actio
