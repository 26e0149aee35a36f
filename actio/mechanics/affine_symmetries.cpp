#include "actio/mechanics/affine_symmetries.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/element_symmetries.hpp"
#include "actio/mechanics/exact_value.hpp"
#include "actio/mechanics/generator_names.hpp"
#include "actio/mechanics/generator_proof.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/mechanics/random_points.hpp"
#include "actio/mechanics/recursions.hpp"
#include "actio/mechanics/variation_solver.hpp"

namespace actio {

namespace {

constexpr std::size_t most_found = 32;  // more are no help to anybody

using vector = std::vector<quad>;

quad largest_of(const vector& x) {
  quad largest = 0;
  for (const quad& one : x) largest = std::max(largest, quad(abs(one)));
  return largest;
}

std::vector<known_value> known_values(const lagrangian_system& system) {
  const std::vector<expr> symbols = system.parameter_symbols();
  const vector values = parameter_values<quad>(system);
  std::vector<known_value> known;
  for (std::size_t k = 0; k < symbols.size(); ++k) {
    if (values[k] != 0) known.push_back({symbols[k], values[k]});
  }
  return known;
}

exact_generator generator_of(const lagrangian_system& system, const std::vector<direction>& directions, const vector& x,
                             std::span<const known_value> known) {
  struct entry_sum {
    quad number = 0;
    expr formula = 0;
  };
  const std::size_t n = system.size();
  std::map<std::pair<std::size_t, std::size_t>, entry_sum> sums;
  bool is_written = true;
  for (std::size_t c = 0; c < directions.size(); ++c) {
    if (x[c] == 0) continue;
    const std::optional<expr> factor = exact_value(x[c], known);
    is_written = is_written && factor;
    for (const motion& m : directions[c]) {
      entry_sum& sum = sums[{m.i, m.j}];
      sum.number += x[c] * m.factor;
      if (factor) sum.formula += *factor * m.exact;
    }
  }
  exact_generator result{std::vector<expr>(is_written ? n : 0, expr(0)), {}, {}};
  for (const auto& [place, sum] : sums) {
    const auto [i, j] = place;
    result.entries.push_back({i, j, sum.number});
    result.formulas.push_back(sum.formula);
    if (is_written) result.value[i] += j == n ? sum.formula : sum.formula * system.coordinates[j];
  }
  if (!is_written) return result;
  const vector values = evaluate<quad>(result.formulas, system.parameter_symbols(), parameter_values<quad>(system));
  for (std::size_t k = 0; k < values.size(); ++k) result.entries[k].value = values[k];
  return result;
}

bool turns(const std::vector<generator_entry>& entries, std::size_t n) {
  return std::ranges::any_of(entries, [&](const generator_entry& e) { return e.by < n; });
}

// Vectors that are independent of one another, made orthonormal.
class independent_vectors {
 public:
  // What is left of x beside them.
  vector rest(vector x) const {
    for (int twice = 0; twice < 2; ++twice) {
      for (const vector& e : orthonormal_) {
        const quad part = product(e, x);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] -= part * e[k];
      }
    }
    return x;
  }
  // Whether x is independent of those before it, and now one of them.
  bool add(const vector& x, const quad& size, double tolerance = 1e-10) {
    if (!std::ranges::all_of(x, [](const quad& one) { return is_finite(one); })) return false;
    vector left = rest(x);
    const quad squared = product(left, left);
    if (squared <= quad(tolerance * tolerance) * size * size) return false;
    const quad length = sqrt(squared);
    for (quad& one : left) one /= length;
    orthonormal_.push_back(std::move(left));
    return true;
  }

  std::size_t size() const { return orthonormal_.size(); }

 private:
  static quad product(const vector& a, const vector& b) {
    quad sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  }
  std::vector<vector> orthonormal_;
};

bool is_constant(const lagrangian_system& system, const symmetry& s) {
  const std::vector<expr> parameters = system.parameter_symbols();
  return std::ranges::all_of(symbols_in(s.generator), [&](const expr& symbol) {
    return std::ranges::find(parameters, symbol) != parameters.end();
  });
}

// Which generators are new, by their values at a few points, on the constraints where there are any: what vanishes
// there, or follows from others, is none. Nor is what moves every point along translations that are symmetries: where
// bodies float freely, their centre of mass may turn alone, and its momentum is made of theirs.
class generator_span {
 public:
  generator_span(const lagrangian_system& system, variation_equations<quad>& equations,
                 const std::vector<exact_generator>& generators)
      : n_(system.size()) {
    const auto translate = [&](const std::vector<generator_entry>& entries) {
      vector along(n_, quad(0));
      for (const generator_entry& e : entries) along[e.moved] += e.value;
      translations_.add(along, largest_of(along));
    };
    for (const exact_generator& g : generators) {
      if (!turns(g.entries, n_)) translate(g.entries);
    }
    for (const std::size_t i : system.cyclic_coordinates()) translate({{i, n_, 1}});
    draw_positions(system, equations);
    for (const std::size_t i : system.cyclic_coordinates()) all_.add(values_of({{i, n_, 1}}), 1);
  }

