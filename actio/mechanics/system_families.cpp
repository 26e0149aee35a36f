#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "actio/expr/derivative.hpp"
#include "actio/expr/symbolic_sums.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

namespace {

bool observes_accelerations(const lagrangian_system& system) {
  std::vector<expr> observed;
  for (const named_expr& o : system.observables) observed.push_back(o.value);
  const std::vector<expr> symbols = symbols_in(observed);
  return std::ranges::any_of(symbols, [](const expr& s) { return s.name().ends_with("''"); });
}

expr symbol_of_sum(std::size_t k) { return expr::symbol("(sum " + std::to_string(k + 1) + ")"); }

// Remembered for the Lagrangian that was asked for last: it may have millions of terms.
bool is_quadratic(const lagrangian_system& system) {
  if (system.sums || system.recursions) return system.is_quadratic_in_velocities();
  static std::mutex& mutex = *new std::mutex;
  static std::optional<std::pair<expr, bool>>& last = *new std::optional<std::pair<expr, bool>>;
  {
    const std::lock_guard lock(mutex);
    if (last && last->first == system.lagrangian) return last->second;
  }
  const bool answer = system.is_quadratic_in_velocities();
  const std::lock_guard lock(mutex);
  last.emplace(system.lagrangian, answer);
  return answer;
}

// The slot of the targets, made where there is none.
std::size_t slot_of_targets(element_family& family) {
  const auto same = std::ranges::find(family.coordinates, family.targets);
  const auto slot = static_cast<std::size_t>(same - family.coordinates.begin());
  if (same != family.coordinates.end()) return slot;
  family.coordinates.push_back(family.targets);
  family.positions.push_back(local_symbol("#", slot));
  family.velocities.push_back(velocity_symbol(family.positions.back()));
  find_runs(family);
  return slot;
}

}  // namespace

bool is_made_of_elements(const lagrangian_system& system) {
  if (!system.has_lagrangian() || (system.size() <= most_dense_coordinates && !system.recursions)) return false;
  if (system.recursions && (system.is_constrained() || system.time_scale)) return false;
  if (system.applied_force || system.linear || observes_accelerations(system)) return false;
  return is_quadratic(system);
}

bool is_kept_sum(const expr& symbol) { return symbol.name().starts_with("(sum "); }

bool depends_on_time(const lagrangian_system& system) {
  const auto contains_time = [](const expr& e) { return depends_on(e, time_symbol()); };
  if (contains_time(system.lagrangian)) return true;
  if (system.recursions && std::ranges::any_of(system.recursions->values, contains_time)) return true;
  return system.sums &&
         std::ranges::any_of(*system.sums, [](const element_family& f) { return depends_on(f.body, time_symbol()); });
}

element_family family_of(symbolic_sum sum) {
  element_family family;
  expr_map<expr> names;
  family.elements = sum.elements;
  family.targets.assign(sum.elements, 0);
  for (symbolic_sum::slot& s : sum.slots) {
    if (s.is_parameter) {
      family.symbols.push_back(local_symbol("@", family.symbols.size()));
      family.values.push_back({.parameters = std::move(s.numbers)});
      names.emplace(s.value, family.symbols.back());
      continue;
    }
    family.positions.push_back(local_symbol("#", family.positions.size()));
    family.velocities.push_back(velocity_symbol(family.positions.back()));
    family.coordinates.push_back(std::move(s.numbers));
    names.emplace(s.value, family.positions.back());
    names.emplace(s.rate, family.velocities.back());
  }
  for (symbolic_sum::column& c : sum.columns) {
    family.symbols.push_back(local_symbol("@", family.symbols.size()));
    family.values.push_back({.numbers = std::move(c.numbers), .whole = std::move(c.whole)});
    names.emplace(c.symbol, family.symbols.back());
  }
  family.body = substitute(sum.body, names);
  return family;
}

namespace {

// Coordinates that all elements have beside their members become slots. False where such a one is a member as well.
bool add_shared_coordinates(element_family& family, const element_symbols& symbols) {
  expr_map<expr> names;
  for (const expr& s : symbols_in(std::span(&family.body, 1))) {
    const auto found = symbols.find(s);
    if (!found || found->is == element_symbols::role::parameter) continue;
    const auto is_shared = [&](const std::vector<std::uint32_t>& column) {
      return std::ranges::all_of(column, [&](std::uint32_t i) { return i == found->number; });
    };
    auto at = std::ranges::find_if(family.coordinates, is_shared);
    if (at == family.coordinates.end()) {
      const auto has = [&](const std::vector<std::uint32_t>& column) {
        return std::ranges::find(column, found->number) != column.end();
      };
      if (std::ranges::any_of(family.coordinates, has)) return false;
      family.positions.push_back(local_symbol("#", family.positions.size()));
      family.velocities.push_back(velocity_symbol(family.positions.back()));
      family.coordinates.emplace_back(family.elements, found->number);
      at = std::prev(family.coordinates.end());
    }
    const auto slot = static_cast<std::size_t>(at - family.coordinates.begin());
    const bool is_position = found->is == element_symbols::role::position;
    names.emplace(s, is_position ? family.positions[slot] : family.velocities[slot]);
  }
  family.body = substitute(family.body, names);
  return true;
}

}  // namespace

