#include "actio/mechanics/element_families.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "actio/mechanics/recursions.hpp"

namespace actio {

expr local_symbol(const char* kind, std::size_t k) { return expr::symbol(kind + std::to_string(k)); }

namespace {

bool is_sum(const expr& e) { return e.op() == operation::add || e.op() == operation::subtract; }

// Whether a sum has so many terms that a factor before it is worth carrying into them.
bool is_long_sum(const expr& e) {
  constexpr std::size_t many = 16;
  if (!is_sum(e)) return false;
  std::vector<const expr*> left{&e};
  std::size_t terms = 0;
  while (!left.empty() && terms <= many) {
    const expr& next = *left.back();
    left.pop_back();
    if (is_sum(next)) left.insert(left.end(), {&next.operands()[0], &next.operands()[1]});
    else ++terms;
  }
  return terms > many;
}

// References to parts of a term, as they stand in its key.
enum class part : std::uint32_t { node, position, velocity, time, pi, number, parameter, exact };
constexpr std::uint32_t reference(part what, std::size_t number) {
  return static_cast<std::uint32_t>(what) << 28 | static_cast<std::uint32_t>(number);
}
part kind_of(std::uint32_t reference) { return static_cast<part>(reference >> 28); }
std::size_t number_of(std::uint32_t reference) { return reference & 0x0fff'ffff; }

// What a term is but for names and values: for each inner node its operation and operands, then what it is itself.
using shape_key = std::vector<std::uint32_t>;
struct shape_hash {
  std::size_t operator()(const shape_key& key) const {
    std::uint64_t hash = 1469598103934665603ULL;
    for (const std::uint32_t word : key) hash = (hash ^ word) * 1099511628211ULL;
    return hash ^ (hash >> 29);
  }
};

// The places of the nodes of one term; many terms are read one after the other.
class node_places {
 public:
  void clear() {
    if (++age_ == 0) slots_.assign(slots_.size(), {}), age_ = 1;
    size_ = 0;
  }
  std::optional<std::uint32_t> find(const void* id) const {
    const slot& s = slots_[index_of(id)];
    return s.age == age_ ? std::optional(s.place) : std::nullopt;
  }
  void insert(const void* id, std::uint32_t place) {
    if (2 * ++size_ > slots_.size()) grow();
    slots_[index_of(id)] = {id, place, age_};
  }

 private:
  struct slot {
    const void* id = nullptr;
    std::uint32_t place = 0, age = 0;
  };
  std::size_t index_of(const void* id) const {
    const auto bits = reinterpret_cast<std::uintptr_t>(id) * 0x9e3779b97f4a7c15ULL;
    std::size_t k = (bits >> 32) & (slots_.size() - 1);
    while (slots_[k].age == age_ && slots_[k].id != id) k = (k + 1) & (slots_.size() - 1);
    return k;
  }
  void grow() {
    std::vector<slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const slot& s : old) {
      if (s.age == age_) slots_[index_of(s.id)] = s;
    }
  }

  std::vector<slot> slots_ = std::vector<slot>(256);
  std::uint32_t age_ = 1;
  std::size_t size_ = 0;
};

// Whether an operand is part of what an operation is: an exponent, an order, a table of samples.
bool is_structural(operation op, std::size_t operand) {
  return (op == operation::power && operand == 1) || ((op == operation::jn || op == operation::lookup) && operand == 0);
}

class shape_reader {
 public:
  explicit shape_reader(const element_symbols& symbols) : symbols_(symbols) {}

  shape_key key;
  std::vector<std::uint32_t> coordinates;  // by slots
  std::vector<expr> numbers;               // in the order of their use, as are
  std::vector<std::uint32_t> parameters;   // these
  std::vector<expr> exact;                 // structural operands, kept as they are

  void read(const expr& term) {
    key.clear(), coordinates.clear(), numbers.clear(), parameters.clear(), exact.clear();
    places_.clear();
    std::uint32_t nodes = 0;
    stack_.assign(1, {&term, false});
    while (!stack_.empty()) {
      auto [e, is_open] = stack_.back();
      const std::size_t count = e->operands().size();
      if (count == 0 || places_.find(e->id())) {
        stack_.pop_back();
        continue;
      }
      if (!is_open) {
        stack_.back().second = true;
        for (std::size_t k = count; k-- > 0;) {
          if (!is_structural(e->op(), k)) stack_.push_back({&e->operands()[k], false});
        }
        continue;
      }
      stack_.pop_back();
      key.push_back(static_cast<std::uint32_t>(e->op()));
      for (std::size_t k = 0; k < count; ++k) add_operand(e->operands()[k], is_structural(e->op(), k));
      places_.insert(e->id(), nodes++);
    }
    add_operand(term, false);
  }