  bool add(const std::vector<generator_entry>& entries, double tolerance = 1e-10) {
    const vector values = values_of(entries);
    quad size = 0;
    for (const generator_entry& e : entries) size = std::max(size, quad(abs(e.value)));
    return turns(entries, n_) ? turning_.add(beside_translations(values), size, tolerance)
                              : all_.add(values, size, tolerance);
  }

  std::size_t translations() const { return translations_.size(); }
  bool is_along_translations(const std::vector<generator_entry>& entries) const {
    const vector rest = beside_translations(values_of(entries));
    return turns(entries, n_) && largest_of(rest) < quad(1e-15) * largest_of(values_of(entries));
  }

 private:
  void draw_positions(const lagrangian_system& system, variation_equations<quad>& equations) {
    constexpr int points = 4;
    std::vector<expr> declared, symbols(system.coordinates);
    for (const symmetry& s : system.symmetries) declared.insert(declared.end(), s.generator.begin(), s.generator.end());
    const std::vector<expr> parameters = system.parameter_symbols();
    symbols.push_back(time_symbol());
    symbols.insert(symbols.end(), parameters.begin(), parameters.end());
    const vector constants = parameter_values<quad>(system);
    std::vector<vector> values(system.symmetries.size());
    for (int k = 0; k < points && equations.draw(); ++k) {
      vector& at = positions_.emplace_back();
      for (std::size_t i = 0; i < n_; ++i) at.push_back(equations.here().variables[i]);
      vector inputs(at);
      inputs.push_back(equations.here().variables[2 * n_]);
      inputs.insert(inputs.end(), constants.begin(), constants.end());
      const vector moved = evaluate<quad>(declared, symbols, inputs);
      for (std::size_t s = 0; s < values.size(); ++s) {
        values[s].insert(values[s].end(), moved.begin() + static_cast<std::ptrdiff_t>(s * n_),
                         moved.begin() + static_cast<std::ptrdiff_t>((s + 1) * n_));
      }
    }
    for (std::size_t s = 0; s < values.size() && !system.is_forced(); ++s) {
      if (!is_constant(system, system.symmetries[s]) || values[s].empty()) continue;
      const vector along(values[s].begin(), values[s].begin() + static_cast<std::ptrdiff_t>(n_));
      translations_.add(along, largest_of(along));
    }
    for (const vector& one : values) {
      all_.add(one, largest_of(one));
      turning_.add(beside_translations(one), largest_of(one));
    }
  }

  vector values_of(const std::vector<generator_entry>& entries) const {
    vector values(positions_.size() * n_, quad(0));
    for (std::size_t k = 0; k < positions_.size(); ++k) {
      for (const generator_entry& e : entries) {
        values[k * n_ + e.moved] += e.by == n_ ? e.value : quad(e.value * positions_[k][e.by]);
      }
    }
    return values;
  }

  vector beside_translations(const vector& values) const {
    vector result;
    for (auto at = values.begin(); at != values.end(); at += static_cast<std::ptrdiff_t>(n_)) {
      const vector rest = translations_.rest(vector(at, at + static_cast<std::ptrdiff_t>(n_)));
      result.insert(result.end(), rest.begin(), rest.end());
    }
    return result;
  }

