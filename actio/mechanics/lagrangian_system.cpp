// What follows from a Lagrangian by calculus alone: velocities, momenta, equations of motion, conserved quantities.
#include "actio/mechanics/lagrangian_system.hpp"

#include <algorithm>
#include <utility>

#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/affine_symmetries.hpp"
#include "actio/mechanics/coordinate_index.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/hamiltonian_map.hpp"
#include "actio/mechanics/random_points.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

namespace {

using rates = std::vector<std::pair<expr, expr>>;

rates rates_of_motion(const lagrangian_system& system) {
  rates result;
  for (const expr& q : system.coordinates) {
    result.emplace_back(q, velocity_symbol(q));
    result.emplace_back(velocity_symbol(q), acceleration_symbol(q));
  }
  result.emplace_back(time_symbol(), expr(1));
  return result;
}

expr sum_in_order(const std::vector<expr>& parts) {
  expr sum = 0;
  for (const expr& part : parts) sum += part;
  return sum;
}

// The same with a depth that does not matter.
expr sum_in_pairs(std::vector<expr> parts) {
  if (parts.empty()) return 0;
  for (std::size_t count = parts.size(); count > 1; count = (count + 1) / 2) {
    for (std::size_t k = 0; k + 1 < count; k += 2) parts[k / 2] = parts[k] + parts[k + 1];
    if (count % 2 == 1) parts[count / 2] = parts[count - 1];
  }
  return parts.front();
}

// Whether the forces do no work along the symmetry: F·ξ = 0.
bool forces_respect(const lagrangian_system& given, const symmetry& s) {
  if (given.applied_force) return false;
  lagrangian_system system = given;
  write_out_recursions(system);
  std::vector<expr> terms;
  for (std::size_t i = 0; i < system.forces.size(); ++i) terms.push_back(system.forces[i] * s.generator[i]);
  return !find_nonzero_sum(system, terms).has_value();
}

}  // namespace

expr time_symbol() { return expr::symbol("t"); }
expr velocity_symbol(const expr& q) { return expr::symbol(q.name() + "'"); }
expr acceleration_symbol(const expr& q) { return expr::symbol(q.name() + "''"); }
expr momentum_symbol(const expr& q) { return expr::symbol("p_" + q.name()); }
expr momentum_rate_symbol(const expr& q) { return expr::symbol("p_" + q.name() + "'"); }
expr multiplier_symbol(const named_expr& constraint) { return expr::symbol("lambda_" + constraint.name); }

std::vector<expr> lagrangian_system::velocities() const {
  std::vector<expr> result;
  result.reserve(size());
  for (const expr& q : coordinates) result.push_back(velocity_symbol(q));
  return result;
}

std::vector<expr> lagrangian_system::momenta() const {
  std::vector<expr> result;
  if (is_first_order()) return result;
  result.reserve(size());
  for (const expr& q : coordinates) result.push_back(momentum_symbol(q));
  return result;
}

std::vector<expr> lagrangian_system::parameter_symbols() const {
  std::vector<expr> result;
  result.reserve(parameters.size());
  for (const named_expr& p : parameters) result.push_back(expr::symbol(p.name));
  return result;
}

std::vector<std::string> lagrangian_system::coordinate_names() const {
  std::vector<std::string> result;
  result.reserve(size());
  for (const expr& q : coordinates) result.push_back(q.name());
  return result;
}

bool lagrangian_system::is_forced() const {
  return applied_force || std::any_of(forces.begin(), forces.end(), [](const expr& f) { return !f.is_zero(); });
}

std::vector<expr> lagrangian_system::laws() const {
  std::vector<expr> all(forces);
  all.push_back(hamiltonian ? *hamiltonian : lagrangian);
  all.insert(all.end(), equations.begin(), equations.end());
  for (const named_expr& g : constraints) all.push_back(g.value);
  if (recursions) all.insert(all.end(), recursions->values.begin(), recursions->values.end());
  return all;
}

bool lagrangian_system::is_time_dependent() const {
  if (sums && depends_on_time(*this)) return true;
  const std::vector<expr> symbols = symbols_in(laws());
  return std::find(symbols.begin(), symbols.end(), time_symbol()) != symbols.end();
}

