#include "actio/mechanics/generator_directions.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/indices.hpp"
#include "actio/mechanics/exact_value.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

namespace {

constexpr std::size_t most_translations = 64;  // coordinates whose translations are looked for one by one
constexpr double most_work = 1e8;              // multiplications in double, or their worth

// Where L = ½ Σ m_i v_i² − V(q, t) with constant masses: these.
std::optional<std::vector<expr>> constant_masses(const lagrangian_system& system) {
  const std::vector<expr> v = system.velocities(), parameters = system.parameter_symbols();
  const std::vector<expr> P = gradient(system.lagrangian, v);
  std::vector<expr> masses;
  expr_map<expr> rest;
  for (const expr& one : v) rest.emplace(one, expr(0));
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto is_strange = [&](const expr& s) {
      return !(s == v[i]) && std::ranges::find(parameters, s) == parameters.end();
    };
    if (std::ranges::any_of(symbols_in(std::span(&P[i], 1)), is_strange)) return std::nullopt;
    masses.push_back(derivative(P[i], v[i]));
    if (depends_on(masses.back(), v[i]) || !substitute(P[i], rest).is_zero()) return std::nullopt;
  }
  return masses;
}

void add_translations(const lagrangian_system& system, std::vector<direction>& directions) {
  const std::vector<std::size_t> cyclic = system.cyclic_coordinates();  // known already
  for (std::size_t i = 0; i < system.size(); ++i) {
    if (std::ranges::find(cyclic, i) == cyclic.end()) directions.push_back({{i, system.size()}});
  }
}

// m_i A_ij + m_j A_ji = 0 where masses are constant: half as many unknowns.
search_plan affine_plan(const lagrangian_system& system, bool free_parameters) {
  const std::size_t n = system.size();
  search_plan plan{{}, search_extent::affine};
  const auto masses = free_parameters ? std::nullopt : constant_masses(system);
  std::vector<quad> values;
  if (masses) values = evaluate<quad>(*masses, system.parameter_symbols(), parameter_values<quad>(system));
  if (masses && std::ranges::all_of(values, [](const quad& m) { return m != 0 && is_finite(m); })) {
    plan.has_constant_masses = true;
    plan.at_rest = !system.is_forced();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        const quad ratio = values[i] / values[j];
        const std::optional<expr> number = exact_value(ratio, {});
        plan.directions.push_back({{i, j, -1, -1}, {j, i, ratio, number ? *number : (*masses)[i] / (*masses)[j]}});
      }
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) plan.directions.push_back({{i, j, i < j ? -1 : 1, i < j ? -1 : 1}});
    }
  }
  add_translations(system, plan.directions);
  return plan;
}

// Coordinates whose names differ in their digits alone, by these digits: x1, x2 → "x": {"1": 0, "2": 3}.
std::map<std::string, std::map<std::string, std::size_t>> families_of(const lagrangian_system& system) {
  std::map<std::string, std::map<std::string, std::size_t>> families;
  for (std::size_t i = 0; i < system.size(); ++i) {
    std::string stem, digits;
    for (const char c : system.coordinates[i].name()) {
      const bool counts = std::isdigit(static_cast<unsigned char>(c)) != 0;
      (counts ? digits : stem) += c;
      if (!counts) digits += ' ';
    }
    families[stem][digits] = i;
  }
  return families;
}

std::vector<direction> family_directions(const lagrangian_system& system, bool each_translation) {
  const std::size_t n = system.size();
  std::vector<direction> turns, translations;
  const auto families = families_of(system);
  for (const auto& [stem, members] : families) {
    direction along;
    for (const auto& [digits, i] : members) along.push_back({i, n});
    translations.push_back(along);
    for (const auto& [other, partners] : families) {
      direction turn;
      for (const auto& [digits, i] : members) {
        const auto j = partners.find(digits);
        if (j != partners.end()) turn.push_back({i, j->second, i < j->second ? -1 : 1, i < j->second ? -1 : 1});
      }
      if (turn.size() == members.size()) turns.push_back(turn);
    }
  }
  if (each_translation) add_translations(system, turns);
  else turns.insert(turns.end(), translations.begin(), translations.end());
  return turns;
}

}  // namespace

search_plan plan_for(const lagrangian_system& system, const variation_equations<quad>& equations,
                     bool has_free_parameters) {
  constexpr double cost_of_operation = 60;  // in quad
  const auto is_cheap = [&](std::size_t unknowns) {
    const double N = static_cast<double>(unknowns), rows = static_cast<double>(equations.equations());
    return N * N * N / 2 +
               (N + 20) * (static_cast<double>(equations.operations()) * cost_of_operation + rows * N * 20) <
           most_work;
  };
  const std::size_t n = system.size();
  if (is_cheap(n * (n + 1) / 2)) {
    search_plan plan = affine_plan(system, has_free_parameters);
    if (is_cheap(plan.directions.size())) return plan;
  }
  if (n <= most_translations) {
    std::vector<direction> directions = family_directions(system, true);
    if (is_cheap(directions.size())) return {std::move(directions), search_extent::translations};
  }
  std::vector<direction> directions = family_directions(system, false);
  if (is_cheap(directions.size())) return {std::move(directions), search_extent::families};
  return {};
}

// Of whole arrays, where coordinates are nothing else: all members alike, or each turning with the one of another array
// that has the same indices.
std::vector<direction> family_directions(const lagrangian_system& system) {
  const std::vector<std::string> names = system.coordinate_names();
  const std::vector<name_block> blocks = blocks_of_names(names);
  if (!std::ranges::all_of(blocks, &name_block::is_array)) return family_directions(system, false);
  const auto first_indices = [&](const name_block& b) { return parts_of_member(names[b.first]).indices; };
  std::vector<direction> turns, translations;
  for (const name_block& a : blocks) {
    direction along;
    for (std::size_t i = a.first; i < a.first + a.count; ++i) along.push_back({i, system.size()});
    translations.push_back(std::move(along));
    for (const name_block& b : blocks) {
      if (&a == &b || a.extents != b.extents || first_indices(a) != first_indices(b)) continue;
      const int factor = a.first < b.first ? -1 : 1;
      direction turn;
      for (std::size_t k = 0; k < a.count; ++k) turn.push_back({a.first + k, b.first + k, factor, factor});
      turns.push_back(std::move(turn));
    }
  }
  turns.insert(turns.end(), std::make_move_iterator(translations.begin()), std::make_move_iterator(translations.end()));
  return turns;
}

}  // namespace actio
