#include "actio/mechanics/recursions.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "actio/expr/derivative.hpp"
#include "actio/expr/parse.hpp"
#include "actio/expr/written_form.hpp"

namespace actio {

bool is_worth_keeping(std::size_t coordinates) {
  constexpr std::size_t fewest = 13;
  return coordinates >= fewest;
}

std::vector<std::string> recursive_names(std::span<const defining_text> texts) {
  std::unordered_map<std::string, std::unordered_set<std::string>> uses;
  for (const defining_text& t : texts) {
    std::unordered_set<std::string>& used = uses[t.base];
    try {
      for (const parsed_name& word : names_in(t.text)) used.insert(word.name);
    } catch (const input_error&) {  // it is reported where the text is read
    }
  }
  std::vector<std::string> recursive;
  for (const auto& [name, used] : uses) {
    std::unordered_set<std::string> reached;
    std::vector<std::string> left(used.begin(), used.end());
    while (!left.empty()) {
      const std::string next = std::move(left.back());
      left.pop_back();
      const auto known = uses.find(next);
      if (known == uses.end() || !reached.insert(next).second) continue;
      left.insert(left.end(), known->second.begin(), known->second.end());
    }
    if (reached.contains(name)) recursive.push_back(name);
  }
  return recursive;
}

std::optional<std::uint32_t> stage_of(const expr& value, const expr_map<std::uint32_t>& stages) {
  constexpr std::uint32_t most_stages = 16;
  std::vector<expr> used;
  std::uint32_t stage = 0;
  for (const expr& s : symbols_in(std::span(&value, 1))) {
    if (s.name().ends_with('\'') || s.name().starts_with("p_")) return std::nullopt;
    const auto found = stages.find(s);
    if (found == stages.end() || found->second < stage) continue;
    if (found->second > stage) used.clear();
    stage = found->second;
    used.push_back(s);
  }
  const std::vector<expr> slopes = gradient(value, used);
  if (std::ranges::any_of(slopes, [&](const expr& slope) { return depends_on_any(slope, used); })) ++stage;
  return stage < most_stages ? std::optional(stage) : std::nullopt;
}

std::vector<expr> places_of(const lagrangian_system& system) {
  std::vector<expr> places = system.coordinates;
  if (system.recursions) {
    places.insert(places.end(), system.recursions->symbols.begin(), system.recursions->symbols.end());
  }
  return places;
}

void write_out_recursions(lagrangian_system& system) {
  if (!system.recursions) return;
  write_out_sums(system);
  const auto [symbols, values] = *system.recursions;
  const coordinate_index index(system.coordinates);
  expr_map<expr> written;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    std::vector<std::pair<expr, expr>> rates;
    for (const expr& s : symbols_in(std::span(&values[i], 1))) {
      if (s == time_symbol()) rates.emplace_back(s, expr(1));
      else if (written.contains(s) || index.position(s)) rates.emplace_back(s, velocity_symbol(s));
    }
    const expr rate = substitute(total_derivative(values[i], rates), written);
    written.insert_or_assign(symbols[i], substitute(values[i], written));
    written.insert_or_assign(velocity_symbol(symbols[i]), rate);
  }
  system.lagrangian = substitute(system.lagrangian, written);
  system.forces = substitute(system.forces, written);
  for (named_expr& o : system.observables) o.value = substitute(o.value, written);
  system.recursions.reset();
}

namespace {

// The rate of a body along slots.
expr rate_of(const element_family& family) {
  expr sum = derivative(family.body, time_symbol());
  const std::vector<expr> slopes = gradient(family.body, family.positions);
  for (std::size_t k = 0; k < slopes.size(); ++k) sum += slopes[k] * family.velocities[k];
  return sum;
}

template <class Value>
std::vector<Value> chosen(const std::vector<Value>& column, std::span<const std::size_t> elements) {
  std::vector<Value> result;
  for (std::size_t k = 0; k < elements.size() && !column.empty(); ++k) result.push_back(column[elements[k]]);
  return result;
}

// Families whose elements have places that are `own` in the same slots.
std::vector<element_family> split(const element_family& family, const std::function<bool(std::uint32_t)>& own) {
  std::map<std::vector<bool>, std::vector<std::size_t>> alike;
  for (std::size_t e = 0; e < family.elements; ++e) {
    std::vector<bool> slots;
    for (const auto& column : family.coordinates) slots.push_back(own(column[e]));
    alike[std::move(slots)].push_back(e);
  }
  if (alike.size() <= 1) return {family};
  std::vector<element_family> parts;
  for (const auto& [slots, elements] : alike) {
    element_family& part = parts.emplace_back(family);
    part.elements = elements.size();
    for (auto& column : part.coordinates) column = chosen(column, elements);
    for (element_values& v : part.values) {
      v = {chosen(v.numbers, elements), chosen(v.parameters, elements), chosen(v.whole, elements)};
    }
    part.targets = chosen(part.targets, elements);
    find_runs(part);
  }
  return parts;
}

}  // namespace

