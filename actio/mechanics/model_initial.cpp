// The table [initial] of a model file.
#include <algorithm>
#include <utility>

#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/model_language.hpp"
#include "actio/mechanics/model_reader.hpp"

namespace actio {

// What is not given is zero: positions, and velocities, or momenta where the model gives a Hamiltonian.
void model_reader::read_initial_data() {
  static const file_value nothing;
  const file_entry* initial = find_entry(root_, "initial");
  const file_value& table = initial == nullptr ? nothing : table_of(*initial);
  check_keys(table, "[initial]", keys_of_table("initial"));
  const file_entry* position = find_entry(table, "position");
  coordinate_values positions(model_.system.size());
  if (position != nullptr) positions = given_in(*position);
  model_.initial.position = with_zeros(positions, "", "");
  if (model_.system.is_first_order()) return;
  const file_entry* given = read_rate_kind(table);
  switch (model_.initial.rate) {
    case rate_kind::velocity: return read_velocities(table);
    case rate_kind::next: model_.initial.rates = complete(given_in(*given), *given); return;
    case rate_kind::momentum: break;
  }
  coordinate_values momenta(model_.system.size());
  if (given != nullptr) momenta = given_in(*given);
  model_.initial.rates = with_zeros(momenta, "p_", "");
}

// The table that says how the motion starts, nullptr where there is none.
const file_entry* model_reader::read_rate_kind(const file_value& initial) {
  const file_entry* given = nullptr;
  model_.initial.rate = model_.system.is_hamiltonian() ? rate_kind::momentum : rate_kind::velocity;
  for (const auto& [key, kind] :
       {std::pair{"velocity", rate_kind::velocity}, std::pair{"body_rate", rate_kind::velocity},
        std::pair{"space_rate", rate_kind::velocity}, std::pair{"momentum", rate_kind::momentum},
        std::pair{"next", rate_kind::next}}) {
    const file_entry* entry = find_entry(initial, key);
    if (entry == nullptr) continue;
    if (given != nullptr && kind != rate_kind::velocity) {
      throw input_error("two-initial-rates",
                        "both [initial." + given->key + "] and [initial." + entry->key + "] are given",
                        (given->place.line < entry->place.line ? entry : given)->place,
                        "one determines the other; remove one of them");
    }
    if (given == nullptr) given = entry;
    model_.initial.rate = kind;
  }
  return given;
}

// Velocities of coordinates, and of quaternions by their angular velocities.
void model_reader::read_velocities(const file_value& initial) {
  coordinate_values velocities(model_.system.size());
  for (const char* key : {"body_rate", "space_rate"}) {
    if (const file_entry* rates = find_entry(initial, key)) give_rates(*rates, velocities);
  }
  if (const file_entry* table = find_entry(initial, "velocity")) {
    read_values(*table,
                {"[initial.velocity]", "initial velocity of ", expression_use::constant, "unknown-initial-value"},
                velocities);
  }
  model_.initial.rates = with_zeros(velocities, "", "'");
}

void model_reader::give_rates(const file_entry& table, coordinate_values& velocities) const {
  const bool in_body = table.key == "body_rate";
  const std::string words = in_body ? "angular velocity in body axes" : "angular velocity in space axes";
  for (const file_entry& entry : table_of(table).entries) {
    const std::vector<std::size_t> of = coordinates_called(entry.key);
    if (of.size() != 4) {
      throw input_error(
          "unknown-initial-value", "'" + entry.key + "' in [initial." + table.key + "] is no quaternion of coordinates",
          entry.place, "define it, as in " + entry.key + " = \"quaternion(a, b, c, d)\" with coordinates");
    }
    const std::string role = "initial " + words + " of " + entry.key;
    const expr_tuple rate = tuple_expression(entry, role, expression_use::constant);
    require_shape(rate, tuple_shape::vector, entry, role);
    const initial_values& start = model_.initial.position;
    const expr_tuple at =
        expr_tuple::quaternion(start[of[0]].value, start[of[1]].value, start[of[2]].value, start[of[3]].value);
    give(velocities, entry, entry.key, of,
         in_body ? velocity_of_body_rate(at, rate) : velocity_of_space_rate(at, rate));
  }
}

model_reader::coordinate_values model_reader::given_in(const file_entry& table) const {
  const std::string where = "[initial." + table.key + "]", role = "initial " + table.key + " of ";
  coordinate_values values(model_.system.size());
  read_values(table, {where, role, expression_use::constant, "unknown-initial-value"}, values);
  return values;
}

// What is left out is noted as `before` x `after`; of arrays in large systems by the array.
initial_values model_reader::with_zeros(const coordinate_values& values, const std::string& before,
                                        const std::string& after) {
  const std::vector<expr>& coordinates = model_.system.coordinates;
  const auto note = [&](const std::string& name) { model_.initial.left_out.push_back(before + name + after); };
  for (std::size_t i = 0; i < coordinates.size();) {
    const coordinate_box* box = coordinates.size() > most_dense_coordinates && !values.has(i)
                                    ? scope_.boxes().find(coordinates[i].name())
                                    : nullptr;
    const std::size_t count = box != nullptr && box->first == i ? box->count() : 1;
    std::size_t k = i;
    while (k < i + count && !values.has(k)) ++k;
    if (count > 1 && k == i + count) {
      note(box->base);
      i = k;
      continue;
    }
    if (!values.has(i)) note(coordinates[i].name());
    ++i;
  }
  if (coordinates.size() > most_dense_coordinates) return in_ranges(values);
  std::vector<named_expr> result;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const named_expr* const given = values.find(i);
    result.push_back(given != nullptr ? *given : named_expr{coordinates[i].name(), expr(0), {}});
  }
  return result;
}

initial_values model_reader::in_ranges(const coordinate_values& values) const {
  std::vector<std::pair<std::uint32_t, named_expr>> single;
  for (std::uint32_t i = 0; i < values.giver.size(); ++i) {
    if (const named_expr* given = values.find(i)) single.emplace_back(i, *given);
  }
  const bool has_parameters = std::ranges::any_of(values.ranges, [](const ranged_values& r) {
    return std::ranges::any_of(r.family->values, [](const element_values& v) { return !v.parameters.empty(); });
  });
  return {model_.system.coordinates, std::move(single), values.ranges,
          has_parameters ? model_.system.parameter_symbols() : std::vector<expr>{}};
}

initial_values model_reader::complete(const coordinate_values& values, const file_entry& table) const {
  for (std::size_t i = 0; i < values.giver.size(); ++i) {
    if (values.has(i)) continue;
    const std::string& name = model_.system.coordinates[i].name();
    throw input_error("missing-initial-value", "the coordinate '" + name + "' has no position after the first step",
                      table.place, "add a line such as " + name + " = 0 to [initial." + table.key + "]");
  }
  return in_ranges(values);
}

}  // namespace actio