 private:
  void add_operand(const expr& e, bool is_kept) {
    if (is_kept) {
      const auto id = reinterpret_cast<std::uintptr_t>(e.id());
      key.push_back(reference(part::exact, exact.size()));
      key.push_back(static_cast<std::uint32_t>(id));
      key.push_back(static_cast<std::uint32_t>(id >> 32));
      exact.push_back(e);
      return;
    }
    if (!e.operands().empty()) return key.push_back(reference(part::node, *places_.find(e.id())));
    if (e.op() == operation::pi) return key.push_back(reference(part::pi, 0));
    if (e.is_number()) {
      key.push_back(reference(part::number, numbers.size()));
      numbers.push_back(e);
      return;
    }
    const auto found = symbols_.find(e);
    if (!found) return key.push_back(reference(part::time, 0));
    if (found->is == element_symbols::role::parameter) {
      key.push_back(reference(part::parameter, parameters.size()));
      parameters.push_back(found->number);
      return;
    }
    const auto at = std::ranges::find(coordinates, found->number);
    const auto slot = static_cast<std::size_t>(at - coordinates.begin());
    if (at == coordinates.end()) coordinates.push_back(found->number);
    key.push_back(reference(found->is == element_symbols::role::position ? part::position : part::velocity, slot));
  }

  const element_symbols& symbols_;
  node_places places_;
  std::vector<std::pair<const expr*, bool>> stack_;
};

// All terms of one shape.
struct shape_group {
  const shape_key* key;
  std::vector<expr> exact;
  std::vector<std::vector<std::uint32_t>> coordinates, parameters;
  std::vector<std::vector<expr>> numbers;
  std::vector<std::uint32_t> targets;
};

template <class Value>
void add_row(std::vector<std::vector<Value>>& columns, const std::vector<Value>& row) {
  columns.resize(row.size());
  for (std::size_t k = 0; k < row.size(); ++k) columns[k].push_back(row[k]);
}

template <class Value>
bool is_constant(const std::vector<Value>& column) {
  return std::ranges::all_of(column, [&](const Value& x) { return x == column.front(); });
}

class family_maker {
 public:
  family_maker(shape_group group, std::span<const expr> parameter_symbols)
      : group_(std::move(group)), parameters_(parameter_symbols) {
    family_.elements = group_.targets.size();
    family_.targets = std::move(group_.targets);
    for (std::size_t k = 0; k < group_.coordinates.size(); ++k) {
      family_.positions.push_back(local_symbol("#", k));
      family_.velocities.push_back(velocity_symbol(family_.positions.back()));
    }
    family_.coordinates = std::move(group_.coordinates);
    for (auto& column : group_.numbers) {
      const expr first = column.front();
      numbers_.push_back(is_constant(column) ? first : value_symbol({.numbers = std::move(column)}));
    }
    for (auto& column : group_.parameters) {
      const expr first = parameters_[column.front()];
      used_.push_back(is_constant(column) ? first : value_symbol({.parameters = std::move(column)}));
    }
  }

  element_family make() {
    std::vector<expr> nodes;
    const shape_key& key = *group_.key;
    std::size_t at = 0;
    while (at + 1 < key.size()) {
      const auto op = static_cast<operation>(key[at++]);
      std::vector<expr> operands;
      for (int k = 0; k < operand_count(op); ++k) operands.push_back(operand(key, at, nodes));
      nodes.push_back(expr::make(op, operands));
    }
    family_.body = operand(key, at, nodes);
    return std::move(family_);
  }

 private:
  expr operand(const shape_key& key, std::size_t& at, const std::vector<expr>& nodes) const {
    const std::uint32_t word = key[at++];
    const std::size_t k = number_of(word);
    switch (kind_of(word)) {
      case part::node: return nodes[k];
      case part::position: return family_.positions[k];
      case part::velocity: return family_.velocities[k];
      case part::time: return time_symbol();
      case part::pi: return expr::pi();
      case part::number: return numbers_[k];
      case part::parameter: return used_[k];
      case part::exact: break;
    }
    at += 2;
    return group_.exact[k];
  }

