#include "actio/mechanics/phase_space.hpp"

#include <algorithm>

#include "actio/expr/terms.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/accelerations.hpp"
#include "actio/mechanics/element_measure.hpp"

namespace actio {

template <class S>
phase_space<S>::phase_space(std::shared_ptr<const system_code> code, shared_parameters<S> parameters)
    : code_(std::move(code)), parameters_(std::move(parameters)) {
  parts_ = code_->piece<parts>(digits_of_constants<S>(), [&] { return parts(*code_); });
}

template <class S>
phase_space<S> phase_space<S>::with_parameters(shared_parameters<S> parameters) const {
  phase_space other = *this;
  other.parameters_ = std::move(parameters);
  return other;
}

template <class S>
phase_space<S>::parts::parts(const system_code& code)
    : one_branch(code.system().is_first_order() || code.system().is_quadratic_in_velocities()) {
  const lagrangian_system& system = code.system();
  if (system.is_hamiltonian()) {
    hamiltonian = &hamiltonian_map_of<S>(code);
  } else if (system.is_first_order()) {
    std::vector<expr> variables(system.coordinates);
    variables.push_back(time_symbol());
    equations = compile<S>(lower(system.equations, system.parameter_symbols(), variables));
  } else {
    jet = &jet_of<S>(code);
    if (system.is_constrained()) constraints.emplace(system);
  }
  for (const named_expr& g : system.constraints) multiplier_names.push_back(multiplier_symbol(g).name());
  const bool of_elements = is_made_of_elements(system);
  std::vector<expr> variables, measured;
  if (!of_elements) {
    variables = system.coordinates;
    for (const auto& part : {system.velocities(), {time_symbol()}, system.momenta()}) {
      variables.insert(variables.end(), part.begin(), part.end());
    }
    const bool has_hamiltonian = system.is_hamiltonian();
    const auto [varying, constant] =
        split_constant(has_hamiltonian ? *system.hamiltonian : system.lagrangian, variables);
    measured = {varying, rounding_size(varying), kinetic_scale(system), constant,
                has_hamiltonian ? size_of_terms(varying) : expr(0)};
  }
  std::vector<expr> roundings, sizes;
  const auto conserved = code.piece<std::vector<conserved_momentum>>("", [&] { return conserved_momenta(system); });
  for (const conserved_momentum& m : *conserved) {
    if (m.value.op() != operation::symbol) unlisted_momenta.push_back(momentum_names.size());
    momentum_names.push_back(m.name);
    measured.push_back(m.value);
    roundings.push_back(rounding_size(m.value));
    sizes.push_back(size_of_terms(m.value));
  }
  for (const auto* part : {&roundings, &sizes}) measured.insert(measured.end(), part->begin(), part->end());
  std::vector<expr> observed, accelerated;
  for (const named_expr& o : system.observables) {
    observable_names.push_back(o.name);
    observed.push_back(o.value);
  }
  if (of_elements) {
    measured.insert(measured.end(), observed.begin(), observed.end());
    sums = code.piece<measured_sums>("", [&] { return measured_sums(code, measured, conserved_place); });
    sums_code = compile_elements<S>(sums->requests(), system);
    return;
  }
  for (const expr& q : system.coordinates) accelerated.push_back(acceleration_symbol(q));
  observed = substitute(observed, known_accelerations(system));
  measured.insert(measured.end(), observed.begin(), observed.end());
  measures_accelerations = std::ranges::any_of(observed, [&](const expr& e) { return depends_on_any(e, accelerated); });
  if (measures_accelerations && !constraints) {
    std::vector<expr> moving(system.coordinates);
    for (const auto& part : {system.velocities(), {time_symbol()}}) {
      moving.insert(moving.end(), part.begin(), part.end());
    }
    accelerations = compile<S>(lower(acceleration_equations(system), system.parameter_symbols(), moving));
  }
  if (measures_accelerations) variables.insert(variables.end(), accelerated.begin(), accelerated.end());
  measure = compile<S>(lower(measured, system.parameter_symbols(), variables));
}

#define ACTIO_INSTANTIATE(S) template class phase_space<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
