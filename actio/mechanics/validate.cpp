// Whether a description can be a mechanical system at all: names, velocities, mass matrix, symmetries.
#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "actio/base/dense.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/mechanics/coordinate_index.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/force_function.hpp"
#include "actio/mechanics/lagrangian_system.hpp"
#include "actio/mechanics/linear_system.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/mechanics/random_points.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

namespace {

// Largest system whose mass matrix is tested here; runs test that of their initial state, whatever the size.
constexpr std::size_t most_coordinates_tested = 64;

void check_names(const lagrangian_system& system) {
  std::unordered_set<std::string> taken;
  const coordinate_index index(system.coordinates);
  const auto refuse = [](const std::string& name, const source_place& place) {
    throw input_error("duplicate-name", "the name '" + name + "' is used twice", place, "give each thing its own name");
  };
  const auto claim = [&](const std::string& name, const source_place& place) {
    if (index.position(expr::symbol(name)) || !taken.insert(name).second) refuse(name, place);
  };
  for (std::size_t i = 0; i < system.size(); ++i) {
    const expr& q = system.coordinates[i];
    if (*index.position(q) != i) refuse(q.name(), system.lagrangian_place);
  }
  for (const named_expr& p : system.parameters) claim(p.name, p.place);
  for (const named_expr& g : system.constraints) claim(multiplier_symbol(g).name(), g.place);
}

// What trajectories and certificates list by name: two columns of one name could not be told apart.
void check_listed_names(const lagrangian_system& system) {
  std::unordered_map<std::string, std::string> taken{{"t", "the time"}};
  if (!system.is_first_order()) taken.emplace("energy", "the energy");
  const coordinate_index index(system.coordinates);
  const auto refuse = [](const std::string& name, const std::string& what, const std::string& other,
                         const source_place& place) {
    throw input_error("duplicate-name",
                      what + " cannot be called '" + name + "': trajectories list " + other + " under this name", place,
                      "give each thing its own name");
  };
  for (const auto& [name, other] : taken) {
    if (index.position(expr::symbol(name))) refuse(name, "a coordinate", other, system.lagrangian_place);
  }
  const auto is_called_as_momentum = [](const expr& q) { return q.name().starts_with("p_"); };
  if (!system.is_first_order() && std::ranges::any_of(system.coordinates, is_called_as_momentum)) {
    for (const expr& q : system.coordinates) {
      const expr p = momentum_symbol(q);
      if (!index.position(p)) continue;
      refuse(p.name(), "the momentum of a coordinate", "a coordinate", system.lagrangian_place);
    }
  }
  const auto claim = [&](const std::string& name, const std::string& what, const source_place& place) {
    const auto coordinate = index.find(expr::symbol(name));
    if (coordinate && coordinate->role == coordinate_role::position) refuse(name, what, "a coordinate", place);
    if (coordinate && coordinate->role == coordinate_role::momentum && !system.is_first_order())
      refuse(name, what, "the momentum of a coordinate", place);
    const auto [at, is_new] = taken.emplace(name, what);
    if (!is_new) refuse(name, what, at->second, place);
  };
  for (const named_expr& o : system.observables) claim(o.name, "an observable", o.place);
  for (const named_expr& i : system.invariants) claim(i.name, "an invariant", i.place);
  for (const symmetry& s : system.symmetries) claim(s.name, "a symmetry", s.place);
  for (const named_expr& g : system.constraints) claim(multiplier_symbol(g).name(), "a multiplier", g.place);
}

class symbol_check {
 public:
  explicit symbol_check(const lagrangian_system& system)
      : system_(system), places_(places_of(system)), index_(places_) {
    for (const expr& p : system.parameter_symbols()) known_.insert(p);
    known_.insert(time_symbol());
  }
  // From now on these are known of every coordinate.
  void add(coordinate_role role) { roles_.push_back(role); }