  std::size_t n_;
  std::vector<vector> positions_;
  independent_vectors translations_, all_, turning_;
};

constexpr double rough_tolerance = 1e-5;  // of what is not exact, and may come from double

// Whether all of them follow from cyclic coordinates and declared symmetries, which were tested when the model was
// read.
bool all_known(const std::vector<vector>& basis, const lagrangian_system& system, const search_plan& plan,
               variation_equations<quad>& equations) {
  if (system.symmetries.empty()) return false;
  generator_span known(system, equations, {});
  return std::ranges::none_of(basis, [&](const vector& x) {
    return known.add(generator_of(system, plan.directions, x, {}).entries, rough_tolerance);
  });
}

struct made_generators {
  std::vector<symmetry> found = {};
  std::size_t left = 0;    // that are new as well: not written exactly, or too many
  std::size_t untrue = 0;  // that only seemed to be symmetries
};

// Of the generators of a basis those that are new.
made_generators made_from(const std::vector<vector>& basis, const lagrangian_system& system, const search_plan& plan,
                          variation_equations<quad>& equations, generator_proof& proof,
                          std::span<const known_value> known) {
  made_generators made;
  std::vector<exact_generator> generators, unwritten;
  for (const vector& x : basis) {
    exact_generator one = generator_of(system, plan.directions, x, known);
    (one.value.empty() ? unwritten : generators).push_back(std::move(one));
  }
  made.untrue = generators.size();
  proof.keep_true(generators);
  made.untrue -= generators.size();
  // Translations come last in the echelon form, and first among the momenta.
  std::ranges::stable_partition(generators, [&](const exact_generator& g) { return !turns(g.entries, system.size()); });
  generator_span span(system, equations, generators);
  generator_names names(system);
  // With constant masses, A that lead along t translations make up the rotations of as many dimensions: with them
  // nothing may be missing.
  const std::size_t t = span.translations();
  std::size_t along = plan.has_constant_masses ? t * (t - std::min<std::size_t>(t, 1)) / 2 : 0;
  for (exact_generator& g : generators) {
    if (!span.add(g.entries)) {
      if (along > 0 && span.is_along_translations(g.entries)) --along;
      continue;
    }
    if (made.found.size() == most_found) ++made.left;
    else made.found.push_back({names.name_of(g.entries), std::move(g.value), {}});
  }
  if (unwritten.size() <= along) return made;
  for (const exact_generator& g : unwritten) made.left += span.add(g.entries, rough_tolerance) ? 1 : 0;
  return made;
}

}  // namespace

std::string to_text(search_extent extent) {
  switch (extent) {
    case search_extent::affine: return "affine";
    case search_extent::translations: return "translations";
    case search_extent::families: return "families";
    case search_extent::nothing: break;
  }
  return "nothing";
}

std::string limits_of(search_extent extent) {
  const std::string families = "families such as x1, x2, ... and y1, y2, ... are looked for";
  switch (extent) {
    case search_extent::affine: return "";
    case search_extent::translations:
      return "of a system of this size only translations and joint rotations of " + families;
    case search_extent::families:
      return "of a system of this size only joint translations and rotations of " + families;
    case search_extent::nothing: break;
  }
  return "not looked for: the system is too large, or no random point lies in its domain and on its constraints";
}

std::string to_text(momentum_origin origin) {
  switch (origin) {
    case momentum_origin::cyclic: return "cyclic";
    case momentum_origin::declared: return "declared";
    case momentum_origin::invariant: return "invariant";
    case momentum_origin::found: break;
  }
  return "found";
}

namespace {

// `of_momenta`: of a Hamiltonian, whose momenta stand in the place of velocities.
symmetry_search search(const lagrangian_system& system, std::span<const std::size_t> free, bool of_momenta) {
  symmetry_search result;
  if (system.is_first_order() || system.applied_force) return result;
  variation_equations<quad> equations(system, free, of_momenta);
  const search_plan plan = plan_for(system, equations, !free.empty() || of_momenta);
  result.extent = plan.extent;
  if (plan.directions.empty()) return result;
  if (plan.at_rest) equations.set_size(1, 0);
  const variation_solver solver(equations, plan.directions);
  if (!solver.has_points()) result.extent = search_extent::nothing;
  if (!solver.has_points() || solver.solutions() == 0) return result;
  const std::vector<known_value> known = free.empty() ? known_values(system) : std::vector<known_value>{};
  // Mostly what double finds is near simple fractions, which turn out true: then nothing better is needed.
  const std::vector<vector> rough = solver.rough();
  if (all_known(rough, system, plan, equations)) return result;
  generator_proof proof(system, free, equations, plan.at_rest, of_momenta);
  made_generators made = made_from(rough, system, plan, equations, proof, {});
  if (made.left > 0 || made.untrue > 0) made = made_from(solver.refined(), system, plan, equations, proof, known);
  result.found = std::move(made.found);
  result.untracked = made.left;
  return result;
}

}  // namespace

// Of the directions those along which L stays where recursive definitions are written out: one sum each, of the size of
// the definitions.
static std::vector<direction> symmetries_written_out(const lagrangian_system& given, std::vector<direction> tried) {
  std::erase_if(tried, [&](const direction& along) {
    return std::ranges::any_of(along,
                               [&](const motion& m) { return !given.forces.empty() && !given.forces[m.i].is_zero(); });
  });
  if (tried.empty()) return tried;
  lagrangian_system system = given;
  write_out_recursions(system);
  const std::vector<expr> v = system.velocities(), L_q = gradient(system.lagrangian, system.coordinates),
                          L_v = gradient(system.lagrangian, v);
  std::vector<vanishing_sum> variations;
  for (const direction& along : tried) {
    vanishing_sum& variation = variations.emplace_back(std::vector<expr>{}, std::vector<expr>{system.lagrangian});
    for (const motion& m : along) {
      const bool turns = m.j < system.size();
      variation.terms.push_back(L_q[m.i] * m.exact * (turns ? system.coordinates[m.j] : expr(1)));
      if (turns) variation.terms.push_back(L_v[m.i] * m.exact * v[m.j]);
    }
  }
  const auto changes = find_nonzero_sums(system, variations);
  std::vector<direction> found;
  for (std::size_t k = 0; k < tried.size(); ++k) {
    if (!changes[k]) found.push_back(std::move(tried[k]));
  }
  return found;
}

