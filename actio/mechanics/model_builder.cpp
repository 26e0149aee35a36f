#include "actio/mechanics/model_builder.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <unordered_set>

#include "actio/expr/derivative.hpp"
#include "actio/expr/print.hpp"
#include "actio/mechanics/indexed_tables.hpp"
#include "actio/mechanics/model_file.hpp"
#include "actio/mechanics/model_reader.hpp"
#include "actio/mechanics/model_text.hpp"
#include "actio/mechanics/named_parts.hpp"
#include "actio/mechanics/signal_table.hpp"

namespace actio {

namespace {

template <class T>
std::string shortest_text(T value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

// Symbols as they are written in expressions: x, x' and p_x.
expr primed(const std::string& name) { return expr::symbol(name + "'"); }

}  // namespace

const std::string& model_symbols::known(std::string_view name, const std::vector<std::string>& names,
                                        const char* kind) const {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return *found;
  throw input_error("unknown-name", "unknown " + std::string(kind) + " '" + std::string(name) + "' in " + role_, place_,
                    names.empty() ? "the model has none" : suggest(name, names));
}

const std::string& model_symbols::coordinate(std::size_t i) const {
  if (i < size()) return (*coordinates_)[i];
  throw input_error("unknown-name", "there is no coordinate number " + std::to_string(i) + " in " + role_, place_,
                    "the model has " + std::to_string(size()) + ", which count from 0");
}

expr model_symbols::position(std::size_t i) const { return expr::symbol(coordinate(i)); }
expr model_symbols::position(std::string_view name) const {
  return expr::symbol(known(name, *coordinates_, "coordinate"));
}
expr model_symbols::velocity(std::size_t i) const { return primed(coordinate(i)); }
expr model_symbols::velocity(std::string_view name) const { return primed(known(name, *coordinates_, "coordinate")); }
expr model_symbols::momentum(std::size_t i) const { return momentum_symbol(position(i)); }
expr model_symbols::momentum(std::string_view name) const { return momentum_symbol(position(name)); }
expr model_symbols::parameter(std::string_view name) const {
  return expr::symbol(known(name, *parameters_, "parameter"));
}
expr model_symbols::definition(std::string_view name) const {
  return expr::symbol(known(name, *definitions_, "definition"));
}
expr model_symbols::time() const { return time_symbol(); }
expr model_symbols::signal(std::string_view name, const expr& at) const {
  std::vector<std::string> names;
  for (const auto& samples : signals_) {
    if (samples->name() == name) return expr::signal(samples, at);
    names.push_back(samples->name());
  }
  known(name, names, "signal");
  return 0;
}

expr model_symbols::rate(const expr& e) const {
  expr total;
  for (const expr& symbol : symbols_in(std::span(&e, 1))) {
    const std::string& name = symbol.name();
    if (name.ends_with('\'')) {
      throw input_error("acceleration-in-expression", "the rate of '" + name + "' in " + role_ + " is an acceleration",
                        place_, "take rates of expressions without velocities");
    }
    const bool moves = std::ranges::find(*coordinates_, name) != coordinates_->end() ||
                       std::ranges::find(*definitions_, name) != definitions_->end();
    if (moves) total += derivative(e, symbol) * primed(name);
    else if (symbol == time_symbol()) total += derivative(e, symbol);
  }
  return total;
}

std::string model_expression::shortest(double value) { return shortest_text(value); }
std::string model_expression::shortest(float value) { return shortest_text(value); }
std::string model_expression::shortest(long double value) { return shortest_text(value); }

model_builder::model_builder(std::string name) : name_(std::move(name)) {}

model_builder::model_builder(const lagrangian_system& system) : name_(system.name) {
  coordinates(system.coordinate_names());
  for (const auto& samples : signals_of(system)) {
    const auto exact = [](const std::vector<rational>& numbers) {
      std::vector<model_expression> texts;
      for (const rational& x : numbers) texts.emplace_back(to_text(expr(x)));
      return texts;
    };
    signals_.push_back({samples->name(), exact(samples->times()), exact(samples->values()), samples->kind()});
  }
  for (const named_expr& p : system.parameters) parameter(p.name, p.value);
  if (system.is_hamiltonian()) hamiltonian(*system.hamiltonian);
  else if (!system.is_first_order()) lagrangian(system.lagrangian);
  for (std::size_t i = 0; i < system.equations.size(); ++i) equation(coordinates_[i], system.equations[i]);
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    if (!system.forces[i].is_zero()) force(coordinates_[i], system.forces[i]);
  }
  force(system.applied_force);
  for (const named_expr& g : system.constraints) constraint(g.name, g.value);
  for (const named_expr& o : system.observables) observable(o.name, o.value);
  for (const named_expr& i : system.invariants) invariant(i.name, i.value);
  for (const actio::symmetry& s : system.symmetries) {
    symmetry(s.name, [moves = s.generator](const model_symbols&) { return moves; });
  }
}

model_builder& model_builder::add(std::string table, std::string key, std::string role, model_expression value) {
  parts_.push_back({std::move(table), std::move(key), std::move(role), std::move(value)});
  return *this;
}

model_builder& model_builder::coordinate(std::string name) {
  coordinates_.push_back(std::move(name));
  return *this;
}
model_builder& model_builder::coordinates(const std::vector<std::string>& names) {
  coordinates_.insert(coordinates_.end(), names.begin(), names.end());
  return *this;
}
model_builder& model_builder::coordinates(const std::string& name, std::size_t count) {
  for (std::size_t i = 1; i <= count; ++i) coordinates_.push_back(name + std::to_string(i));
  return *this;
}
model_builder& model_builder::parameter(const std::string& name, model_expression value) {
  parameters_.push_back(name);
  return add("parameters", name, "parameter " + name, std::move(value));
}
model_builder& model_builder::definition(const std::string& name, model_expression value) {
  definitions_.push_back(name);
  return add("definitions", name, "definition " + name, std::move(value));
}
model_builder& model_builder::size(const std::string& name, model_expression value) {
  return add("sizes", name, "size " + name, std::move(value));
}
model_builder& model_builder::table(const std::string& name, const std::vector<std::string>& columns,
                                    const std::vector<model_values>& rows) {
  tables_.push_back({name, columns, rows});
  return *this;
}
model_builder& model_builder::signal(const std::string& name, const model_values& times, const model_values& values,
                                     interpolation kind) {
  signals_.push_back({name, times.values_, values.values_, kind});
  return *this;
}
model_builder& model_builder::lagrangian(model_expression L) {
  return add("", "lagrangian", "lagrangian", std::move(L));
}
model_builder& model_builder::hamiltonian(model_expression H) {
  return add("", "hamiltonian", "hamiltonian", std::move(H));
}
model_builder& model_builder::equation(const std::string& coordinate, model_expression rate) {
  return add("equations", coordinate, "equation of " + coordinate, std::move(rate));
}
model_builder& model_builder::force(const std::string& coordinate, model_expression F) {
  return add("forces", coordinate, "force on " + coordinate, std::move(F));
}
model_builder& model_builder::force(std::shared_ptr<const force_function> F) {
  applied_force_ = std::move(F);
  return *this;
}
model_builder& model_builder::constraint(const std::string& name, model_expression g) {
  return add("constraints", name, "constraint " + name, std::move(g));
}
model_builder& model_builder::observable(const std::string& name, model_expression value) {
  return add("observables", name, "observable " + name, std::move(value));
}
model_builder& model_builder::invariant(const std::string& name, model_expression value) {
  return add("invariants", name, "invariant " + name, std::move(value));
}
model_builder& model_builder::symmetry(const std::string& name,
                                       std::vector<std::pair<std::string, model_expression>> generator) {
  for (auto& [coordinate, move] : generator) {
    add("symmetries." + name, coordinate, "symmetry " + name + " along " + coordinate, std::move(move));
  }
  return *this;
}
model_builder& model_builder::symmetry(std::string name,
                                       std::function<std::vector<expr>(const model_symbols&)> generator) {
  generators_.push_back({std::move(name), std::move(generator)});
  return *this;
}

model_builder& model_builder::add_all(const std::string& table, const std::string& role, const model_values& values) {
  lists_.push_back({table, role, values.values_});
  return *this;
}
model_builder& model_builder::initial_position(const model_values& values) {
  return add_all("initial.position", "initial position", values);
}
model_builder& model_builder::initial_position(const std::string& coordinate, model_expression value) {
  return add("initial.position", coordinate, "initial position of " + coordinate, std::move(value));
}
model_builder& model_builder::initial_velocity(const model_values& values) {
  return add_all("initial.velocity", "initial velocity", values);
}
model_builder& model_builder::initial_velocity(const std::string& coordinate, model_expression value) {
  return add("initial.velocity", coordinate, "initial velocity of " + coordinate, std::move(value));
}
model_builder& model_builder::initial_momentum(const model_values& values) {
  return add_all("initial.momentum", "initial momentum", values);
}
model_builder& model_builder::initial_momentum(const std::string& coordinate, model_expression value) {
  return add("initial.momentum", coordinate, "initial momentum of " + coordinate, std::move(value));
}
model_builder& model_builder::next_position(const model_values& values) {
  return add_all("initial.next", "next position", values);
}
model_builder& model_builder::option(const std::string& name, model_expression value) {
  return add("run", name, "option " + name, std::move(value));
}
// The tables of the file that says what a builder says.
class model_builder::writer {
 public:
  explicit writer(const model_builder& builder)
      : builder_(builder),
        symbols_(builder.coordinates_, builder.parameters_, builder.definitions_),
        parts_(names_of(builder)) {
    for (const sampled& s : builder.signals_) add_signal(s);
  }