  void operator()(const expr& e, const std::string& role, const source_place& place) const {
    for (const expr& s : symbols_in(std::span(&e, 1))) {
      if (known_.contains(s) || is_kept_sum(s)) continue;
      const auto coordinate = index_.find(s);
      if (coordinate && std::ranges::find(roles_, coordinate->role) != roles_.end()) continue;
      std::vector<std::string> names;
      for (const expr& k : known_) names.push_back(k.name());
      const auto add = [&](const std::vector<expr>& symbols) {
        for (const expr& k : symbols) names.push_back(k.name());
      };
      add(system_.coordinates);
      if (std::ranges::find(roles_, coordinate_role::velocity) != roles_.end()) add(system_.velocities());
      if (std::ranges::find(roles_, coordinate_role::momentum) != roles_.end()) add(system_.momenta());
      std::sort(names.begin(), names.end());
      throw input_error("unknown-name", "unknown name '" + s.name() + "' in " + role, place, suggest(s.name(), names));
    }
  }

 private:
  const lagrangian_system& system_;
  std::vector<expr> places_;
  coordinate_index index_;
  std::vector<coordinate_role> roles_{coordinate_role::position};
  std::unordered_set<expr> known_;
};

void check_symbols(const lagrangian_system& system) {
  symbol_check check(system);
  for (const symmetry& s : system.symmetries) {
    ACTIO_ASSERT(s.generator.size() == system.size());
    for (const expr& e : s.generator) check(e, "symmetry " + s.name, s.place);
  }
  for (const named_expr& c : system.constraints) check(c.value, "constraint " + c.name, c.place);
  for (std::size_t i = 0; i < system.equations.size(); ++i) {
    check(system.equations[i], "the equation of " + system.coordinates[i].name(), system.lagrangian_place);
  }
  if (system.is_hamiltonian()) {
    check.add(coordinate_role::momentum);
    check(*system.hamiltonian, "hamiltonian", system.lagrangian_place);
  }
  check.add(coordinate_role::velocity);
  check(system.lagrangian, "lagrangian", system.lagrangian_place);
  ACTIO_ASSERT(system.forces.empty() || system.forces.size() == system.size());
  for (const expr& f : system.forces) check(f, "forces", system.lagrangian_place);
  if (!system.is_first_order()) check.add(coordinate_role::momentum);
  for (const named_expr& i : system.invariants) check(i.value, "invariant " + i.name, i.place);
  check.add(coordinate_role::acceleration);
  for (const named_expr& o : system.observables) check(o.value, "observable " + o.name, o.place);
}

void check_velocities(const lagrangian_system& system) {
  const std::vector<expr> places = places_of(system);
  const coordinate_index index(places);
  std::vector<bool> occurs(places.size(), false);
  for (const expr& s : symbols_in(std::span(&system.lagrangian, 1))) {
    const auto found = index.find(s);
    if (found && found->role == coordinate_role::velocity) occurs[found->number] = true;
  }
  for (const element_family& family : system.sums ? *system.sums : std::vector<element_family>{}) {
    for (std::size_t k = 0; k < family.slots(); ++k) {
      if (!depends_on(family.body, family.velocities[k])) continue;
      for (const std::uint32_t i : family.coordinates[k]) occurs[i] = true;
    }
  }
  for (std::size_t i = places.size(); i-- > system.size();) {  // rates of definitions have those of what they contain
    if (!occurs[i]) continue;
    for (const expr& s : symbols_in(std::span(&system.recursions->values[i - system.size()], 1))) {
      if (const auto place = index.position(s)) occurs[*place] = true;
    }
  }
  for (std::size_t i = 0; i < system.size(); ++i) {
    if (occurs[i]) continue;
    const std::string& x = system.coordinates[i].name();
    throw input_error("velocity-missing", "the velocity " + x + "' does not occur in the Lagrangian",
                      system.lagrangian_place,
                      "add a kinetic term such as 1/2*m*" + x + "'^2, or remove '" + x + "' from coordinates");
  }
}

// A vector v ≠ 0 with A v = 0 to rounding, by elimination with full pivoting; empty when A is regular. Rows and columns
// are scaled alike first, so that units do not matter.
std::vector<quad> null_vector(matrix<quad> A) {
  const std::size_t n = A.rows();
  const quad tolerance = 1e-24;
  std::vector<quad> scale(n, quad(0));
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    order[i] = i;
    for (std::size_t j = 0; j < n; ++j) scale[i] = std::max(scale[i], quad(abs(A(i, j))));
    scale[i] = scale[i] > 0 ? quad(1 / sqrt(scale[i])) : quad(1);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) A(i, j) *= scale[i] * scale[j];
  }
  std::size_t rank = 0;
  for (; rank < n; ++rank) {
    std::size_t row = rank, column = rank;
    for (std::size_t i = rank; i < n; ++i) {
      for (std::size_t j = rank; j < n; ++j) {
        if (abs(A(i, j)) > abs(A(row, column))) row = i, column = j;
      }
    }
    if (abs(A(row, column)) <= tolerance) break;
    for (std::size_t j = 0; j < n; ++j) std::swap(A(rank, j), A(row, j));
    for (std::size_t i = 0; i < n; ++i) std::swap(A(i, rank), A(i, column));
    std::swap(order[rank], order[column]);
    for (std::size_t i = rank + 1; i < n; ++i) {
      const quad factor = A(i, rank) / A(rank, rank);
      for (std::size_t j = rank; j < n; ++j) A(i, j) -= factor * A(rank, j);
    }
  }
  if (rank == n) return {};
  std::vector<quad> x(n, quad(0)), v(n);
  x[rank] = 1;
  for (std::size_t i = rank; i-- > 0;) {
    for (std::size_t j = i + 1; j <= rank; ++j) x[i] -= A(i, j) * x[j];
    x[i] /= A(i, i);
  }
  for (std::size_t i = 0; i < n; ++i) v[order[i]] = x[i] * scale[order[i]];
  return v;
}