  // The symbol of a column of values; equal columns are one.
  expr value_symbol(element_values column) {
    for (std::size_t k = 0; k < family_.values.size(); ++k) {
      if (family_.values[k] == column) return family_.symbols[k];
    }
    family_.values.push_back(std::move(column));
    family_.symbols.push_back(local_symbol("@", family_.symbols.size()));
    return family_.symbols.back();
  }

  shape_group group_;
  std::span<const expr> parameters_;
  element_family family_;
  std::vector<expr> numbers_, used_;
};

std::uint64_t beginning_of(const element_family& family) {
  std::uint32_t least = 0xffff'ffff;
  for (const auto& column : family.coordinates) least = std::min(least, column.front());
  return (std::uint64_t{family.elements} << 32) + least;
}

// The slot of `into` for each slot of `from`, where both have the same elements and the first has all coordinates of
// the second.
std::optional<std::vector<std::size_t>> slots_in(const element_family& into, const element_family& from) {
  if (into.elements != from.elements || into.targets != from.targets) return std::nullopt;
  std::vector<std::size_t> slots;
  for (const auto& column : from.coordinates) {
    const auto same = std::ranges::find(into.coordinates, column);
    if (same == into.coordinates.end()) return std::nullopt;
    slots.push_back(static_cast<std::size_t>(same - into.coordinates.begin()));
  }
  return slots;
}

void join(element_family& into, element_family& from, const std::vector<std::size_t>& slots) {
  expr_map<expr> names;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    names.emplace(from.positions[k], into.positions[slots[k]]);
    names.emplace(from.velocities[k], into.velocities[slots[k]]);
  }
  for (std::size_t k = 0; k < from.symbols.size(); ++k) {
    const auto same = std::ranges::find(into.values, from.values[k]);
    if (same != into.values.end()) {
      names.emplace(from.symbols[k], into.symbols[static_cast<std::size_t>(same - into.values.begin())]);
      continue;
    }
    into.symbols.push_back(local_symbol("@", into.symbols.size()));
    into.values.push_back(std::move(from.values[k]));
    names.emplace(from.symbols[k], into.symbols.back());
  }
  into.body += substitute(from.body, names);
}

}  // namespace

expr element_values::value_of(std::size_t e, std::span<const expr> symbols) const {
  if (!whole.empty()) return expr(static_cast<long long>(whole[e]));
  return numbers.empty() ? symbols[parameters[e]] : numbers[e];
}

expr element_family::value_of(std::size_t e, std::span<const expr> parameters) const {
  expr_map<expr> names;
  for (std::size_t k = 0; k < symbols.size(); ++k) names.emplace(symbols[k], values[k].value_of(e, parameters));
  return substitute(body, names);
}

element_symbols::element_symbols(const lagrangian_system& system) : places_(places_of(system)), index_(places_) {
  for (const named_expr& p : system.parameters) {
    const auto k = static_cast<std::uint32_t>(parameters_.size());
    parameters_.push_back(expr::symbol(p.name));
    parameter_numbers_.emplace(parameters_.back(), k);
  }
}

std::optional<element_symbols::meaning> element_symbols::find(const expr& symbol) const {
  if (const auto found = parameter_numbers_.find(symbol); found != parameter_numbers_.end()) {
    return meaning{role::parameter, found->second};
  }
  const auto found = index_.find(symbol);
  if (!found) return std::nullopt;
  switch (found->role) {
    case coordinate_role::position: return meaning{role::position, found->number};
    case coordinate_role::velocity: return meaning{role::velocity, found->number};
    case coordinate_role::momentum:
      if (has_momenta_) return meaning{role::position, static_cast<std::uint32_t>(places_.size()) + found->number};
      break;
    case coordinate_role::acceleration: break;
  }
  return std::nullopt;
}

bool element_symbols::is_fixed(const expr& e) const {
  const std::vector<expr> symbols = symbols_in(std::span(&e, 1));
  return std::ranges::all_of(symbols, [&](const expr& s) {
    const auto found = find(s);
    return found && found->is == role::parameter;
  });
}

