#include "actio/mechanics/model_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "actio/mechanics/kinetic_form.hpp"
#include "actio/mechanics/kinetic_form.hpp"
#include "actio/mechanics/linear_table.hpp"

namespace actio {

namespace {

constexpr std::size_t most_coordinates = 4096, most_names = 100'000, most_nodes = 5'000'000;

const std::vector<std::string> root_keys = {"name",        "coordinates", "lagrangian",  "parameters", "definitions",
                                            "constraints", "forces",      "observables", "symmetries", "initial",
                                            "run",         "linear",      "equations"};

const file_entry* find_entry(const file_value& table, std::string_view key) {
  for (const file_entry& entry : table.entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

[[noreturn]] void throw_wrong_type(const file_entry& entry, std::string_view expected, const std::string& cure = "") {
  throw input_error(
      "wrong-type",
      "'" + entry.key + "' must be " + std::string(expected) + ", not " + std::string(name_of(entry.value.kind)),
      entry.place, cure);
}

const file_value& table_of(const file_entry& entry) {
  if (entry.value.kind != file_value_kind::table) {
    throw_wrong_type(entry, "a table", "write [" + entry.key + "] on a line of its own, and its keys below");
  }
  return entry.value;
}

// The entries of a table of the file, none where there is no such table.
const std::vector<file_entry>& entries_of(const file_value& root, std::string_view key) {
  static const std::vector<file_entry> none;
  const file_entry* entry = find_entry(root, key);
  return entry == nullptr ? none : table_of(*entry).entries;
}

void check_keys(const file_value& table, const std::string& where, const std::vector<std::string>& known) {
  for (const file_entry& entry : table.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    throw input_error("unknown-key", "unknown key '" + entry.key + "' in " + where, entry.place,
                      suggest(entry.key, known));
  }
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

// What a number or an expression string says, ready to be parsed.
source_text source_of(const file_entry& entry, const std::string& role) {
  const bool is_expression = entry.value.kind == file_value_kind::text || entry.value.kind == file_value_kind::number;
  if (!is_expression) throw_wrong_type(entry, "a number or an expression in quotes");
  source_text source = entry.value.source;
  source.role = role;
  return source;
}

// Runs `parse`. The characters of a string with escapes have no places of their own: its errors name the string's.
template <class Parse>
expr located(const file_entry& entry, Parse&& parse) {
  try {
    return parse();
  } catch (const input_error& error) {
    if (!entry.value.has_escapes) throw;
    throw input_error(error.id(), error.message(), entry.value.place, error.cure());
  }
}

[[noreturn]] void throw_no_initial(const std::string& what, const std::string& tables, const std::string& file,
                                   const std::string& coordinate) {
  throw input_error("missing-table", "the model has no initial " + what, {file, 0, 0},
                    "add " + tables + " with lines such as " + coordinate + " = 0");
}

}  // namespace

model model_reader::read() {
  check_keys(root_, "the model", root_keys);
  read_name();
  read_coordinates();
  const bool is_linear = find_entry(root_, "linear") != nullptr,
             is_first_order = find_entry(root_, "equations") != nullptr;
  if (is_first_order) refuse_what_needs_lagrangian();
  else if (!is_linear) required(root_, file_, "lagrangian", "lagrangian = \"1/2*m*x'^2 - 1/2*k*x^2\"");
  declare_names();
  if (is_first_order) scope_.exclude_momenta();
  else scope_.reserve_momenta();
  read_parameters_and_definitions();
  if (is_linear) read_linear();
  else if (is_first_order) read_equations();
  else read_lagrangian();
  read_forces();
  model_.system.constraints = expressions_of("constraints", "constraint", expression_use::generator);
  model_.system.observables = expressions_of("observables", "observable", expression_use::measurement);
  read_symmetries();
  read_initial_data();
  read_run();
  check_size();
  validate(model_.system);
  model_.system.lagrangian = lagrangian_with_collected_mass(model_.system);
  return std::move(model_);
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
  check_count(entry.value.items.size(), most_coordinates, "coordinates", entry.place);
  for (const file_value& item : entry.value.items) {
    if (item.kind != file_value_kind::text) {
      throw input_error("wrong-type", "a coordinate must be a name in quotes, not " + std::string(name_of(item.kind)),
                        item.place, cure);
    }
    scope_.declare(item.source.text, name_kind::coordinate, item.place);
    model_.system.coordinates.push_back(expr::symbol(item.source.text));
  }
}

// The coordinates of matrices may go without names: q1, q2, ...
void model_reader::number_coordinates(const file_entry& linear) {
  const std::size_t size = linear_size(linear);
  check_count(size, most_coordinates, "coordinates", linear.place);
  for (std::size_t i = 1; i <= size; ++i) {
    const std::string name = "q" + std::to_string(i);
    scope_.declare(name, name_kind::coordinate, linear.place);
    model_.system.coordinates.push_back(expr::symbol(name));
  }
}

void model_reader::declare_names() {
  const auto declare_all = [&](std::string_view table, name_kind kind) {
    const std::vector<file_entry>& entries = entries_of(root_, table);
    if (!entries.empty()) check_count(entries.size(), most_names, std::string(table), entries.front().place);
    for (const file_entry& entry : entries) {
      scope_.declare(entry.key, kind, entry.place, source_of(entry, std::string(name_of(kind)) + " " + entry.key));
    }
  };
  declare_all("parameters", name_kind::parameter);
  declare_all("definitions", name_kind::definition);
}

void model_reader::read_parameters_and_definitions() {
  const auto define_all = [&](std::string_view table, std::vector<named_expr>& into) {
    for (const file_entry& entry : entries_of(root_, table)) {
      into.push_back({entry.key, located(entry, [&] { return scope_.define(entry.key); }), entry.place});
    }
  };
  define_all("parameters", model_.system.parameters);
  define_all("definitions", model_.system.definitions);
}

void model_reader::read_lagrangian() {
  const file_entry& entry = *find_entry(root_, "lagrangian");
  if (entry.value.kind != file_value_kind::text) throw_wrong_type(entry, "an expression in quotes");
  model_.system.lagrangian = expression(entry, "lagrangian", expression_use::dynamics);
  model_.system.lagrangian_place = entry.place;
}

void model_reader::read_linear() {
  const file_entry& entry = *find_entry(root_, "linear");
  if (const file_entry* lagrangian = find_entry(root_, "lagrangian")) {
    throw input_error("two-descriptions", "both a lagrangian and [linear] are given", lagrangian->place,
                      "one of them describes the system; remove the other");
  }
  model_.system.linear = read_linear_table(entry, scope_, model_.system.size());
  model_.system.lagrangian = lagrangian_of(*model_.system.linear, model_.system.coordinates);
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
         "momenta belong to a Lagrangian; write a conserved quantity as one of the [observables]");
  refuse(find_entry(root_, "constraints"), "constraints", "choose coordinates that satisfy them by themselves");
  const file_entry* initial = find_entry(root_, "initial");
  if (initial == nullptr || initial->value.kind != file_value_kind::table) return;
  for (const std::string rate : {"velocity", "momentum", "next"}) {
    refuse(find_entry(initial->value, rate), "initial." + rate,
           "the equations give y' wherever y is; [initial.position] says all, remove it");
  }
}

void model_reader::read_equations() {
  const file_entry& entry = *find_entry(root_, "equations");
  table_of(entry);
  lagrangian_system& system = model_.system;
  system.lagrangian_place = entry.place;
  system.equations = along_coordinates(entry, "[equations]", "equation of ", expression_use::generator);
  for (const std::string& name : system.coordinate_names()) {
    if (find_entry(entry.value, name) != nullptr) continue;
    throw input_error("missing-equation", "the coordinate '" + name + "' has no equation", entry.place,
                      "add a line such as " + name + " = \"0\", the right-hand side of " + name + "'");
  }
}

void model_reader::read_forces() {
  const file_entry* entry = find_entry(root_, "forces");
  if (entry == nullptr || table_of(*entry).entries.empty()) return;
  model_.system.forces = along_coordinates(*entry, "[forces]", "force on ", expression_use::dynamics);
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

void model_reader::read_initial_data() {
  const std::string& first = model_.system.coordinates.front().name();
  const file_entry* initial = find_entry(root_, "initial");
  const bool is_first_order = model_.system.is_first_order();
  if (initial == nullptr) {
    throw_no_initial(
        "data",
        is_first_order ? "[initial.position]" : "[initial.position] and [initial.velocity] or [initial.momentum]",
        file_, first);
  }
  const file_value& table = table_of(*initial);
  check_keys(table, "[initial]", {"position", "velocity", "momentum", "next"});
  const file_entry* position = find_entry(table, "position");
  if (position == nullptr) throw_no_initial("position", "[initial.position]", file_, first);
  if (is_first_order) {
    model_.initial.position = one_per_coordinate(*position);
    return;
  }
  const file_entry* given = nullptr;
  for (const auto& [key, kind] : {std::pair{"velocity", rate_kind::velocity},
                                  std::pair{"momentum", rate_kind::momentum}, std::pair{"next", rate_kind::next}}) {
    const file_entry* entry = find_entry(table, key);
    if (entry == nullptr) continue;
    if (given != nullptr) {
      throw input_error("two-initial-rates",
                        "both [initial." + given->key + "] and [initial." + entry->key + "] are given",
                        (given->place.line < entry->place.line ? entry : given)->place,
                        "one determines the other; remove one of them");
    }
    given = entry;
    model_.initial.rate = kind;
  }
  if (given == nullptr) {
    throw_no_initial("velocity or momentum", "[initial.velocity] or [initial.momentum]", file_, first);
  }
  model_.initial.position = one_per_coordinate(*position);
  model_.initial.rates = one_per_coordinate(*given);
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

void model_reader::check_size() const {
  std::vector<expr> roots(model_.system.forces);
  roots.push_back(model_.system.lagrangian);
  roots.insert(roots.end(), model_.system.equations.begin(), model_.system.equations.end());
  for (const auto* list : {&model_.system.parameters, &model_.system.definitions, &model_.system.observables,
                           &model_.system.constraints}) {
    for (const named_expr& e : *list) roots.push_back(e.value);
  }
  for (const symmetry& s : model_.system.symmetries) roots.insert(roots.end(), s.generator.begin(), s.generator.end());
  check_count(topological_order(roots).size(), most_nodes, "operations", model_.system.lagrangian_place);
}

std::vector<named_expr> model_reader::expressions_of(std::string_view table, const std::string& role,
                                                     expression_use use) const {
  std::vector<named_expr> result;
  for (const file_entry& entry : entries_of(root_, table)) {
    result.push_back({entry.key, expression(entry, role + " " + entry.key, use), entry.place});
  }
  return result;
}

std::vector<named_expr> model_reader::one_per_coordinate(const file_entry& table) const {
  const std::string& role = table.key;
  const std::string where = "[initial." + table.key + "]";
  const std::vector<std::string> names = model_.system.coordinate_names();
  for (const file_entry& entry : table_of(table).entries) {
    if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
    throw input_error("unknown-initial-value", "'" + entry.key + "' in " + where + " is no coordinate", entry.place,
                      suggest(entry.key, names));
  }
  std::vector<named_expr> result;
  for (const std::string& name : names) {
    const file_entry* entry = find_entry(table.value, name);
    if (entry == nullptr) {
      throw input_error("missing-initial-value", "the coordinate '" + name + "' has no initial " + role, table.place,
                        "add a line such as " + name + " = 0 to " + where);
    }
    result.push_back(
        {name, expression(*entry, "initial " + role + " of " + name, expression_use::constant), entry->place});
  }
  return result;
}

std::vector<expr> model_reader::along_coordinates(const file_entry& table, const std::string& where,
                                                  const std::string& role, expression_use use) const {
  const std::vector<std::string> names = model_.system.coordinate_names();
  std::vector<expr> result(names.size(), expr(0));
  for (const file_entry& entry : table.value.entries) {
    const auto found = std::find(names.begin(), names.end(), entry.key);
    if (found == names.end()) {
      throw input_error("unknown-key", "'" + entry.key + "' in " + where + " is no coordinate", entry.place,
                        suggest(entry.key, names));
    }
    result[static_cast<std::size_t>(found - names.begin())] = expression(entry, role + entry.key, use);
  }
  return result;
}

expr model_reader::expression(const file_entry& entry, const std::string& role, expression_use use) const {
  return located(entry, [&] { return scope_.parse(source_of(entry, role), use); });
}

}  // namespace actio