// "(x', y') = (1, -1)", or "x'" alone: the components of `v` that are not zero, the largest of them made one.
std::string direction_text(const lagrangian_system& system, const std::vector<quad>& v) {
  quad largest = 0;
  for (const quad& x : v) {
    if (abs(x) > abs(largest) * quad(1 + 1e-10)) largest = x;
  }
  std::string names, values;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (abs(v[i]) < abs(largest) * quad(1e-10)) continue;
    names += (names.empty() ? "" : ", ") + system.coordinates[i].name() + "'";
    values += (values.empty() ? "" : ", ") + to_brief(quad(v[i] / largest));
  }
  return values == "1" ? names : "(" + names + ") = (" + values + ")";
}

// ∂²L/∂v², bordered by A = ∂g/∂q where there are constraints: [M Aᵀ; A 0] is regular when M is on the velocities that
// the constraints leave free, and no constraint follows from the others.
std::vector<expr> bordered_mass(const lagrangian_system& system) {
  const std::size_t n = system.size(), size = n + system.constraints.size();
  const std::vector<expr> velocities = system.velocities(), momenta = gradient(system.lagrangian, velocities);
  std::vector<expr> entries(size * size, expr(0));
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<expr> row = gradient(momenta[i], velocities);
    std::copy(row.begin(), row.end(), entries.begin() + static_cast<std::ptrdiff_t>(i * size));
  }
  for (std::size_t c = n; c < size; ++c) {
    const std::vector<expr> row = gradient(system.constraints[c - n].value, system.coordinates);
    for (std::size_t j = 0; j < n; ++j) entries[c * size + j] = entries[j * size + c] = row[j];
  }
  return entries;
}

void check_mass_matrix(const lagrangian_system& system) {
  constexpr int points = 5;
  const std::size_t n = system.size(), size = n + system.constraints.size();
  if (size > most_coordinates_tested || system.recursions) return;
  const std::vector<expr> entries = bordered_mass(system);
  random_points<quad> at(system, entries);
  std::vector<quad> direction;
  for (int k = 0; k < points && at.draw(); ++k) {
    matrix<quad> mass(size, size);
    std::copy(at.values().begin(), at.values().end(), mass.data().begin());
    direction = null_vector(std::move(mass));
    if (direction.empty()) return;
  }
  if (direction.empty()) return;
  direction.resize(n);
  // Constraints that depend on one another are left to the initial state, where their values count as well.
  if (system.is_constrained() && std::ranges::all_of(direction, [](const quad& x) { return abs(x) < quad(1e-20); })) {
    return;
  }
  throw input_error(
      "degenerate-lagrangian",
      "the Lagrangian is degenerate: its momenta do not change along " + direction_text(system, direction),
      system.lagrangian_place,
      system.is_constrained() ? "add the kinetic energy of that motion, or a constraint that holds it"
                              : "add the kinetic energy of that motion, or describe the system with fewer coordinates");
}

