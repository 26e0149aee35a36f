// Tables that give values to coordinates, one by one or by keys with ranges.
#include <algorithm>
#include <array>
#include <utility>

#include "actio/expr/symbolic_sums.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/indexed_tables.hpp"
#include "actio/mechanics/model_reader.hpp"

namespace actio {

std::vector<expr> model_reader::along_coordinates(const file_entry& table, const std::string& where,
                                                  const std::string& role, expression_use use) const {
  coordinate_values values(model_.system.size());
  read_values(table, {where, role, use, "unknown-key"}, values);
  std::vector<expr> result(values.giver.size(), expr(0));
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (const named_expr* given = values.find(i)) result[i] = given->value;
  }
  return result;
}

void model_reader::read_values(const file_entry& table, const table_use& as, coordinate_values& into) const {
  for (const file_entry& entry : table_of(table).entries) {
    if (!has_index(entry.key) || !entry.bound.empty()) {
      read_value({entry, entry.key, entry.bound}, as, into);
      continue;
    }
    const indexed_key key = ranges_of({entry.key, entry.place, "key"}, scope_.indices());
    if (as.use == expression_use::constant && give_range(entry, key, into)) continue;
    for_each_member(
        key, [&](const std::string& name, const index_binding& bound) { read_value({entry, name, bound}, as, into); });
  }
}

void model_reader::read_value(const member_entry& member, const table_use& as, coordinate_values& into) const {
  const auto& [entry, name, bound] = member;
  const std::vector<std::size_t> to = coordinates_called(name);
  if (to.empty()) {
    throw input_error(as.unknown_key, "'" + name + "' in " + as.where + " is no coordinate", entry.place,
                      scope_.definition(name) != nullptr
                          ? "only vectors and quaternions whose components are coordinates can stand for them"
                          : suggest(name, model_.system.coordinate_names()));
  }
  const std::string role = as.role + name;
  const expr_tuple given =
      located(entry, [&] { return scope_.parse_tuple(source_of_value(entry, role), as.use, bound); });
  constexpr std::array shapes = {tuple_shape::scalar, tuple_shape::scalar, tuple_shape::scalar, tuple_shape::vector,
                                 tuple_shape::quaternion};
  require_shape(given, shapes[to.size()], entry, role);
  give(into, entry, name, to, given);
}

void model_reader::give(coordinate_values& values, const file_entry& entry, const std::string& key,
                        std::span<const std::size_t> to, const expr_tuple& given) const {
  for (std::size_t k = 0; k < to.size(); ++k) {
    const std::string& name = model_.system.coordinates[to[k]].name();
    if (values.has(to[k])) {
      throw input_error("value-given-twice",
                        "'" + key + "' gives a value to the coordinate '" + name + "', which has one at " +
                            to_text(values.place(to[k])),
                        entry.place, "remove one of them");
    }
    values.giver[to[k]] = static_cast<std::uint32_t>(values.single.size());
    values.single.push_back({name, given[k], entry.place});
  }
}

// The expression of an entry over the indices of its key; nothing where it is read member by member instead.
std::optional<element_family> model_reader::family_of_range(const file_entry& entry, const indexed_key& key) const {
  if (entry.value.kind != file_value_kind::text && entry.value.kind != file_value_kind::number) return std::nullopt;
  source_text written = source_of_value(entry, "");
  std::string ranges;
  for (std::size_t k = 0; k < key.ranges.size(); ++k) {
    const index_range& r = key.ranges[k];
    std::string name = r.name.empty() ? "index" + std::to_string(k) : r.name;
    while (r.name.empty() && written.text.find(name) != std::string::npos) name += '_';
    ranges += r.table == nullptr ? name + " = " + std::to_string(r.first) + ".." + std::to_string(r.last) + ", "
                                 : name + " in " + r.table->name + ", ";
  }
  written.text = "sum(" + ranges + written.text + ")";
  const std::map<std::string, member_block> blocks = parameter_blocks();
  symbolic_sums sums{[&](const std::string& base) -> std::optional<member_block> {
                       const auto found = blocks.find(base);
                       return found == blocks.end() ? std::nullopt : std::optional(found->second);
                     },
                     {}};
  try {
    const expr value = scope_.parse(written, expression_use::constant, sums);
    if (sums.found.size() != 1 || value != sums.found.front().symbol) return std::nullopt;
  } catch (const input_error&) {  // said again by the member that it is about
    return std::nullopt;
  }
  return family_of(std::move(sums.found.front()));
}

// Where a key stands for many coordinates that were declared together.
bool model_reader::give_range(const file_entry& entry, const indexed_key& key, coordinate_values& into) const {
  constexpr std::size_t fewest = 1024;
  const auto numbers = scope_.boxes().numbers_of(key.base, key.ranges);
  std::size_t count = 1;
  for (const index_range& r : key.ranges) count *= static_cast<std::size_t>(r.count());
  if (!numbers || count < fewest) return false;
  std::optional<element_family> family = family_of_range(entry, key);
  if (!family || family->elements != count) return false;
  std::vector<std::size_t> at(key.ranges.size(), 0);
  for (std::uint32_t& target : family->targets) {
    std::size_t i = numbers->first;
    for (std::size_t k = 0; k < at.size(); ++k) i += at[k] * numbers->strides[k];
    if (into.has(i)) return false;  // said by its member
    target = static_cast<std::uint32_t>(i);
    for (std::size_t k = at.size(); k-- > 0;) {
      if (++at[k] < static_cast<std::size_t>(key.ranges[k].count())) break;
      at[k] = 0;
    }
  }
  const auto giver = static_cast<std::uint32_t>(coordinate_values::first_range + into.ranges.size());
  for (const std::uint32_t i : family->targets) into.giver[i] = giver;
  find_runs(*family);
  into.ranges.push_back({std::make_shared<const element_family>(std::move(*family)), entry.place});
  return true;
}

// One for a coordinate, three or four for a definition that is a vector or quaternion of coordinates, otherwise none.
std::vector<std::size_t> model_reader::coordinates_called(const std::string& name) const {
  std::vector<std::size_t> found;
  const auto add = [&](const std::string& coordinate) {
    if (const auto number = scope_.coordinate_number(coordinate)) found.push_back(*number);
  };
  const expr_tuple* definition = scope_.definition(name);
  if (definition == nullptr) {
    add(name);
  } else if (!definition->is_scalar()) {
    for (const expr& part : definition->parts()) {
      if (part.op() == operation::symbol) add(part.name());
    }
    if (found.size() != definition->size()) found.clear();
  }
  return found;
}

}  // namespace actio
