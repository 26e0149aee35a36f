#include "actio/mechanics/model_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <unordered_set>
#include <utility>

#include "actio/expr/derivative.hpp"
#include "actio/mechanics/chart.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/event_table.hpp"
#include "actio/mechanics/indexed_tables.hpp"
#include "actio/mechanics/kinetic_form.hpp"
#include "actio/mechanics/linear_table.hpp"
#include "actio/mechanics/model_language.hpp"
#include "actio/mechanics/recursions.hpp"
#include "actio/mechanics/signal_table.hpp"
#include "actio/mechanics/time_transformation.hpp"
#include "actio/mechanics/view_table.hpp"

namespace actio {

namespace {

constexpr std::size_t most_coordinates = 4'000'000, most_names = 4'000'000, most_nodes = 40'000'000;
constexpr std::size_t most_in_matrices = 4096;

[[noreturn]] void throw_wrong_type(const file_entry& entry, std::string_view expected, const std::string& cure = "") {
  throw_wrong_type("'" + entry.key + "'", expected, entry.value, entry.place, cure);
}

std::map<std::string, member_block> blocks_of(const std::vector<std::string>& names, bool are_parameters) {
  std::map<std::string, member_block> blocks;
  for (const name_block& b : blocks_of_names(names)) {
    if (!b.is_array()) continue;
    blocks[b.name] = {static_cast<std::uint32_t>(b.first),
                      parts_of_member(names[b.first]).indices,
                      {b.extents.begin(), b.extents.end()},
                      are_parameters};
  }
  return blocks;
}

void check_count(std::size_t count, std::size_t most, const std::string& what, const source_place& place) {
  if (count <= most) return;
  throw input_error("model-too-large", "the model has " + std::to_string(count) + " " + what, place,
                    "at most " + std::to_string(most) + " are possible");
}

// A key that every model needs. It is often written below a table by mistake, and belongs to that table then.
const file_entry& required(const file_value& root, const std::string& file, const std::string& key,
                           const std::string& example) {
  if (const file_entry* entry = find_entry(root, key)) return *entry;
  for (const file_entry& table : root.entries) {
    if (const file_entry* inside = find_entry(table.value, key)) {
      throw input_error("missing-key", "'" + key + "' stands inside [" + table.key + "]", inside->place,
                        "move it above the first table");
    }
  }
  throw input_error("missing-key", "the model has no '" + key + "'", {file, 0, 0}, "add a line such as " + example);
}

void append(std::vector<named_expr>& list, const file_entry& entry, const expr_tuple& value) {
  for (std::size_t k = 0; k < value.size(); ++k) {
    list.push_back({value.part_name(entry.key, k), value[k], entry.place});
  }
}

}  // namespace

const file_value& model_reader::table_of(const file_entry& entry) {
  if (entry.value.kind != file_value_kind::table) {
    throw_wrong_type(entry, "a table", "write [" + entry.key + "] on a line of its own, and its keys below");
  }
  return entry.value;
}

// The entries of a table of the file, none where there is no such table.
const std::vector<file_entry>& model_reader::entries_of(const file_value& root, std::string_view key) {
  static const std::vector<file_entry> none;
  const file_entry* entry = find_entry(root, key);
  return entry == nullptr ? none : table_of(*entry).entries;
}

void model_reader::require_shape(const expr_tuple& value, tuple_shape shape, const file_entry& entry,
                                 const std::string& role) {
  if (value.shape() == shape) return;
  const std::string cure = shape == tuple_shape::scalar   ? "take a component such as .x, or a length norm(...)"
                           : shape == tuple_shape::vector ? "write vector(x, y, z)"
                                                          : "write quaternion(w, x, y, z)";
  throw input_error(
      "wrong-shape",
      role + " must be " + std::string(name_of(shape)) + ", but is " + std::string(name_of(value.shape())),
      entry.value.place, cure);
}

model model_reader::read() {
  check_keys(root_, "the model", keys_of_table(""));
  read_name();
  read_coordinates();
  const bool is_linear = find_entry(root_, "linear") != nullptr,
             is_first_order = find_entry(root_, "equations") != nullptr,
             is_hamiltonian = find_entry(root_, "hamiltonian") != nullptr;
  if (is_hamiltonian) refuse_beside_hamiltonian();
  else if (is_first_order) refuse_what_needs_lagrangian();
  else if (!is_linear) required(root_, file_, "lagrangian", "lagrangian = \"1/2*m*x'^2 - 1/2*k*x^2\"");
  declare_signals();
  declare_names();
  if (is_first_order) scope_.exclude_momenta();
  else scope_.reserve_momenta();
  if (is_hamiltonian) scope_.use_momenta();
  if (!is_linear && !is_first_order && !is_hamiltonian) keep_recursions();
  read_parameters_and_definitions();
  scope_.show_recursions(true);
  if (is_hamiltonian) read_hamiltonian();
  else if (is_linear) read_linear();
  else if (is_first_order) read_equations();
  else read_lagrangian();
  read_forces();
  model_.system.constraints = expressions_of("constraints", "constraint", expression_use::generator);
  model_.system.observables = expressions_of("observables", "observable", expression_use::observation);
  scope_.show_recursions(false);
  if (model_.system.recursions && !is_made_of_elements(model_.system)) write_out_recursions(model_.system);
  if (model_.system.sums && !is_made_of_elements(model_.system)) write_out_sums(model_.system);
  model_.system.invariants = expressions_of("invariants", "invariant", expression_use::measurement);
  read_symmetries();
  model_.events = read_events(root_, scope_, model_.system);
  model_.controls = read_controls(root_, scope_, model_.system);
  read_initial_data();
  require_controls_beside_start();
  read_run();
  read_view();
  check_size();
  validate_once(model_.system);
  check_chart(root_, model_);
  if (model_.system.has_lagrangian()) model_.system.lagrangian = lagrangian_with_collected_mass(model_.system);
  read_time();
  return std::move(model_);
}

// Where momenta contain a control, its first value would change the velocities that were given.
void model_reader::require_controls_beside_start() const {
  if (model_.controls.empty()) return;
  refuse_two_point_start(model_, "a model with controls");
  const lagrangian_system& system = model_.system;
  if (model_.initial.rate != rate_kind::velocity || system.is_first_order() || system.sums) return;
  const expr& function = system.is_hamiltonian() ? *system.hamiltonian : system.lagrangian;
  const std::vector<expr> slopes = gradient(function, system.is_hamiltonian() ? system.momenta() : system.velocities());
  for (const sampled_control& control : model_.controls) {
    const std::string& name = system.parameters[control.parameter].name;
    const auto contains = [&](const expr& slope) { return depends_on(slope, expr::symbol(name)); };
    if (std::ranges::none_of(slopes, contains)) continue;
    throw input_error("parameters-unsuited",
                      fmt::format("momenta contain the control '{}', so that velocities alone do not say where the "
                                  "motion starts",
                                  name),
                      control.place, "give [initial.momentum], as it is with the first value of the control");
  }
}

// Not beside constraints, charts and scales of time, whose steps need expressions in the coordinates.
void model_reader::keep_recursions() {
  const auto has = [&](std::string_view table) {
    const file_entry* entry = find_entry(root_, table);
    return entry != nullptr && !entry->value.entries.empty();
  };
  if (!is_worth_keeping(model_.system.size()) || has("constraints") || has("chart") || has("time")) return;
  std::vector<defining_text> texts;
  std::unordered_set<std::string> seen;
  for (const file_entry& entry : entries_of(root_, "definitions")) {
    std::string base = parts_of_member(entry.key).base;
    const std::string use = base + " = " + entry.value.source.text;
    if (has_index(entry.key) && seen.insert(use).second) texts.push_back({std::move(base), entry.value.source});
  }
  const std::vector<std::string> names = recursive_names(texts);
  scope_.keep_recursions({names.begin(), names.end()});
}

void model_reader::read_time() {
  const file_entry* table = find_entry(root_, "time");
  if (table == nullptr) return;
  check_keys(table_of(*table), "[time]", keys_of_table("time"));
  if (find_entry(table->value, "scale") == nullptr) {
    throw input_error("missing-key", "[time] has no 'scale'", table->place, "add a line such as scale = \"auto\"");
  }
  const file_entry& entry = *find_entry(table->value, "scale");
  if (model_.system.is_first_order()) {
    throw input_error("needs-lagrangian", "[time] has no meaning beside [equations]", table->place,
                      "multiply the right-hand sides by the scale, and add an equation for t");
  }
  const bool is_automatic = entry.value.kind == file_value_kind::text && entry.value.source.text == "auto";
  model_.system.time_scale = named_expr{is_automatic ? "auto" : "scale", expr(1), entry.value.place};
  model_.system.time_scale->value =
      is_automatic ? automatic_time_scale(model_) : expression(entry, "scale of time", expression_use::measurement);
}

void model_reader::read_name() {
  const file_entry* entry = find_entry(root_, "name");
  if (entry != nullptr && entry->value.kind != file_value_kind::text) throw_wrong_type(*entry, "a string");
  model_.system.name = entry != nullptr ? entry->value.source.text : std::filesystem::path(file_).stem().string();
}

void model_reader::read_coordinates() {
  const file_entry* linear = find_entry(root_, "linear");
  if (linear != nullptr && find_entry(root_, "coordinates") == nullptr) return number_coordinates(*linear);
  const file_entry& entry = required(root_, file_, "coordinates", "coordinates = [\"x\", \"y\"]");
  const std::string cure = "write coordinates = [\"x\", \"y\"]";
  if (entry.value.kind != file_value_kind::array) throw_wrong_type(entry, "an array of names", cure);
  if (entry.value.items.empty()) throw input_error("missing-key", "the model has no coordinates", entry.place, cure);
  std::vector<expr>& coordinates = model_.system.coordinates;
  for (const file_value& item : entry.value.items) {
    if (item.kind != file_value_kind::text) {
      throw input_error("wrong-type", "a coordinate must be a name in quotes, not " + std::string(name_of(item.kind)),
                        item.place, cure);
    }
    if (!has_index(item.source.text)) {
      scope_.declare(item.source.text, name_kind::coordinate, item.place);
      coordinates.push_back(expr::symbol(item.source.text));
      continue;
    }
    source_text written = item.source;
    written.role = "coordinates";
    const indexed_key key = ranges_of(written, scope_.indices());
    coordinate_box box{key.base, {}, {}, 0, item.place};
    for (const index_range& r : key.ranges) {
      box.least.push_back(r.first);
      box.most.push_back(r.last);
    }
    check_count(coordinates.size() + box.count(), most_coordinates, "coordinates", entry.place);
    scope_.declare_coordinates(std::move(box));
    for_each_member(key, [&](const std::string& name, const auto&) { coordinates.push_back(expr::symbol(name)); });
  }
  if (coordinates.empty()) throw input_error("missing-key", "the model has no coordinates", entry.place, cure);
  check_count(coordinates.size(), most_coordinates, "coordinates", entry.place);
}

// The coordinates of matrices may go without names: q1, q2, ...
void model_reader::number_coordinates(const file_entry& linear) {
  const std::size_t size = linear_size(linear);
  check_count(size, most_in_matrices, "coordinates", linear.place);
  for (std::size_t i = 1; i <= size; ++i) {
    const std::string name = "q" + std::to_string(i);
    scope_.declare(name, name_kind::coordinate, linear.place);
    model_.system.coordinates.push_back(expr::symbol(name));
  }
}

void model_reader::declare_signals() {
  for (const file_entry& entry : entries_of(root_, "signals")) {
    scope_.declare_signal(read_signal(entry, file_), entry.place);
  }
}

void model_reader::declare_names() {
  const auto declare_all = [&](std::string_view table, name_kind kind) {
    const std::vector<file_entry>& entries = entries_of(root_, table);
    if (!entries.empty()) check_count(entries.size(), most_names, std::string(table), entries.front().place);
    for (const file_entry& entry : entries) {
      scope_.declare(entry.key, kind, entry.place, source_of_value(entry, std::string(name_of(kind)) + " " + entry.key),
                     entry.bound);
    }
  };
  declare_all("parameters", name_kind::parameter);
  declare_controls(root_, scope_);
  declare_all("definitions", name_kind::definition);
}

void model_reader::read_parameters_and_definitions() {
  const auto define_all = [&](std::string_view table, std::vector<named_expr>& into) {
    for (const file_entry& entry : entries_of(root_, table)) {
      append(into, entry, located(entry, [&] { return scope_.define(entry.key); }));
    }
  };
  define_all("parameters", model_.system.parameters);
  define_controls(root_, scope_, model_.system);
  define_all("definitions", model_.system.definitions);
  if (!scope_.recursions().symbols.empty()) {
    model_.system.recursions = std::make_shared<const recursive_definitions>(scope_.recursions());
  }
}

void model_reader::read_lagrangian() {
  const file_entry& entry = *find_entry(root_, "lagrangian");
  if (entry.value.kind != file_value_kind::text) throw_wrong_type(entry, "an expression in quotes");
  model_.system.lagrangian_place = entry.place;
  if (model_.system.size() > most_dense_coordinates && read_lagrangian_as_sums(entry)) return;
  model_.system.lagrangian = expression(entry, "lagrangian", expression_use::dynamics);
}

// With long sums as families. False where they are no terms of L, or all is to be written out.
bool model_reader::read_lagrangian_as_sums(const file_entry& entry) {
  lagrangian_system& system = model_.system;
  std::map<std::string, member_block> blocks = parameter_blocks();
  std::vector<std::string> names;
  for (const expr& place : places_of(system)) names.push_back(place.name());
  blocks.merge(blocks_of(names, false));
  symbolic_sums sums{[&](const std::string& base) -> std::optional<member_block> {
                       const auto found = blocks.find(base);
                       return found == blocks.end() ? std::nullopt : std::optional(found->second);
                     },
                     {}};
  const expr value = located(
      entry, [&] { return scope_.parse(source_of_value(entry, "lagrangian"), expression_use::dynamics, sums); });
  if (sums.found.empty()) system.lagrangian = value;
  else if (!keep_sums(system, value, std::move(sums.found))) return false;
  return true;
}

void model_reader::read_hamiltonian() {
  const file_entry& entry = *find_entry(root_, "hamiltonian");
  if (entry.value.kind != file_value_kind::text) throw_wrong_type(entry, "an expression in quotes");
  model_.system.hamiltonian = expression(entry, "hamiltonian", expression_use::phase);
  model_.system.lagrangian_place = entry.place;
}

void model_reader::refuse_beside_hamiltonian() const {
  const file_entry& given = *find_entry(root_, "hamiltonian");
  for (const std::string other : {"lagrangian", "linear", "equations"}) {
    const file_entry* entry = find_entry(root_, other);
    if (entry == nullptr) continue;
    throw input_error("two-descriptions",
                      "both " + std::string(other == "lagrangian" ? "a lagrangian" : "[" + other + "]") +
                          " and a hamiltonian are given",
                      (entry->place.line < given.place.line ? given : *entry).place,
                      "either describes the motion; remove one of them");
  }
  for (const std::string table : {"constraints", "chart"}) {
    const file_entry* entry = find_entry(root_, table);
    if (entry == nullptr) continue;
    throw input_error("needs-lagrangian", "[" + table + "] has no meaning beside a hamiltonian", entry->place,
                      "describe the system by a lagrangian, or choose coordinates that need no constraints");
  }
}

void model_reader::read_linear() {
  const file_entry& entry = *find_entry(root_, "linear");
  if (const file_entry* lagrangian = find_entry(root_, "lagrangian")) {
    throw input_error("two-descriptions", "both a lagrangian and [linear] are given", lagrangian->place,
                      "one of them describes the system; remove the other");
  }
  model_.system.linear = read_linear_table(entry, scope_, model_.system.coordinates);
  model_.system.lagrangian = lagrangian_of(*model_.system.linear, model_.system.coordinates);
  model_.system.forces = forces_of(*model_.system.linear, model_.system.coordinates);
  model_.system.lagrangian_place = entry.place;
}

// Beside [equations], tables that speak of a Lagrangian or of momenta would be ignored silently.
void model_reader::refuse_what_needs_lagrangian() const {
  const file_entry& equations = *find_entry(root_, "equations");
  for (const std::string other : {"lagrangian", "linear"}) {
    const file_entry* entry = find_entry(root_, other);
    if (entry == nullptr) continue;
    const std::string name = other == "lagrangian" ? "a lagrangian" : "[" + other + "]";
    throw input_error("two-descriptions", "both " + name + " and [equations] are given",
                      (entry->place.line < equations.place.line ? equations : *entry).place,
                      "either describes the motion; remove one of them");
  }
  const auto refuse = [](const file_entry* entry, const std::string& name, const std::string& cure) {
    if (entry == nullptr) return;
    throw input_error("needs-lagrangian", "[" + name + "] has no meaning beside [equations]", entry->place, cure);
  };
  refuse(find_entry(root_, "forces"), "forces", "add the forces to the right-hand sides in [equations]");
  refuse(find_entry(root_, "symmetries"), "symmetries",
         "momenta belong to a Lagrangian; write a conserved quantity as one of the [invariants]");
  refuse(find_entry(root_, "chart"), "chart", "choose the coordinates that you want to see, and their equations");
  refuse(find_entry(root_, "constraints"), "constraints", "choose coordinates that satisfy them by themselves");
  const file_entry* initial = find_entry(root_, "initial");
  if (initial == nullptr || initial->value.kind != file_value_kind::table) return;
  for (const std::string rate : {"velocity", "momentum", "next", "body_rate", "space_rate"}) {
    refuse(find_entry(initial->value, rate), "initial." + rate,
           "the equations give y' wherever y is; [initial.position] says all, remove it");
  }
}

void model_reader::read_equations() {
  const file_entry& entry = *find_entry(root_, "equations");
  table_of(entry);
  lagrangian_system& system = model_.system;
  system.lagrangian_place = entry.place;
  coordinate_values given(system.size());
  read_values(entry, {"[equations]", "equation of ", expression_use::generator, "unknown-key"}, given);
  for (std::size_t i = 0; i < system.size(); ++i) {
    const std::string& name = system.coordinates[i].name();
    if (!given.has(i)) {
      throw input_error("missing-equation", "the coordinate '" + name + "' has no equation", entry.place,
                        "add a line such as " + name + " = \"0\", the right-hand side of " + name + "'");
    }
    system.equations.push_back(given.find(i)->value);
  }
}

void model_reader::read_forces() {
  const file_entry* entry = find_entry(root_, "forces");
  if (entry == nullptr || table_of(*entry).entries.empty()) return;
  std::vector<expr> given = along_coordinates(*entry, "[forces]", "force on ", expression_use::dynamics);
  for (std::size_t i = 0; i < model_.system.forces.size(); ++i) given[i] += model_.system.forces[i];  // of [linear]
  model_.system.forces = std::move(given);
}

void model_reader::read_symmetries() {
  for (const file_entry& entry : entries_of(root_, "symmetries")) {
    if (table_of(entry).entries.empty()) {
      throw input_error("missing-key", "symmetry '" + entry.key + "' moves no coordinate", entry.place,
                        "give the generator of each coordinate that it moves, as in x = \"-y\"");
    }
    const std::string where = "[symmetries." + entry.key + "]", role = "symmetry " + entry.key + " along ";
    model_.system.symmetries.push_back(
        {entry.key, along_coordinates(entry, where, role, expression_use::generator), entry.place});
  }
}

void model_reader::read_run() {
  const file_entry* run = find_entry(root_, "run");
  if (run == nullptr) return;
  std::vector<std::string> known;
  for (const option_descriptor* option : options_in_model()) known.emplace_back(option->name);
  check_keys(table_of(*run), "[run]", known);
  for (const file_entry& entry : run->value.entries) {
    const file_value_kind kind = entry.value.kind;
    const option_type type = find_option(entry.key)->type;
    const bool is_text = kind == file_value_kind::text, is_number = kind == file_value_kind::number;
    if (type == option_type::flag && kind != file_value_kind::boolean) throw_wrong_type(entry, "true or false");
    if (type == option_type::path && !is_text) throw_wrong_type(entry, "a string");
    if (type != option_type::flag && !is_text && !is_number) throw_wrong_type(entry, "a number or a string");
    source_text value = entry.value.source;
    value.role = entry.key;
    model_.run.set(entry.key, std::move(value));
  }
}

void model_reader::read_view() {
  if (const file_entry* view = find_entry(root_, "view")) model_.view = read_view_table(*view, scope_);
}

void model_reader::check_size() const {
  std::vector<expr> roots = model_.system.laws();
  for (const auto* list :
       {&model_.system.parameters, &model_.system.definitions, &model_.system.observables, &model_.system.invariants}) {
    for (const named_expr& e : *list) roots.push_back(e.value);
  }
  for (const symmetry& s : model_.system.symmetries) roots.insert(roots.end(), s.generator.begin(), s.generator.end());
  for (const model_event& e : model_.events) {
    roots.push_back(e.when);
    for (const assigned_value& a : e.set) roots.push_back(a.value);
  }
  for (const view_point& p : model_.view.points) roots.insert(roots.end(), p.position.begin(), p.position.end());
  for (const view_body& b : model_.view.bodies) {
    roots.insert(roots.end(), b.centre.begin(), b.centre.end());
    for (const std::vector<expr>& axis : b.axes) roots.insert(roots.end(), axis.begin(), axis.end());
  }
  for (const view_shape& s : model_.view.shapes) roots.insert(roots.end(), s.point.begin(), s.point.end());
  check_count(topological_order(roots).size(), most_nodes, "operations", model_.system.lagrangian_place);
}

std::vector<named_expr> model_reader::expressions_of(std::string_view table, const std::string& role,
                                                     expression_use use) const {
  std::vector<named_expr> result;
  for (const file_entry& entry : entries_of(root_, table)) {
    append(result, entry, tuple_expression(entry, role + " " + entry.key, use));
  }
  return result;
}

std::map<std::string, member_block> model_reader::parameter_blocks() const {
  std::vector<std::string> names;
  for (const named_expr& p : model_.system.parameters) names.push_back(p.name);
  return blocks_of(names, true);
}

expr model_reader::expression(const file_entry& entry, const std::string& role, expression_use use) const {
  return located(entry, [&] { return scope_.parse(source_of_value(entry, role), use, entry.bound); });
}

expr_tuple model_reader::tuple_expression(const file_entry& entry, const std::string& role, expression_use use) const {
  return located(entry, [&] { return scope_.parse_tuple(source_of_value(entry, role), use, entry.bound); });
}

}  // namespace actio