// δL = Σ_i ∂L/∂q_i ξ_i + ∂L/∂v_i dξ_i/dt for each symmetry, as its terms.
std::vector<vanishing_sum> variations_of_lagrangian(const lagrangian_system& system) {
  const std::vector<expr> v = system.velocities();
  const std::vector<expr> L_q = gradient(system.lagrangian, system.coordinates);
  const std::vector<expr> L_v = gradient(system.lagrangian, v);
  std::vector<std::pair<expr, expr>> rates;  // generators contain no velocities
  for (std::size_t i = 0; i < system.size(); ++i) rates.emplace_back(system.coordinates[i], v[i]);
  rates.emplace_back(time_symbol(), expr(1));
  std::vector<vanishing_sum> variations;
  for (const symmetry& s : system.symmetries) {
    vanishing_sum variation{{}, {system.lagrangian}};
    for (std::size_t i = 0; i < system.size(); ++i) {
      if (s.generator[i].is_zero()) continue;
      variation.terms.push_back(L_q[i] * s.generator[i]);
      variation.terms.push_back(L_v[i] * total_derivative(s.generator[i], rates));
    }
    variations.push_back(std::move(variation));
  }
  return variations;
}

// d/dt of p·ξ along Hamilton's equations without forces, −H_q·ξ + p·dξ/dt, for each symmetry; momenta stand in the
// place of velocities.
std::vector<vanishing_sum> variations_of_hamiltonian(const lagrangian_system& system,
                                                     const lagrangian_system& in_velocities) {
  const std::vector<expr> p = in_velocities.velocities(), H_q = gradient(in_velocities.lagrangian, system.coordinates),
                          H_p = gradient(in_velocities.lagrangian, p);
  std::vector<std::pair<expr, expr>> rates;  // generators contain no momenta
  for (std::size_t i = 0; i < system.size(); ++i) rates.emplace_back(system.coordinates[i], H_p[i]);
  rates.emplace_back(time_symbol(), expr(1));
  std::vector<vanishing_sum> variations;
  for (const symmetry& s : system.symmetries) {
    vanishing_sum variation{{}, {in_velocities.lagrangian}};
    for (std::size_t i = 0; i < system.size(); ++i) {
      if (s.generator[i].is_zero()) continue;
      variation.terms.push_back(-(H_q[i] * s.generator[i]));
      variation.terms.push_back(p[i] * total_derivative(s.generator[i], rates));
    }
    variations.push_back(std::move(variation));
  }
  return variations;
}

// Of a point whose velocities are momenta: "x = 1, x' = 2" becomes "x = 1, p_x = 2".
std::string with_momenta(std::string description, const lagrangian_system& system) {
  for (const expr& q : system.coordinates) {
    const std::string velocity = ", " + velocity_symbol(q).name() + " = ";
    const std::size_t at = description.find(velocity);
    if (at != std::string::npos) {
      description.replace(at, velocity.size(), ", " + momentum_symbol(q).name() + " = ");
    }
  }
  return description;
}

void check_symmetries_of_hamiltonian(const lagrangian_system& system) {
  if (system.symmetries.empty()) return;
  const lagrangian_system in_velocities = with_momenta_as_velocities(system);
  const auto found = find_nonzero_sums(in_velocities, variations_of_hamiltonian(system, in_velocities), true);
  for (std::size_t k = 0; k < system.symmetries.size(); ++k) {
    if (!found[k]) continue;
    throw input_error("false-symmetry",
                      "symmetry '" + system.symmetries[k].name + "' changes the Hamiltonian: its bracket with it is " +
                          to_brief(found[k]->value) + " at " + with_momenta(found[k]->description, system),
                      system.symmetries[k].place,
                      "the generator must leave the Hamiltonian as it is when momenta move along: look for a wrong "
                      "sign or a coordinate that is missing");
  }
}