  file_value tables() {
    file_value root;
    put(root, "", {"name", {}, text_value({builder_.name_, {}, ""})});
    file_value names;
    names.kind = file_value_kind::array;
    for (const std::string& q : builder_.coordinates_) {
      names.items.push_back(text_value({q, place_of("coordinate " + q), ""}));
    }
    put(root, "", {"coordinates", place_of("coordinates"), std::move(names)});
    for (const auto& [name, table] : signals_) {
      for (const file_entry& entry : table.entries) put(root, "signals." + name, entry);
    }
    for (const data_table& t : builder_.tables_) add_table(root, t);
    file_value definitions;  // with the parts that others need
    for (const part& p : builder_.parts_) {
      if (p.table == "definitions") add(definitions, p, definitions);
    }
    file_value others;
    for (const part& p : builder_.parts_) {
      if (p.table != "definitions") add(others, p, definitions);
    }
    for (const part& p : listed()) add(others, p, definitions);
    // In the order of a model file.
    for (const char* table : {"", "sizes", "parameters", "definitions", "equations", "forces", "constraints",
                              "observables", "invariants", "symmetries", "initial", "run"}) {
      for (const file_value* from : {&definitions, &others}) {
        for (const file_entry& entry : from->entries) {
          const bool is_table = entry.value.kind == file_value_kind::table;
          if (is_table ? entry.key == table : *table == '\0') root.entries.push_back(entry);
        }
      }
    }
    return root;
  }

