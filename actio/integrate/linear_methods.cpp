// Simpson's scheme for linear systems in the two matrix forms of rojas2024. Methods of their own, so that the forms can
// be run and compared; 'simpson' is the same map, with less work and for every Lagrangian.
#include <fmt/format.h>

#include "actio/discrete/linear_schemes.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/integrate/matrix_scheme_step.hpp"
#include "actio/integrate/method_families.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

namespace {

// Why a system is not linear; empty where it is. What can be seen without evaluating anything comes first.
std::string reason_against(const lagrangian_system& system) {
  if (system.is_forced()) return "has forces";
  if (system.is_time_dependent()) return "depends on time";
  std::vector<expr> variables(system.coordinates);
  const std::vector<expr> velocities = system.velocities();
  variables.insert(variables.end(), velocities.begin(), velocities.end());
  if (!is_polynomial(system.lagrangian, variables, 2)) return "is not quadratic";
  const phase_space<double> space(system, parameter_values<double>(system));
  return linear_system_of(space) ? "" : "couples positions and velocities, or is unstable by itself";
}

void require_linear(const std::string& name, const lagrangian_system& system) {
  const std::string why = reason_against(system);
  if (why.empty()) return;
  throw input_error("method-needs-linear",
                    fmt::format("method '{}' is for linear systems, L = v.Mv/2 - q.Kq/2 + f.q with constant M, K >= 0 "
                                "and f, but '{}' {}",
                                name, system.name, why),
                    system.lagrangian_place, "choose simpson, the same method for every Lagrangian");
}

method simpson_variant(method description, simpson_form form) {
  description.traits = {.order = 4, .symplectic = true, .symmetric = true, .conserves_momenta = true};
  description.reference = "rojas2024";
  description.needs = "a linear system";
  description.linear_form = linear_scheme::simpson;
  description.require = [name = description.name](const lagrangian_system& s) { require_linear(name, s); };
  return with_factory(needing_lagrangian(std::move(description)), [form]<class S>(const step_context<S>& context) {
    const linear_system<S> system = context.linear != nullptr ? *context.linear : still_linear(context.space);
    return std::unique_ptr<step_workspace<S>>(std::make_unique<matrix_scheme_step<S>>(form, system, context));
  });
}

}  // namespace

std::vector<method> linear_methods() {
  return {simpson_variant({.name = "simpson-linear-1",
                           .summary = "simpson for linear systems, with the middle value as an unknown: 3n x 3n",
                           .formula = "A (qm, p1, q1) = B (p0, q0) + c, eqs. 27-29 of rojas2024"},
                          simpson_form::with_middle),
          simpson_variant({.name = "simpson-linear-2",
                           .summary = "simpson for linear systems, without the middle value: 2n x 2n",
                           .formula = "A (p1, q1) = B (p0, q0) + c, eqs. 30-32 of rojas2024"},
                          simpson_form::reduced)};
}

}  // namespace actio