// ∂g/∂q·ξ for each constraint under each symmetry, all constraints of one symmetry together.
std::vector<vanishing_sum> variations_of_constraints(const lagrangian_system& system) {
  std::vector<std::vector<expr>> normals;
  for (const named_expr& g : system.constraints) normals.push_back(gradient(g.value, system.coordinates));
  std::vector<vanishing_sum> variations;
  for (const symmetry& s : system.symmetries) {
    for (std::size_t c = 0; c < normals.size(); ++c) {
      vanishing_sum variation{{}, {system.constraints[c].value}};
      for (std::size_t i = 0; i < system.size(); ++i) variation.terms.push_back(normals[c][i] * s.generator[i]);
      variations.push_back(std::move(variation));
    }
  }
  return variations;
}

// To first order a symmetry leaves L as it is, and the constraints: one that does not stay takes the momentum away.
// Constraints may turn into one another, as the components of a vector do: only where all of them hold must none
// change.
void check_symmetries(const lagrangian_system& given) {
  if (given.symmetries.empty()) return;
  lagrangian_system system = given;
  write_out_sums(system);
  write_out_recursions(system);
  const std::size_t m = system.constraints.size();
  const auto of_lagrangian = find_nonzero_sums(system, variations_of_lagrangian(system), true);
  std::vector<std::optional<nonzero_point>> of_constraints;
  if (m > 0) of_constraints = find_nonzero_sums_on_constraints(system, variations_of_constraints(system));
  for (std::size_t k = 0; k < system.symmetries.size(); ++k) {
    const symmetry& s = system.symmetries[k];
    for (std::size_t c = 0; c < m; ++c) {
      const auto& nonzero = of_constraints[k * m + c];
      if (!nonzero) continue;
      throw input_error("false-symmetry",
                        "symmetry '" + s.name + "' does not keep the constraint '" + system.constraints[c].name +
                            "': it changes it by " + to_brief(nonzero->value) + " at " + nonzero->description,
                        s.place, "let it move every coordinate that belongs to the constraint, or remove it");
    }
    const auto& nonzero = of_lagrangian[k];
    if (!nonzero) continue;
    throw input_error("false-symmetry",
                      "symmetry '" + s.name + "' changes the Lagrangian: its variation is " + to_brief(nonzero->value) +
                          " at " + nonzero->description,
                      s.place,
                      "to first order the generator must leave the Lagrangian as it is: look for a wrong sign or a "
                      "coordinate that is missing");
  }
}

void check_constraints(const lagrangian_system& system) {
  if (!system.is_constrained()) return;
  const std::unordered_set<expr> coordinates(system.coordinates.begin(), system.coordinates.end());
  for (const named_expr& g : system.constraints) {
    const std::vector<expr> symbols = symbols_in(std::span(&g.value, 1));
    if (std::ranges::any_of(symbols, [&](const expr& s) { return coordinates.contains(s); })) continue;
    throw input_error("idle-constraint", "constraint '" + g.name + "' has no effect: it contains no coordinate",
                      g.place, "write what must stay zero, in the coordinates, or remove it");
  }
}

// What only a Lagrangian gives a meaning to must be absent, and every coordinate must have its equation.
void check_first_order(const lagrangian_system& system) {
  if (!system.lagrangian.is_zero()) {
    throw input_error("two-descriptions", "the system has both a Lagrangian and equations", system.lagrangian_place,
                      "either describes the motion; remove one of them");
  }
  if (system.equations.size() != system.size()) {
    throw input_error("missing-equation",
                      "the system has " + std::to_string(system.size()) + " coordinates, but " +
                          std::to_string(system.equations.size()) + " equations",
                      system.lagrangian_place, "give one right-hand side a coordinate");
  }
  const char* const what = system.is_forced() || !system.forces.empty() ? "forces"
                           : !system.symmetries.empty()                 ? "symmetries"
                           : !system.constraints.empty()                ? "constraints"
                                                                        : nullptr;
  if (what == nullptr) return;
  throw input_error("needs-lagrangian", std::string(what) + " have no meaning beside equations y' = f(t, y)",
                    system.lagrangian_place,
                    "write what they do into the equations, or describe the system by a Lagrangian");
}