 private:
  static std::unordered_set<std::string> names_of(const model_builder& b) {
    std::unordered_set<std::string> names(b.coordinates_.begin(), b.coordinates_.end());
    names.insert(b.parameters_.begin(), b.parameters_.end());
    names.insert(b.definitions_.begin(), b.definitions_.end());
    for (const sampled& s : b.signals_) names.insert(s.name);
    return names;
  }

  // Its table, read at once, so that functions can use it.
  void add_signal(const sampled& s) {
    const std::string role = "signal " + s.name;
    if (s.times.size() != s.values.size()) {
      throw input_error(
          "signal-column",
          role + " has " + std::to_string(s.times.size()) + " times and " + std::to_string(s.values.size()) + " values",
          place_of(role), "give one value for each time");
    }
    file_value rows;
    rows.kind = file_value_kind::array;
    rows.place = place_of(role);
    for (std::size_t k = 0; k < s.times.size(); ++k) {
      file_value row;
      row.kind = file_value_kind::array;
      row.place = place_of(role);
      row.items = {value_of({"signals", "time", role, s.times[k]}), value_of({"signals", "value", role, s.values[k]})};
      rows.items.push_back(std::move(row));
    }
    file_value table;
    table.place = place_of(role);
    table.entries = {{"samples", place_of(role), std::move(rows)},
                     {"interpolation", place_of(role), text_value({std::string(name_of(s.kind)), {}, ""})}};
    symbols_.signals_.push_back(read_signal({s.name, place_of(role), table}, ""));
    signals_.emplace_back(s.name, std::move(table));
  }

  void add_table(file_value& root, const data_table& t) {
    const std::string role = "table " + t.name;
    const auto array = [&] {
      file_value value;
      value.kind = file_value_kind::array;
      value.place = place_of(role);
      return value;
    };
    file_value columns = array(), rows = array();
    for (const std::string& name : t.columns) columns.items.push_back(text_value({name, place_of(role), ""}));
    for (const model_values& given : t.rows) {
      file_value row = array();
      for (const model_expression& x : given.values_) row.items.push_back(value_of({"tables", t.name, role, x}));
      rows.items.push_back(std::move(row));
    }
    put(root, "tables." + t.name, {"columns", place_of(role), std::move(columns)});
    put(root, "tables." + t.name, {"rows", place_of(role), std::move(rows)});
  }

  source_place place_of(const std::string& role) const {
    return {builder_.name_.empty() ? role : role + " of " + builder_.name_, 0, 0};
  }
  static file_value text_value(source_text source) {
    file_value value;
    value.kind = file_value_kind::text;
    value.place = source.origin;
    value.source = std::move(source);
    return value;
  }