// Of a system that is made of elements; each once, a rotation and its reverse being one.
static symmetry_search search_elements(const lagrangian_system& system) {
  symmetry_search result{.extent = search_extent::families};
  const std::size_t n = system.size();
  std::vector<direction> tried = family_directions(system);
  std::erase_if(tried, [&](const direction& along) {
    return along.size() < 2 || along.front().i == along.front().j ||
           (along.front().j < n && along.front().j < along.front().i);
  });
  for (direction& along : tried) {  // a turn moves both partners
    const std::size_t size = along.size();
    for (std::size_t k = 0; k < size && along[k].j < n; ++k) along.push_back({along[k].j, along[k].i, 1, 1});
  }
  generator_names names(system);
  std::vector<direction> found =
      system.recursions ? symmetries_written_out(system, tried) : symmetries_of_elements(system, tried);
  std::ranges::stable_sort(found, {}, [&](const direction& along) { return along.front().j < n; });
  for (const direction& along : found) {
    symmetry one{"", std::vector<expr>(n, expr(0)), {}};
    std::vector<generator_entry> entries;
    for (const motion& m : along) {
      one.generator[m.i] = m.j == n ? m.exact : m.exact * system.coordinates[m.j];
      entries.push_back({m.i, m.j, m.factor});
    }
    one.name = names.name_of(entries);
    if (result.found.size() == most_found) ++result.untracked;
    else result.found.push_back(std::move(one));
  }
  return result;
}

symmetry_search find_affine_symmetries(const lagrangian_system& system, std::span<const std::size_t> free) {
  if (system.is_first_order()) return {};
  // Element by element less is found: only where the search in all of L would take long.
  constexpr std::size_t most_searched = 200;
  if (system.sums || system.recursions || (is_made_of_elements(system) && system.size() > most_searched))
    return search_elements(system);
  if (!system.is_hamiltonian()) return search(system, free, false);
  return is_smooth(system) ? search(with_momenta_as_velocities(system), free, true) : symmetry_search{};
}

namespace {

// Everything that the search looks at, in one row.
std::vector<expr> description_of(const lagrangian_system& system) {
  std::vector<expr> row{system.lagrangian, system.hamiltonian ? *system.hamiltonian : expr(0)};
  const auto add = [&](const std::vector<expr>& part) {
    row.emplace_back(static_cast<long long>(part.size()));
    row.insert(row.end(), part.begin(), part.end());
  };
  add(system.coordinates);
  add(system.forces);
  for (const auto* part : {&system.parameters, &system.constraints, &system.observables, &system.definitions}) {
    row.emplace_back(static_cast<long long>(part->size()));
    for (const named_expr& e : *part) {
      row.push_back(expr::symbol(e.name));
      row.push_back(e.value);
    }
  }
  for (const symmetry& s : system.symmetries) {
    row.push_back(expr::symbol(s.name));
    add(s.generator);
  }
  return row;
}

// The last results: a run asks for them in several places.
class remembered_searches {
 public:
  std::optional<symmetry_search> of(const std::vector<expr>& description) {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, result] : kept_) {
      if (known == description) return result;
    }
    return std::nullopt;
  }
  void keep(std::vector<expr> description, const symmetry_search& result) {
    const std::lock_guard lock(mutex_);
    if (kept_.size() == most_kept) kept_.erase(kept_.begin());
    kept_.emplace_back(std::move(description), result);
  }

 private:
  static constexpr std::size_t most_kept = 64;
  std::mutex mutex_;
  std::vector<std::pair<std::vector<expr>, symmetry_search>> kept_;
};

}  // namespace

symmetry_search affine_symmetries(const lagrangian_system& system) {
  if (system.is_first_order() || system.applied_force) return {};
  if (system.sums || system.recursions) return find_affine_symmetries(system);
  static remembered_searches& searches = *new remembered_searches;
  std::vector<expr> description = description_of(system);
  if (auto known = searches.of(description)) return std::move(*known);
  const symmetry_search result = find_affine_symmetries(system);
  searches.keep(std::move(description), result);
  return result;
}

std::vector<symmetry> all_symmetries(const lagrangian_system& system) {
  std::vector<symmetry> all = system.symmetries;
  const std::vector<symmetry> found = system.found ? *system.found : affine_symmetries(system).found;
  all.insert(all.end(), found.begin(), found.end());
  return all;
}

}  // namespace actio