// What only a Lagrangian gives a meaning to must be absent.
void check_hamiltonian(const lagrangian_system& system) {
  if (!system.lagrangian.is_zero() || system.is_first_order()) {
    throw input_error("two-descriptions", "the system has a Hamiltonian beside a Lagrangian or equations",
                      system.lagrangian_place, "either describes the motion; remove one of them");
  }
  if (system.is_constrained()) {
    throw input_error("needs-lagrangian", "constraints have no meaning beside a Hamiltonian", system.lagrangian_place,
                      "describe the system by a Lagrangian, or choose coordinates that need no constraints");
  }
}

// Everything that validation looks at, in one row: two systems with equal rows are valid alike.
std::vector<expr> description_of(const lagrangian_system& system) {
  std::vector<expr> row;
  const auto add = [&](const std::vector<expr>& part) {
    row.emplace_back(static_cast<long long>(part.size()));
    row.insert(row.end(), part.begin(), part.end());
  };
  const auto add_named = [&](const std::vector<named_expr>& part) {
    row.emplace_back(static_cast<long long>(part.size()));
    for (const named_expr& e : part) {
      row.push_back(expr::symbol(e.name));
      row.push_back(e.value);
    }
  };
  add(system.coordinates);
  add_named(system.parameters);
  row.push_back(system.lagrangian);
  if (system.recursions) {
    add(system.recursions->symbols);
    add(system.recursions->values);
  }
  if (system.is_hamiltonian()) add({*system.hamiltonian});
  add(system.forces);
  add(system.equations);
  add_named(system.observables);
  add_named(system.invariants);
  add_named(system.constraints);
  for (const symmetry& s : system.symmetries) {
    row.push_back(expr::symbol(s.name));
    add(s.generator);
  }
  if (system.linear) {
    for (const auto* rows : {&system.linear->mass, &system.linear->stiffness, &system.linear->damping}) {
      row.emplace_back(static_cast<long long>(rows->size()));
      for (const std::vector<named_expr>& entries : *rows) add_named(entries);
    }
    add_named(system.linear->load);
  }
  return row;
}

// Descriptions of systems that were found valid lately: a model is tested where it is read and again where a run
// starts.
class valid_systems {
 public:
  bool know(const std::vector<expr>& description) {
    const std::lock_guard lock(mutex_);
    return std::ranges::find(known_, description) != known_.end();
  }
  void add(std::vector<expr> description) {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(known_, description) != known_.end()) return;
    if (known_.size() == most_kept) known_.pop_front();
    known_.push_back(std::move(description));
  }

 private:
  static constexpr std::size_t most_kept = 64;
  std::mutex mutex_;
  std::deque<std::vector<expr>> known_;
};

valid_systems& systems_found_valid() {
  static valid_systems& all = *new valid_systems;
  return all;
}

void check_applied_force(const lagrangian_system& system) {
  if (!system.applied_force) return;
  if (system.is_first_order()) check_first_order(system);
  force_evaluation<double>(*system.applied_force, system.size());  // refuses one that does not compute in double
}

void test(const lagrangian_system& system) {
  check_names(system);
  check_listed_names(system);
  if (system.is_hamiltonian()) {
    check_hamiltonian(system);
    check_symbols(system);
    parameter_values<quad>(system);  // refuses a parameter that is not finite
    check_symmetries_of_hamiltonian(system);
    return;
  }
  if (system.is_first_order()) {
    check_first_order(system);
    check_symbols(system);
    parameter_values<quad>(system);  // refuses a parameter that is not finite
    return;
  }
  check_symbols(system);
  check_constraints(system);
  check_linear_form(system);
  // What constraints hold needs no kinetic energy of its own; the mass matrix is looked at together with them.
  if (!system.is_constrained()) check_velocities(system);
  if (!system.linear) check_mass_matrix(system);
  check_symmetries(system);
}

}  // namespace

void validate(const lagrangian_system& system) {
  check_applied_force(system);
  test(system);
  if (!system.sums) systems_found_valid().add(description_of(system));
}

void validate_once(const lagrangian_system& system) {
  if (system.sums || !systems_found_valid().know(description_of(system))) return validate(system);
  check_applied_force(system);  // no description has it
}

}  // namespace actio