  // The values of lists and of generators, coordinate by coordinate.
  std::vector<part> listed() {
    std::vector<part> all;
    const std::vector<std::string>& q = builder_.coordinates_;
    const auto require_size = [&](std::size_t count, const std::string& role, const char* missing, const char* excess) {
      if (count == q.size()) return;
      throw input_error(
          count < q.size() ? missing : excess,
          role + " has " + std::to_string(count) + " values for " + std::to_string(q.size()) + " coordinates",
          place_of(role), "give one for each coordinate, in their order");
    };
    for (const listed_values& list : builder_.lists_) {
      require_size(list.values.size(), list.role, "missing-initial-value", "unknown-initial-value");
      for (std::size_t i = 0; i < q.size(); ++i) {
        all.push_back({list.table, q[i], list.role + " of " + q[i], list.values[i]});
      }
    }
    for (const generator& g : builder_.generators_) {
      const std::string role = "symmetry " + g.name;
      look_from(role);
      const std::vector<expr> moves = g.moves(symbols_);
      require_size(moves.size(), role, "missing-key", "unknown-key");
      for (std::size_t i = 0; i < q.size(); ++i) {
        if (!moves[i].is_zero()) all.push_back({"symmetries." + g.name, q[i], role + " along " + q[i], moves[i]});
      }
    }
    return all;
  }

  void look_from(const std::string& role) {
    symbols_.role_ = role;
    symbols_.place_ = place_of(role);
  }

  void add(file_value& root, const part& p, file_value& definitions) {
    file_value value = value_of(p);
    for (auto& [name, written] : parts_.take_new()) {
      put(definitions, "definitions", {name, value.place, text_value({to_text(written), value.place, ""})});
    }
    put(root, p.table, {p.key, place_of(p.role), std::move(value)});
  }

  file_value value_of(const part& p) {
    const source_place place = place_of(p.role);
    const model_expression& e = p.value;
    if (e.function_) {
      look_from(p.role);
      expr written = e.function_(symbols_);
      const bool is_measured = p.table == "observables" || p.table == "invariants";  // momenta have no definitions
      if (!is_measured && !p.table.starts_with("initial") && p.table != "parameters") {
        written = parts_.shortened(written);
      }
      return text_value({to_text(written), place, ""});
    }
    file_value value = text_value({e.text_, {place.file, 1, 1}, ""});
    if (e.kind_ == model_expression::kind::flag) value.kind = file_value_kind::boolean;
    if (e.kind_ != model_expression::kind::number) return value;
    value.kind = file_value_kind::number;
    value.source.origin = place;
    if (std::isalpha(static_cast<unsigned char>(e.text_.back())) != 0) {  // nan, inf
      throw input_error("bad-number", p.role + " is " + e.text_, place, "give a finite number");
    }
    return value;
  }

  // `path` is "", "a" or "a.b", where b may be any text.
  void put(file_value& root, const std::string& path, file_entry entry) const {
    file_value* table = &root;
    const std::size_t dot = path.find('.');
    if (!path.empty()) table = &table_in(root, path.substr(0, dot), path);
    if (dot != std::string::npos) table = &table_in(*table, path.substr(dot + 1), path);
    if (find_entry(*table, entry.key) != nullptr) {
      throw input_error("value-given-twice", entry.place.file + " is given twice", entry.place, "remove one of them");
    }
    table->entries.push_back(std::move(entry));
  }
  file_value& table_in(file_value& root, const std::string& key, const std::string& path) const {
    const auto found = std::ranges::find(root.entries, key, &file_entry::key);
    if (found != root.entries.end()) return found->value;
    root.entries.push_back({key, place_of("[" + path + "]"), {}});
    return root.entries.back().value;
  }

  const model_builder& builder_;
  model_symbols symbols_;
  std::vector<std::pair<std::string, file_value>> signals_;
  named_parts parts_;
};

void model_builder::refuse_what_no_model_is() const {
  const source_place place{name_, 0, 0};
  if (coordinates_.empty()) {
    throw input_error("missing-key", "the model has no coordinates", place, "call coordinate(\"x\") or coordinates");
  }
  const auto describes = [](const part& p) {
    return p.key == "lagrangian" || p.key == "hamiltonian" || p.table == "equations";
  };
  if (std::ranges::none_of(parts_, describes)) {
    throw input_error("missing-key", "the model has no lagrangian", place,
                      "call lagrangian(...), hamiltonian(...), or equation(...) for every coordinate");
  }
}

model model_builder::build() const {
  refuse_what_no_model_is();
  const file_value root = writer(*this).tables();
  const auto indices = read_indices(root, name_, {});
  model result = model_reader(with_members(root, *indices), name_, indices).read();
  result.text = model_text(root);
  result.file = name_;
  if (!applied_force_) return result;
  result.system.applied_force = applied_force_;
  validate(result.system);
  return result;
}

}  // namespace actio