std::vector<element_term> terms_of_sum(const expr& sum, const element_symbols& symbols, std::uint32_t target) {
  std::vector<element_term> terms;
  std::vector<std::pair<expr, expr>> left{{sum, expr(1)}};  // with their factors
  while (!left.empty()) {
    const auto [e, factor] = std::move(left.back());
    left.pop_back();
    if (is_sum(e)) {
      left.emplace_back(e.operands()[1], e.op() == operation::add ? factor : -factor);
      left.emplace_back(e.operands()[0], factor);
    } else if (e.op() == operation::negate) {
      left.emplace_back(e.operands()[0], -factor);
    } else if (e.op() == operation::multiply && is_long_sum(e.operands()[1]) && symbols.is_fixed(e.operands()[0])) {
      left.emplace_back(e.operands()[1], factor * e.operands()[0]);
    } else if (e.op() == operation::multiply && is_long_sum(e.operands()[0]) && symbols.is_fixed(e.operands()[1])) {
      left.emplace_back(e.operands()[0], factor * e.operands()[1]);
    } else if (e.op() == operation::divide && is_long_sum(e.operands()[0]) && symbols.is_fixed(e.operands()[1])) {
      left.emplace_back(e.operands()[0], factor / e.operands()[1]);
    } else if (!e.is_zero()) {
      terms.push_back({factor.is_one() ? e : factor * e, target});
    }
  }
  return terms;
}

namespace {

// Families of equal tables are one.
class joined_families {
 public:
  void add(element_family made) {
    std::vector<std::size_t>& candidates = alike_[beginning_of(made)];
    const auto takes = [&](std::size_t which) {
      element_family& other = families_[which];
      if (const auto slots = slots_in(other, made)) {
        join(other, made, *slots);
        return true;
      }
      if (const auto slots = slots_in(made, other)) {
        join(made, other, *slots);
        other = std::move(made);
        return true;
      }
      return false;
    };
    if (std::ranges::any_of(candidates, takes)) return;
    candidates.push_back(families_.size());
    families_.push_back(std::move(made));
  }
  std::vector<element_family> take() {
    for (element_family& family : families_) find_runs(family);
    return std::move(families_);
  }

 private:
  std::vector<element_family> families_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> alike_;  // with as many elements, beginning alike
};

}  // namespace

std::vector<element_family> joined(const std::vector<element_family>& sums, std::vector<element_family> others) {
  joined_families all;
  for (const element_family& family : sums) all.add(family);
  for (element_family& family : others) all.add(std::move(family));
  return all.take();
}

std::vector<element_family> families_of(std::span<const element_term> terms, const element_symbols& symbols) {
  std::unordered_map<shape_key, std::size_t, shape_hash> known;
  std::vector<shape_group> groups;
  shape_reader reader(symbols);
  for (const element_term& term : terms) {
    reader.read(term.value);
    const auto [at, is_new] = known.try_emplace(reader.key, groups.size());
    if (is_new) groups.push_back({&at->first, reader.exact, {}, {}, {}, {}});
    shape_group& group = groups[at->second];
    add_row(group.coordinates, reader.coordinates);
    add_row(group.parameters, reader.parameters);
    add_row(group.numbers, reader.numbers);
    group.targets.push_back(term.target);
  }
  joined_families families;
  for (shape_group& group : groups) families.add(family_maker(std::move(group), symbols.parameters()).make());
  return families.take();
}

void find_runs(element_family& family) {
  constexpr std::size_t shortest = 8;
  const std::size_t columns = family.slots() + 1;
  const auto at = [&](std::size_t k, std::size_t e) -> std::uint32_t {
    return k < family.slots() ? family.coordinates[k][e] : family.targets[e];
  };
  family.runs.clear();
  const auto add_uneven = [&](std::size_t first, std::size_t count) {
    if (!family.runs.empty() && !family.runs.back().even) family.runs.back().count += count;
    else family.runs.push_back({first, count, false, {}});
  };
  std::vector<std::uint8_t> moves(columns);
  for (std::size_t first = 0; first < family.elements;) {
    bool even = first + 1 < family.elements;
    for (std::size_t k = 0; k < columns && even; ++k) {
      const std::uint32_t move = at(k, first + 1) - at(k, first);
      even = move <= 1;
      moves[k] = static_cast<std::uint8_t>(move);
    }
    std::size_t end = first + 1;
    const auto goes_on = [&] {
      for (std::size_t k = 0; k < columns; ++k) {
        if (at(k, end) - at(k, end - 1) != moves[k]) return false;
      }
      return true;
    };
    while (even && end < family.elements && goes_on()) ++end;
    if (end - first >= shortest) family.runs.push_back({first, end - first, true, moves});
    else add_uneven(first, end - first);
    first = end;
  }
}

}  // namespace actio