bool keep_sums(lagrangian_system& system, const expr& value, std::vector<symbolic_sum> sums) {
  auto kept = std::make_shared<std::vector<element_family>>();
  const element_symbols symbols(system);
  expr rest = value;
  for (symbolic_sum& sum : sums) {
    const expr symbol = sum.symbol, factor = derivative(value, symbol);
    if (!symbols.is_fixed(factor)) return false;
    rest = substitute(rest, {{symbol, expr(0)}});
    element_family family = family_of(std::move(sum));
    family.body = factor * family.body;
    if (!add_shared_coordinates(family, symbols)) return false;
    find_runs(family);
    kept->push_back(std::move(family));
  }
  system.lagrangian = rest;
  for (std::size_t k = 0; k < kept->size(); ++k) system.lagrangian += symbol_of_sum(k);
  system.sums = std::move(kept);
  return true;
}

void write_out_sums(lagrangian_system& system) {
  if (!system.sums) return;
  const std::vector<expr> parameters = system.parameter_symbols(), places = places_of(system);
  expr_map<expr> sums;
  for (std::size_t k = 0; k < system.sums->size(); ++k) {
    const element_family& family = (*system.sums)[k];
    std::vector<expr> terms;
    for (std::size_t e = 0; e < family.elements && !family.body.is_zero(); ++e) {
      expr_map<expr> names;
      for (std::size_t s = 0; s < family.slots(); ++s) {
        const expr& q = places[family.coordinates[s][e]];
        names.emplace(family.positions[s], q);
        names.emplace(family.velocities[s], velocity_symbol(q));
      }
      for (std::size_t v = 0; v < family.symbols.size(); ++v) {
        names.emplace(family.symbols[v], family.values[v].value_of(e, parameters));
      }
      terms.push_back(substitute(family.body, names));
    }
    for (std::size_t count = terms.size(); count > 1; count = (count + 1) / 2) {
      for (std::size_t j = 0; j + 1 < count; j += 2) terms[j / 2] = terms[j] + terms[j + 1];
      if (count % 2 == 1) terms[count / 2] = terms[count - 1];
    }
    sums.emplace(symbol_of_sum(k), terms.empty() ? expr(0) : terms.front());
  }
  system.lagrangian = substitute(system.lagrangian, sums);
  system.sums.reset();
}

namespace {

system_families made_families(const lagrangian_system& system) {
  const element_symbols symbols(system);
  std::vector<element_term> terms = terms_of_sum(system.lagrangian, symbols);
  std::erase_if(terms, [](const element_term& t) { return t.value.op() == operation::symbol && is_kept_sum(t.value); });
  system_families made{families_of(terms, symbols), {}, {}};
  if (system.sums) made.lagrangian = joined(*system.sums, std::move(made.lagrangian));
  std::vector<element_term> forces;
  for (std::uint32_t i = 0; i < system.forces.size(); ++i) {
    const std::vector<element_term> more = terms_of_sum(system.forces[i], symbols, i);
    forces.insert(forces.end(), more.begin(), more.end());
  }
  made.forces = families_of(forces, symbols);
  for (element_family& family : made.forces) made.acts_on.push_back(slot_of_targets(family));
  return made;
}

// Those of the system that was asked for last: it is asked for them where it is tested, and where a run starts.
class last_families {
 public:
  std::shared_ptr<const system_families> of(const lagrangian_system& system) {
    const std::lock_guard lock(mutex_);
    const auto has_name = [](const std::string& name, const named_expr& p) { return name == p.name; };
    const bool is_same = families_ && sums_ == system.sums && recursions_ == system.recursions &&
                         lagrangian_ == system.lagrangian && coordinates_ == system.coordinates &&
                         forces_ == system.forces && std::ranges::equal(parameters_, system.parameters, has_name);
    if (is_same) return families_;
    families_ = std::make_shared<const system_families>(made_families(system));
    sums_ = system.sums;
    recursions_ = system.recursions;
    lagrangian_ = system.lagrangian;
    coordinates_ = system.coordinates;
    forces_ = system.forces;
    parameters_.clear();
    for (const named_expr& p : system.parameters) parameters_.push_back(p.name);
    return families_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const system_families> families_;
  std::shared_ptr<const std::vector<element_family>> sums_;
  std::shared_ptr<const recursive_definitions> recursions_;
  expr lagrangian_;
  std::vector<expr> coordinates_, forces_;
  std::vector<std::string> parameters_;
};

}  // namespace

std::shared_ptr<const system_families> families_of(const lagrangian_system& system) {
  static last_families& last = *new last_families;
  return last.of(system);
}

const system_families& families_of(const system_code& code) {
  return **code.piece<std::shared_ptr<const system_families>>("", [&] { return families_of(code.system()); });
}

}  // namespace actio
