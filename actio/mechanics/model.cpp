#include "actio/mechanics/model.hpp"

#include <algorithm>
#include <utility>

#include "actio/backend/evaluate.hpp"
#include "actio/expr/print.hpp"
#include "actio/mechanics/indexed_tables.hpp"
#include "actio/mechanics/model_reader.hpp"
#include "actio/mechanics/signal_table.hpp"
#include "actio/mechanics/text_check.hpp"

namespace actio {

namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t");
  return begin == text.size() ? "" : std::string(text.substr(begin, end + 1 - begin));
}

// The value of `e`, whose symbols are among the first parameters, which `values` holds.
template <class S>
S value_of(const lagrangian_system& system, const expr& e, const expr_map<std::size_t>& index,
           const std::vector<S>& values) {
  if (e.is_number()) return from_rational<S>(e.number());
  const std::vector<expr> symbols = symbols_in(std::span(&e, 1));
  std::vector<S> at;
  for (const expr& s : symbols) {
    const auto found = index.find(s);
    if (found == index.end() || found->second >= values.size()) {
      throw input_error("unknown-name", "unknown name '" + s.name() + "' in a constant of " + system.name, {},
                        "use numbers and parameters here");
    }
    at.push_back(values[found->second]);
  }
  return evaluate<S>(std::span(&e, 1), symbols, at).front();
}

expr_map<std::size_t> parameter_index(const lagrangian_system& system) {
  expr_map<std::size_t> index;
  for (const named_expr& p : system.parameters) index.emplace(expr::symbol(p.name), index.size());
  return index;
}

// Reads the model anew, and gives parameters the values that they were given before.
void set_size(model& m, const std::string& name, source_text value) {
  value.role = "size " + name;
  const std::int64_t number = parse_whole(value, *m.indices);
  if (number < 0) {
    throw input_error("bad-size", "the size '" + name + "' is " + std::to_string(number), value.origin,
                      "sizes are whole numbers from 0 to " + std::to_string(most_elements));
  }
  size_overrides sizes = m.given_sizes;
  sizes[name] = number;
  model anew = parse_model(m.text, m.file, sizes);
  anew.given_sizes = std::move(sizes);
  anew.run = std::move(m.run);
  for (const source_text& before : m.assignments) set_parameter(anew, before);
  m = std::move(anew);
}

}  // namespace

model parse_model(std::string text, std::string file) { return parse_model(std::move(text), std::move(file), {}); }

model parse_model(std::string text, std::string file, const size_overrides& sizes) {
  const file_value root = read_tables(text, file);
  auto indices = read_indices(root, file, sizes);
  model result = model_reader(with_members(root, *indices), file, indices).read();
  result.text = with_samples_inside(text, root, file);
  result.file = std::move(file);
  return result;
}

model read_model(const std::string& path) { return parse_model(read_file(path), path); }

void set_parameter(model& m, const source_text& assignment) {
  const std::size_t equals = assignment.text.find('=');
  if (equals == std::string::npos) {
    throw input_error("expression-syntax", "'" + assignment.text + "' sets no parameter", assignment.place_at(0),
                      "write NAME=VALUE, as in m1=2");
  }
  const std::string name = trimmed(assignment.text.substr(0, equals));
  const source_text value{assignment.text.substr(equals + 1), assignment.place_at(equals + 1), "parameter " + name};
  if (m.indices && m.indices->sizes.contains(name)) return set_size(m, name, value);
  std::vector<named_expr>& parameters = m.system.parameters;
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
  if (found == parameters.end()) {
    std::vector<std::string> names;
    for (const named_expr& p : parameters) names.push_back(p.name);
    if (m.indices) {
      for (const auto& [size, number] : m.indices->sizes) names.push_back(size);
    }
    throw input_error("unknown-name", "the model has no parameter '" + name + "'", assignment.place_at(0),
                      names.empty() ? "it has none at all" : suggest(name, names));
  }
  name_scope scope;
  if (m.indices) scope.use_indices(m.indices);
  declare_signals(scope, m.system);
  for (auto p = parameters.begin(); p != parameters.end(); ++p) {
    scope.declare(p->name, name_kind::parameter, p->place, p == found ? value : source_text{to_text(p->value), {}, ""});
    if (p < found) scope.define_as_symbol(p->name);
  }
  found->value = scope.define(name).scalar();
  found->place = value.origin;
  m.assignments.push_back(assignment);
}

expr parse_quantity(const model& m, const source_text& source) {
  name_scope scope;
  if (m.indices) scope.use_indices(m.indices);
  declare_signals(scope, m.system);
  for (const named_expr& p : m.system.parameters) {
    scope.declare(p.name, name_kind::parameter, p.place);
    scope.define_as_symbol(p.name);
  }
  scope.know_coordinates(m.system.coordinates);
  return scope.parse(source, expression_use::constant);
}

std::string note_of_zeros(const initial_data& initial) {
  constexpr std::size_t most_listed = 12;
  if (initial.left_out.empty()) return "";
  std::string text = "initial values that are not given are zero: ";
  for (std::size_t i = 0; i < std::min(initial.left_out.size(), most_listed); ++i) {
    text += (i > 0 ? ", " : "") + initial.left_out[i];
  }
  return initial.left_out.size() > most_listed ? text + ", ..." : text;
}

void refuse_two_point_start(const model& m, const std::string& what) {
  if (m.initial.rate != rate_kind::next) return;
  throw input_error(
      "two-point-start",
      "[initial.next] says where one step of one method leads, but " + what + " needs a start that depends on neither",
      m.initial.rates.front().place, "give [initial.velocity] or [initial.momentum] instead");
}

template <class S>
std::vector<S> parameter_values(const lagrangian_system& system) {
  return parameter_values<S>(system, std::vector<std::optional<S>>(system.parameters.size()));
}

template <class S>
std::vector<S> parameter_values(const lagrangian_system& system, std::span<const std::optional<S>> assigned) {
  const expr_map<std::size_t> index = parameter_index(system);
  std::vector<S> values;
  values.reserve(system.parameters.size());
  for (std::size_t k = 0; k < system.parameters.size(); ++k) {
    const named_expr& p = system.parameters[k];
    values.push_back(assigned[k] ? *assigned[k] : value_of<S>(system, p.value, index, values));
    if (!is_finite(values.back())) {
      throw input_error("bad-number", "the parameter '" + p.name + "' is " + to_brief(values.back()), p.place,
                        "parameters must be finite numbers");
    }
  }
  return values;
}

template <class S>
S quantity_value(const lagrangian_system& system, const expr& quantity) {
  if (quantity.is_number()) return from_rational<S>(quantity.number());
  return value_of<S>(system, quantity, parameter_index(system), parameter_values<S>(system));
}

#define ACTIO_INSTANTIATE(S)                                                                                \
  template std::vector<S> parameter_values<S>(const lagrangian_system&);                                    \
  template std::vector<S> parameter_values<S>(const lagrangian_system&, std::span<const std::optional<S>>); \
  template S quantity_value<S>(const lagrangian_system&, const expr&);
ACTIO_FOR_EVERY_NUMBER(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