bool lagrangian_system::is_quadratic_in_velocities() const {
  if (is_hamiltonian()) return true;
  const auto is_quadratic = [](const element_family& f) { return is_polynomial(f.body, f.velocities, 2); };
  if (!sums && !recursions) return is_polynomial(lagrangian, velocities(), 2);
  const std::vector<expr> places = places_of(*this);
  const coordinate_index index(places);
  std::vector<expr> velocities = symbols_in(std::span(&lagrangian, 1));
  std::erase_if(velocities, [&](const expr& s) {
    const auto found = index.find(s);
    return !found || found->role != coordinate_role::velocity;
  });
  return (!sums || std::ranges::all_of(*sums, is_quadratic)) && is_polynomial(lagrangian, velocities, 2);
}

std::vector<std::size_t> lagrangian_system::cyclic_coordinates() const {
  if (is_first_order() || applied_force) return {};
  std::vector<expr> roots{hamiltonian ? *hamiltonian : lagrangian};
  for (const named_expr& g : constraints) roots.push_back(g.value);
  if (recursions) roots.insert(roots.end(), recursions->values.begin(), recursions->values.end());
  std::vector<bool> occurs(size(), false);
  const coordinate_index index(coordinates);
  for (const expr& s : symbols_in(roots)) {
    if (const auto i = index.position(s)) occurs[*i] = true;
  }
  if (sums) {
    for (const element_family& family : *sums) {
      for (std::size_t k = 0; k < family.slots(); ++k) {
        if (!depends_on(family.body, family.positions[k])) continue;
        for (const std::uint32_t i : family.coordinates[k]) {
          if (i < size()) occurs[i] = true;
        }
      }
    }
  }
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!occurs[i] && (forces.empty() || forces[i].is_zero())) result.push_back(i);
  }
  return result;
}

expr time_derivative(const lagrangian_system& system, const expr& e) {
  return total_derivative(e, rates_of_motion(system));
}

std::vector<expr> euler_lagrange_equations(const lagrangian_system& system) {
  const rates motion = rates_of_motion(system);
  const std::vector<expr> L_q = gradient(system.lagrangian, system.coordinates);
  const std::vector<expr> L_v = gradient(system.lagrangian, system.velocities());
  std::vector<expr> equations;
  equations.reserve(system.size());
  for (std::size_t i = 0; i < system.size(); ++i) {
    const expr force = system.forces.empty() ? L_q[i] : L_q[i] + system.forces[i];
    equations.push_back(total_derivative(L_v[i], motion) - force);
  }
  for (const named_expr& g : system.constraints) {
    const std::vector<expr> normal = gradient(g.value, system.coordinates);
    for (std::size_t i = 0; i < system.size(); ++i) equations[i] -= multiplier_symbol(g) * normal[i];
  }
  return equations;
}

bool is_smooth(const lagrangian_system& system) {
  std::vector<expr> variables;
  if (system.sums || system.recursions) {  // those that occur outside of the sums
    const std::vector<expr> places = places_of(system);
    const coordinate_index index(places);
    variables = symbols_in(system.laws());
    std::erase_if(variables, [&](const expr& s) { return s != time_symbol() && !index.find(s); });
  } else {
    variables = system.coordinates;
    for (const auto& more : {system.velocities(), system.momenta(), {time_symbol()}}) {
      variables.insert(variables.end(), more.begin(), more.end());
    }
  }
  if (system.sums) {
    const auto is_smooth_family = [](const element_family& f) {
      std::vector<expr> local = f.positions;
      local.insert(local.end(), f.velocities.begin(), f.velocities.end());
      local.push_back(time_symbol());
      return is_smooth_in(f.body, local);
    };
    if (!std::ranges::all_of(*system.sums, is_smooth_family)) return false;
  }
  return are_smooth_in(system.laws(), variables);
}

expr quadratic_part(const lagrangian_system& system) {
  const expr stretch = expr::symbol("(stretch)");  // no name that a model can have
  expr_map<expr> longer;
  for (const expr& v : system.velocities()) longer.emplace(v, (1 + stretch) * v);
  const expr along = substitute(system.lagrangian, longer);
  return substitute(derivative(derivative(along, stretch), stretch), {{stretch, expr(0)}});
}

