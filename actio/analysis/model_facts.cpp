#include "actio/analysis/model_facts.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "actio/base/spectrum.hpp"
#include "actio/base/symmetric.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/print.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/random_points.hpp"
#include "actio/mechanics/recursions.hpp"
#include "actio/program/program.hpp"
#include "actio/simulate/integrator.hpp"
#include "actio/simulate/quadratic_form.hpp"
#include "actio/simulate/run_settings.hpp"
#include "actio/simulate/step_guard.hpp"
#include "actio/simulate/step_limit.hpp"

namespace actio {

namespace {

using rates = std::vector<std::pair<expr, expr>>;

// Derivatives of L in random directions: where such a derivative vanishes identically, the whole tensor does.
class direction_test {
 public:
  explicit direction_test(const lagrangian_system& system) : system_(system) {}

  rates along(std::vector<expr> symbols) {
    rates result;
    for (const expr& s : symbols) result.emplace_back(s, expr(rational(static_cast<int>(bits_() % 89) + 8, 64)));
    return result;
  }

  bool vanishes(std::initializer_list<rates> directions) const {
    std::vector<expr> sizes{system_.lagrangian};
    for (const rates& direction : directions) {
      std::vector<expr> symbols;
      for (const auto& [symbol, rate] : direction) symbols.push_back(symbol);
      if (!is_smooth_in(sizes.back(), symbols)) return false;  // pieces do not show in derivatives
      sizes.push_back(total_derivative(sizes.back(), direction));
    }
    const expr last = sizes.back();
    sizes.pop_back();
    return !find_nonzero_sum(system_, std::span(&last, 1), sizes).has_value();
  }