recursion_families::recursion_families(const lagrangian_system& system)
    : coordinates(system.size()), definitions(system.recursions->symbols.size()) {
  const auto n = static_cast<std::uint32_t>(coordinates), m = static_cast<std::uint32_t>(definitions);
  const element_symbols symbols(system);
  expr_map<std::uint32_t> known;
  std::vector<std::uint32_t> stage_of_row;
  std::vector<std::vector<element_term>> terms;
  for (std::uint32_t i = 0; i < m; ++i) {
    const std::uint32_t at = stage_of_row.emplace_back(*stage_of(system.recursions->values[i], known));
    known.emplace(system.recursions->symbols[i], at);
    if (at >= stages.size()) stages.resize(at + 1), terms.resize(at + 1);
    stages[at].rows.push_back(i);
    const std::vector<element_term> more = terms_of_sum(system.recursions->values[i], symbols, i);
    terms[at].insert(terms[at].end(), more.begin(), more.end());
  }
  const auto is_of = [&](std::size_t stage, std::uint32_t place) {
    return place >= n && stage_of_row[place - n] == stage;
  };
  std::vector<std::size_t> stage_of_family;
  for (std::size_t at = 0; at < stages.size(); ++at) {
    for (const element_family& family : families_of(terms[at], symbols)) {
      std::ranges::move(split(family, [&](std::uint32_t place) { return is_of(at, place); }),
                        std::back_inserter(value));
    }
    stage_of_family.resize(value.size(), at);
  }
  std::vector<std::uint64_t> keys;
  const auto key = [](std::uint64_t row, std::uint64_t place) { return row << 32 | place; };
  for (const element_family& family : value) {
    for (const auto& places : family.coordinates) {
      for (std::size_t e = 0; e < family.elements; ++e) keys.push_back(key(family.targets[e], places[e]));
    }
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  first.assign(m + 1, 0);
  for (const std::uint64_t k : keys) {
    column.push_back(static_cast<std::uint32_t>(k));
    own.push_back(is_of(stage_of_row[k >> 32], column.back()));
    ++first[(k >> 32) + 1];
  }
  for (std::size_t i = 0; i < m; ++i) first[i + 1] += first[i];
  for (const element_family& family : value) {
    element_family& with = adjoint.emplace_back(family);
    with.positions.push_back(local_symbol("#", family.slots()));
    with.velocities.push_back(velocity_symbol(with.positions.back()));
    with.coordinates.emplace_back();
    for (const std::uint32_t i : family.targets) with.coordinates.back().push_back(n + m + i);
    with.body = with.positions.back() * family.body + with.velocities.back() * rate_of(family);
    find_runs(with);
  }
  const auto entries_at = [&](const element_family& family, std::size_t k) {
    std::vector<std::uint32_t> listed;
    for (std::size_t e = 0; e < family.elements; ++e) {
      const auto at = std::ranges::lower_bound(keys, key(family.targets[e], family.coordinates[k][e]));
      listed.push_back(static_cast<std::uint32_t>(at - keys.begin()));
    }
    return listed;
  };
  for (std::size_t f = 0; f < value.size(); ++f) {
    const element_family &family = value[f], &with = adjoint[f];
    element_request early{&family, {}}, late{&family, {}}, of_bend{&with, {}}, of_turn{&family, {}};
    std::vector<expr> kept;  // slots of x of this stage
    expr_map<expr> nothing;
    for (std::size_t k = 0; k < family.slots(); ++k) {
      if (!is_of(stage_of_family[f], family.coordinates[k].front())) continue;
      kept.push_back(family.positions[k]);
      nothing.emplace(family.positions[k], expr(0));
    }
    const auto ask = [&](const expr& of, element_output output) {
      if (of.is_zero()) return;
      output.value = of;
      (depends_on_any(of, kept) ? late : early).outputs.push_back(output);
    };
    const auto add_listed = [](element_request& request, std::vector<std::uint32_t> listed) {
      request.listed.push_back(std::move(listed));
      return static_cast<std::uint32_t>(request.listed.size() - 1);
    };
    const expr rate = rate_of(family), moved = with.velocities.back() * rate;
    const std::vector<expr> slopes = gradient(family.body, family.positions), turns = gradient(rate, family.positions),
                            bends = gradient(moved, family.positions);
    ask(substitute(family.body, nothing), {{}, value_array, element_place::target});
    ask(derivative(family.body, time_symbol()), {{}, rate_array, element_place::target});
    for (std::uint32_t k = 0; k < family.slots(); ++k) {
      element_request& request = depends_on_any(slopes[k], kept) ? late : early;
      if (!slopes[k].is_zero()) {
        request.outputs.push_back(
            {slopes[k], slope_array, element_place::listed, add_listed(request, entries_at(family, k))});
      }
      if (!bends[k].is_zero()) of_bend.outputs.push_back({bends[k], force_array, element_place::slot, k});
      if (turns[k].is_zero()) continue;
      of_turn.outputs.push_back(
          {turns[k], slope_array, element_place::listed, add_listed(of_turn, entries_at(family, k))});
    }
    of_bend.outputs.push_back({-derivative(moved, time_symbol()), power_array, element_place::whole});
    stages[stage_of_family[f]].before.push_back(std::move(early));
    behind.push_back(std::move(late));
    bend.push_back(std::move(of_bend));
    turn.push_back(std::move(of_turn));
  }
}

const recursion_families& recursion_families_of(const system_code& code) {
  return *code.piece<recursion_families>("", [&] { return recursion_families(code.system()); });
}

}  // namespace actio