expr kinetic_scale(const lagrangian_system& system) {
  if (!system.is_hamiltonian()) return quadratic_part(system) / 2;
  const std::vector<expr> p = system.momenta(), H_p = gradient(*system.hamiltonian, p);
  expr by_velocity = 0, by_momentum = 0, action = 0;
  bool is_diagonal = is_polynomial(*system.hamiltonian, p, 2);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::vector<expr> row = gradient(H_p[i], p);
    action += p[i] * H_p[i];
    for (std::size_t j = 0; j < p.size(); ++j) {
      by_momentum += p[i] * row[j] * p[j];
      if (i != j && !row[j].is_zero()) is_diagonal = false;
    }
    if (!row[i].is_zero()) by_velocity += H_p[i] * H_p[i] / row[i];
  }
  if (by_momentum.is_zero()) return action;
  return (is_diagonal ? by_velocity : by_momentum) / 2;
}

lagrangian_system with_momenta_as_velocities(const lagrangian_system& system) {
  lagrangian_system other = system;
  expr_map<expr> stands_for;
  for (const expr& q : system.coordinates) stands_for.emplace(momentum_symbol(q), velocity_symbol(q));
  const hamilton_equations equations = hamilton_equations_of(system);
  expr_map<expr> velocities;
  for (std::size_t i = 0; i < system.size(); ++i) {
    velocities.emplace(velocity_symbol(system.coordinates[i]), equations.velocity[i]);
  }
  other.forces = substitute(substitute(system.forces, velocities), stands_for);
  other.lagrangian = substitute(*system.hamiltonian, stands_for);
  other.hamiltonian.reset();
  return other;
}

namespace {

std::vector<expr> hamilton_residuals(const lagrangian_system& system) {
  const std::vector<expr> H_p = gradient(*system.hamiltonian, system.momenta()),
                          H_q = gradient(*system.hamiltonian, system.coordinates);
  std::vector<expr> residuals;
  for (std::size_t i = 0; i < system.size(); ++i) {
    residuals.push_back(velocity_symbol(system.coordinates[i]) - H_p[i]);
  }
  for (std::size_t i = 0; i < system.size(); ++i) {
    const expr force = system.forces.empty() ? expr(0) : system.forces[i];
    residuals.push_back(momentum_rate_symbol(system.coordinates[i]) + H_q[i] - force);
  }
  return residuals;
}

}  // namespace

std::vector<expr> equations_of_motion(const lagrangian_system& system) {
  if (system.is_hamiltonian()) return hamilton_residuals(system);
  if (!system.is_first_order()) return euler_lagrange_equations(system);
  std::vector<expr> residuals;
  residuals.reserve(system.size());
  for (std::size_t i = 0; i < system.size(); ++i) {
    residuals.push_back(velocity_symbol(system.coordinates[i]) - system.equations[i]);
  }
  return residuals;
}

std::vector<conserved_momentum> conserved_momenta(const lagrangian_system& system) {
  constexpr std::size_t most_listed = 64;  // of many more nobody reads a column each
  std::vector<conserved_momentum> result;
  for (std::size_t i : system.cyclic_coordinates()) {
    if (result.size() == most_listed && is_made_of_elements(system)) break;
    const expr p = momentum_symbol(system.coordinates[i]);
    std::vector<expr> generator(system.size(), expr(0));
    generator[i] = 1;
    result.push_back({p.name(), p, momentum_origin::cyclic, std::move(generator)});
  }
  const auto add = [&](const symmetry& s, momentum_origin origin) {
    std::vector<expr> parts;
    for (std::size_t i = 0; i < system.size(); ++i) {
      if (!s.generator[i].is_zero()) parts.push_back(momentum_symbol(system.coordinates[i]) * s.generator[i]);
    }
    const expr momentum = is_made_of_elements(system) ? sum_in_pairs(std::move(parts)) : sum_in_order(parts);
    result.push_back({s.name, momentum, origin, s.generator});
  };
  for (const symmetry& s : system.symmetries) {
    if (forces_respect(system, s)) add(s, momentum_origin::declared);
  }
  if (!system.is_first_order() && !system.applied_force) {
    const std::vector<symmetry> found = system.found ? *system.found : affine_symmetries(system).found;
    for (const symmetry& s : found) add(s, momentum_origin::found);
  }
  for (const named_expr& i : system.invariants) result.push_back({i.name, i.value, momentum_origin::invariant});
  return result;
}

}  // namespace actio