 private:
  const lagrangian_system& system_;
  std::mt19937 bits_{7};
};

std::vector<expr> joined(std::vector<expr> a, const std::vector<expr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void count_operations(const lagrangian_system& system, model_facts& facts) {
  const std::vector<expr> states = joined(system.coordinates, system.velocities());
  const std::vector<expr> variables = joined(states, {time_symbol()});
  const std::vector<expr> parameters = system.parameter_symbols();
  if (system.is_first_order()) {
    facts.value_operations = lower(system.equations, parameters, variables).body.size();
    return;
  }
  if (system.sums || system.recursions) {
    const std::shared_ptr<const system_families> families = families_of(system);
    std::vector<element_family> all = families->lagrangian;
    if (system.recursions) std::ranges::move(recursion_families(system).value, std::back_inserter(all));
    for (const element_family& family : all) {
      const std::vector<expr> local = joined(family.positions, family.velocities);
      const std::vector<expr> values = joined(joined(local, family.symbols), {time_symbol()});
      const auto operations = [&](std::span<const expr> of) { return lower(of, parameters, values).body.size(); };
      facts.value_operations += family.elements * operations(std::span(&family.body, 1));
      facts.gradient_operations += family.elements * operations(gradient(family.body, local));
    }
    return;
  }
  if (system.is_hamiltonian()) return count_operations(with_momenta_as_velocities(system), facts);
  facts.value_operations = lower(std::span(&system.lagrangian, 1), parameters, variables).body.size();
  facts.gradient_operations = lower(gradient(system.lagrangian, states), parameters, variables).body.size();
}

void measure_start(const model& m, model_facts& facts) {
  integrator_options<double> options{.method = std::string(default_method(m.system)),
                                     .step = 1.0,
                                     .allow_unstable = true,
                                     .project = flag_from(m.run, "project")};
  // A start from two positions belongs to the method and the step of the run.
  if (m.initial.rate == rate_kind::next) options = integrator_options_from<double>(m, m.run);
  const integrator<double> flow(m.system, options);
  start_projection<double> moved;
  const phase_state<double> start = flow.at_start(m, &moved);
  if (options.project && m.system.is_constrained()) facts.projection = moved;
  phase_point<double> point(flow.space());
  facts.position = start.position.value;
  facts.momentum = start.momentum.value;
  point.measure(start.time, start.position.value, start.momentum.value, start.velocity);
  facts.velocity.assign(point.velocity().begin(), point.velocity().end());
  facts.multipliers.assign(point.multipliers().begin(), point.multipliers().end());
  if (!flow.space().has_energy()) return;
  facts.energy = point.energy();
  const std::vector<conserved_momentum> conserved = conserved_momenta(m.system);
  for (std::size_t k = 0; k < conserved.size(); ++k) {
    facts.momenta.push_back(
        {conserved[k].name, conserved[k].value, point.momenta()[k], conserved[k].origin, conserved[k].generator});
  }
}

// h with k h²/μ = limit², where k is the largest eigenvalue of the stiffness and μ the smallest of the mass.
std::optional<double> sure_step(const linear_system<double>& system, double limit) {
  const double k = symmetric_eigen(system.stiffness()).values.back(),
               mu = symmetric_eigen(system.mass()).values.front();
  if (!(k > 0) || !(mu > 0)) return {};
  return limit * std::sqrt(mu / k);
}

std::optional<form_facts> form_facts_of(const model& m) {
  if (leaves_choice(m.run) || !m.run.find("step")) return {};
  const integrator<double> flow(m.system, integrator_options_from<double>(m, m.run));
  auto form = quadratic_form<double>::of(flow);
  if (!form) return {};
  const phase_state<double> start = flow.at_start(m);
  form->evaluate(start.position, start.momentum);
  return form_facts{flow.step(), form->value(), form->xi(), form->eta(), form->zeta()};
}

// What is below the rounding of double beside the largest need not be zero: the matrices are known to more digits.
std::vector<double> frequencies_of(const model& m, const linear_system<double>& system) {
  std::vector<double> result;
  for (const double squared : system.squared_frequencies()) result.push_back(std::sqrt(squared));
  if (result.front() > 0) return result;
  const phase_space<quad> space(m.system, parameter_values<quad>(m.system));
  const auto exact = linear_system_of(space);
  if (!exact) return result;
  const std::vector<quad> squares = exact->squared_frequencies();
  for (std::size_t k = 0; k < result.size(); ++k) {
    if (result[k] == 0) result[k] = to_double(quad(sqrt(squares[k])));
  }
  return result;
}

// λ = −decay ± i frequency, of each pair one.
std::vector<damped_mode> damped_modes(const oscillation_matrices& matrices) {
  std::vector<damped_mode> modes;
  const auto field = first_order_form(matrices);
  if (!field) return modes;
  for (const std::complex<double>& root : eigenvalues(*field)) {
    if (root.imag() >= 0) modes.push_back({root.imag(), root.real() == 0 ? 0.0 : -root.real()});
  }
  std::ranges::sort(modes, [](const damped_mode& a, const damped_mode& b) {
    return std::pair(a.frequency, a.decay) < std::pair(b.frequency, b.decay);
  });
  return modes;
}

const method& method_of(const model& m) {
  return leaves_choice(m.run) || !m.run.has("method")
             ? *find_method(default_method(m.system))
             : method_named(with_newmark_parameters(*m.run.find("method"), m.run));
}

// Of the matrices of [linear] where forces act: its damping, its load or others.
std::optional<linear_facts> driven_facts_of(const model& m) {
  const std::vector<double> parameters = parameter_values<double>(m.system);
  if (!m.system.linear) return {};
  const auto matrices = oscillation_matrices_of(system_code(m.system), parameters);
  if (!matrices) return {};
  linear_facts facts{.mass = matrices->mass, .stiffness = matrices->stiffness};
  if (std::ranges::any_of(matrices->damping.data(), [](double x) { return x != 0; })) {
    facts.damping = matrices->damping;
    facts.damped = damped_modes(*matrices);
  }
  for (const named_expr& f : m.system.linear->load) facts.varying.push_back(to_text(f.value));
  if (facts.damping.rows() == 0) {
    for (const damped_mode& one : damped_modes(*matrices)) facts.frequencies.push_back(one.frequency);
  }
  const method& chosen = method_of(m);
  facts.method = chosen.name;
  double fastest = 0;
  for (const damped_mode& one : damped_modes(*matrices))
    fastest = std::max(fastest, std::hypot(one.frequency, one.decay));
  constexpr double far = 1e3;  // times the fastest motion
  if (fastest > 0 && suits(chosen, m.system)) {
    const step_guard guard(*matrices, m.system, parameters);
    if (const auto limit = guard.exceeded(chosen, far / fastest)) {
      facts.stability = limit->stability;
      facts.longest_step = limit->longest_step;
    }
  }
  return facts;
}

std::optional<linear_facts> linear_facts_of(const model& m) {
  const phase_space<double> space(m.system, parameter_values<double>(m.system));
  const auto system = linear_system_of(space);
  if (!system) return driven_facts_of(m);
  linear_facts facts{.mass = system->mass(), .stiffness = system->stiffness()};
  if (system->has_load()) facts.load = system->load();
  facts.frequencies = frequencies_of(m, *system);
  const method& chosen = method_of(m);
  facts.method = chosen.name;
  facts.stable_intervals = stable_intervals(chosen, interval_bound);
  if (const auto limit = step_limit_of(*system, chosen)) {
    facts.stability = limit->stability;
    facts.longest_step = limit->longest_step;
    facts.sure_step = sure_step(*system, limit->stability);
  }
  facts.form = form_facts_of(m);
  return facts;
}

}  // namespace

model_structure structure_of(const lagrangian_system& system) {
  model_structure structure;
  structure.is_time_dependent = system.is_time_dependent();
  if (system.is_first_order()) return structure;
  if (system.is_hamiltonian()) {
    structure = structure_of(with_momenta_as_velocities(system));
    structure.is_time_dependent = system.is_time_dependent();
    return structure;
  }
  if (system.recursions) {
    lagrangian_system written = system;
    write_out_recursions(written);
    return structure_of(written);
  }
  direction_test test(system);
  const std::vector<expr>&q = system.coordinates, v = system.velocities();
  structure.is_quadratic = test.vanishes({test.along(v), test.along(v), test.along(v)});
  structure.has_constant_mass =
      structure.is_quadratic && test.vanishes({test.along(v), test.along(v), test.along(joined(q, {time_symbol()}))});
  structure.is_separable = test.vanishes({test.along(v), test.along(q)});
  structure.is_forced = system.is_forced();
  return structure;
}

bool may_be_chaotic(const lagrangian_system& system) {
  const std::size_t free = system.size() - std::min(system.size(), system.constraints.size());
  const std::size_t dimensions = (system.is_first_order() ? free : 2 * free) + (system.is_time_dependent() ? 1 : 0);
  if (dimensions < 3) return false;
  if (system.is_hamiltonian()) return may_be_chaotic(with_momenta_as_velocities(system));
  if (system.recursions) return true;
  const std::vector<expr> variables = joined(system.coordinates, system.velocities());
  const auto is_affine = [&](const expr& e) { return is_polynomial(e, variables, 1); };
  const bool is_linear = std::ranges::all_of(system.equations, is_affine) &&
                         std::ranges::all_of(system.forces, is_affine) &&
                         std::ranges::all_of(system.constraints, is_affine, &named_expr::value) &&
                         (system.is_first_order() || is_polynomial(system.lagrangian, variables, 2)) &&
                         (!system.sums || std::ranges::all_of(*system.sums, [](const element_family& f) {
                           return is_polynomial(f.body, joined(f.positions, f.velocities), 2);
                         }));
  return !is_linear;
}

model_facts facts_of(const model& m) {
  model_facts facts;
  facts.parameters = parameter_values<double>(m.system);
  measure_start(m, facts);
  facts.structure = structure_of(m.system);
  if (!m.system.recursions) facts.equations = equations_of_motion(m.system);
  for (std::size_t i : m.system.cyclic_coordinates()) facts.cyclic.push_back(m.system.coordinates[i].name());
  const symmetry_search search = affine_symmetries(m.system);
  facts.searched = search.extent;
  facts.untracked_symmetries = search.untracked;
  facts.linear = linear_facts_of(m);
  count_operations(m.system, facts);
  return facts;
}

}  // namespace actio
