#include "actio/mechanics/name_scope.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "actio/expr/derivative.hpp"
#include "actio/expr/language.hpp"
#include "actio/expr/print.hpp"
#include "actio/expr/sample_table.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

namespace {

std::string with_primes(const parsed_name& name) {
  return name.name + std::string(static_cast<std::size_t>(name.primes), '\'');
}

[[noreturn]] void throw_acceleration(const parsed_name& name, const std::string& role, expression_use use) {
  throw input_error("acceleration-in-expression", "'" + with_primes(name) + "' in " + role + " needs accelerations",
                    name.place,
                    use == expression_use::observation
                        ? "observables may contain coordinates, first and second derivatives (two primes) only"
                        : "expressions may contain coordinates and first derivatives (one prime) only");
}

[[noreturn]] void throw_not_allowed(const parsed_name& name, const std::string& what, const std::string& role,
                                    const std::string& cure) {
  throw input_error("name-not-allowed", "the " + what + " '" + with_primes(name) + "' has no meaning in " + role,
                    name.place, cure);
}

// Whether expressions can use `name`: they read it as one name, without primes.
bool is_identifier(const std::string& name) {
  bool is_whole = false;
  try {
    parse_expression({name, {}, ""}, [&](const parsed_name& parsed) {
      is_whole = parsed.name == name && parsed.primes == 0;
      return expr(0);
    });
  } catch (const input_error&) {
    return false;
  }
  return is_whole;
}

bool is_reserved(const std::string& name) {
  const auto& functions = reserved_names();
  return name == "t" || name == "pi" || std::find(functions.begin(), functions.end(), name) != functions.end();
}

bool has_velocity(std::span<const expr> parts) {
  const std::vector<expr> symbols = symbols_in(parts);
  return std::any_of(symbols.begin(), symbols.end(), [](const expr& s) { return s.name().ends_with('\''); });
}

}  // namespace

std::string_view name_of(name_kind kind) {
  switch (kind) {
    case name_kind::coordinate: return "coordinate";
    case name_kind::parameter: return "parameter";
    case name_kind::definition: return "definition";
    case name_kind::variable: return "variable";
    case name_kind::signal: return "signal";
  }
  return "";
}

const name_scope::meaning* name_scope::find(const std::string& name) const {
  if (const auto found = names_.find(name); found != names_.end()) return &found->second;
  const auto has_name = [&](const expr& q) { return q.name() == name; };
  const bool is_known = boxes_.find(name) != nullptr || std::ranges::any_of(known_coordinates_, has_name);
  return is_known ? &of_boxes_ : nullptr;
}

bool name_scope::is_coordinate(const std::string& name) const {
  const meaning* const found = find(name);
  return found != nullptr && found->kind == name_kind::coordinate;
}

std::optional<std::size_t> name_scope::coordinate_number(const std::string& name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) return boxes_.number_of(name);
  return found->second.kind == name_kind::coordinate ? std::optional(found->second.number) : std::nullopt;
}

const index_names& name_scope::indices() const {
  static const index_names none;
  return indices_ ? *indices_ : none;
}

void name_scope::require_name(const std::string& name, name_kind kind, const source_place& place) const {
  const std::string what(name_of(kind));
  if (indices().sizes.contains(name)) {
    throw input_error("duplicate-name", "the name '" + name + "' of a " + what + " is taken by a size", place,
                      "give each thing its own name");
  }
  if (is_reserved(name)) {
    throw input_error("reserved-name", "a " + what + " cannot be called '" + name + "'", place,
                      "functions, pi and the time t keep their names; choose another one");
  }
  if (!is_identifier(name)) {
    throw input_error("bad-name", "'" + name + "' cannot be the name of a " + what, place,
                      "names are made of letters, digits and _ and start with a letter");
  }
}

void name_scope::declare(const std::string& name, name_kind kind, const source_place& place, source_text source,
                         index_binding bound) {
  require_name(name, kind, place);
  const auto taken_at = [&](name_kind by, const source_place& at) {
    throw input_error("duplicate-name",
                      "the name '" + name + "' of a " + std::string(name_of(kind)) + " is taken by a " +
                          std::string(name_of(by)) + " at " + to_text(at),
                      place, "give each thing its own name");
  };
  if (const coordinate_box* const box = boxes_.find(name)) taken_at(name_kind::coordinate, box->place);
  const auto [at, is_new] = names_.try_emplace(name);
  meaning& m = at->second;
  if (!is_new) taken_at(m.kind, m.place);
  m.kind = kind;
  m.place = place;
  m.source = std::move(source);
  m.bound = std::move(bound);
  m.defined = kind == name_kind::coordinate;
  if (kind == name_kind::coordinate) m.number = coordinates_++;
  order_.push_back(name);
}

void name_scope::declare_coordinates(coordinate_box box) {
  if (box.count() == 0) return;
  require_name(box.first_name(), name_kind::coordinate, box.place);
  const auto taken_at = [&](const std::string& name, name_kind by, const source_place& at) {
    throw input_error(
        "duplicate-name",
        "the name '" + name + "' of a coordinate is taken by a " + std::string(name_of(by)) + " at " + to_text(at),
        box.place, "give each thing its own name");
  };
  for (const std::string& name : order_) {
    if (box.contains(parts_of_member(name))) taken_at(name, names_.at(name).kind, names_.at(name).place);
  }
  for (const coordinate_box& other : boxes_.all()) {
    if (const auto name = box.shared_with(other)) taken_at(*name, name_kind::coordinate, other.place);
  }
  box.first = coordinates_;
  coordinates_ += box.count();
  boxes_.add(std::move(box));
}

void name_scope::declare_signal(const std::shared_ptr<const sample_table>& samples, const source_place& place) {
  const std::string& name = samples->name();
  const auto& functions = function_names();
  if (std::ranges::find(functions, name) != functions.end()) {
    throw input_error("reserved-name", "a signal cannot be called '" + name + "'", place,
                      "a function has this name, and a signal is called as functions are; choose another one");
  }
  declare(name, name_kind::signal, place);
  names_.at(name).samples = samples;
  names_.at(name).defined = true;
}

void name_scope::reserve_momenta() const {
  if (is_coordinate("energy")) {
    throw input_error("duplicate-name",
                      "a coordinate cannot be called 'energy': trajectories list the energy under this name",
                      names_.at("energy").place, "give each thing its own name");
  }
  const auto refuse = [](const std::string& name, name_kind kind, const source_place& place) {
    throw input_error("reserved-name", "a " + std::string(name_of(kind)) + " cannot be called '" + name + "'", place,
                      "it is the momentum of the coordinate '" + name.substr(2) + "'; choose another name");
  };
  for (const std::string& name : order_) {
    const meaning& m = names_.at(name);
    if (name.starts_with("p_") && is_coordinate(name.substr(2))) refuse(name, m.kind, m.place);
    const coordinate_box* const box = m.kind == name_kind::coordinate ? boxes_.find("p_" + name) : nullptr;
    if (box != nullptr) refuse("p_" + name, name_kind::coordinate, box->place);
  }
  for (const coordinate_box& box : boxes_.all()) {
    for (const coordinate_box& of : boxes_.all()) {
      if (const auto name = box.shared_with(of, "p_")) refuse(*name, name_kind::coordinate, box.place);
    }
  }
}

expr_tuple name_scope::define(const std::string& name) {
  meaning& m = names_.at(name);
  const bool is_parameter = m.kind == name_kind::parameter;
  const context in{m.source, is_parameter ? expression_use::constant : expression_use::dynamics, true, m.bound};
  current_ = name;
  expr_tuple body =
      is_parameter ? parse_scalar(in.source, names_for(in)) : actio::parse_tuple(in.source, names_for(in));
  current_.clear();
  m.defined = true;
  if (is_parameter) return body;
  bool has_rate = true;
  const expr_tuple rate = body.mapped([&](const expr& part) {
    const std::optional<expr> r = rate_as_written(part);
    has_rate = has_rate && r;
    return r ? expanded(*r) : expr(0);
  });
  m.value = body.mapped([&](const expr& part) { return expanded(part); });
  if (has_rate) m.rate = rate;
  for (std::size_t k = 0; k < body.size(); ++k) {
    const std::string part = body.part_name(name, k);
    expansion_.insert_or_assign(expr::symbol(part), m.value[k]);
    if (has_rate) expansion_.insert_or_assign(expr::symbol(part + "'"), rate[k]);
  }
  if (recursive_.empty() || keep(name, body)) return body;
  m.kept = body.mapped([&](const expr& part) { return substitute(part, kept_); });
  if (has_rate) m.kept_rate = body.mapped([&](const expr& part) { return substitute(*rate_as_written(part), kept_); });
  for (std::size_t k = 0; k < body.size(); ++k) {
    const std::string part = body.part_name(name, k);
    kept_.insert_or_assign(expr::symbol(part), m.kept[k]);
    if (has_rate) kept_.insert_or_assign(expr::symbol(part + "'"), m.kept_rate[k]);
  }
  return body;
}

// Whether a definition that was read stands for itself from now on.
bool name_scope::keep(const std::string& name, const expr_tuple& body) {
  const member_parts parts = parts_of_member(name);
  if (parts.indices.empty() || !recursive_.contains(parts.base)) return false;
  const expr_tuple values = body.mapped([&](const expr& part) { return substitute(part, kept_); });
  std::vector<std::uint32_t> stages;
  for (const expr& value : values.parts()) {
    const auto stage = stage_of(value, stages_);
    if (!stage) return false;
    stages.push_back(*stage);
  }
  std::size_t k = 0;
  meaning& m = names_.at(name);
  m.kept = body.mapped([&](const expr&) { return expr::symbol(body.part_name(name, k++)); });
  m.kept_rate = m.kept.mapped([](const expr& symbol) { return velocity_symbol(symbol); });
  for (k = 0; k < body.size(); ++k) {
    stages_.emplace(m.kept[k], stages[k]);
    recursions_.symbols.push_back(m.kept[k]);
    recursions_.values.push_back(values[k]);
  }
  return true;
}

// By the chain rule over the symbols as written: a chain of definitions costs as much as its text, not its square.
std::optional<expr> name_scope::rate_as_written(const expr& e) const {
  std::vector<std::pair<expr, expr>> rates;
  for (const expr& s : symbols_in(std::span(&e, 1))) {
    if (s == time_symbol()) {
      rates.emplace_back(s, expr(1));
      continue;
    }
    if (s.name().ends_with('\'')) return std::nullopt;  // a velocity or the rate of a definition
    const meaning* const found = find(s.name().substr(0, s.name().find('.')));
    if (found == nullptr) return std::nullopt;  // a momentum
    const meaning& m = *found;
    if (m.kind == name_kind::coordinate) rates.emplace_back(s, velocity_symbol(s));
    if (m.kind == name_kind::definition && !m.rate) return std::nullopt;
    if (m.kind == name_kind::definition) rates.emplace_back(s, expr::symbol(s.name() + "'"));
  }
  return total_derivative(e, rates);
}

// By the chain rule over coordinates, velocities and t, for what is expanded already; nothing where momenta occur.
std::optional<expr> name_scope::rate_along_motion(const expr& given) const {
  const expr e = shows_recursions_ ? substitute(given, expansion_) : given;
  std::vector<std::pair<expr, expr>> rates;
  for (const expr& s : symbols_in(std::span(&e, 1))) {
    const std::string base = s.name().substr(0, s.name().find('\''));
    if (s == time_symbol()) rates.emplace_back(s, expr(1));
    else if (is_coordinate(base) && !s.name().ends_with("''")) rates.emplace_back(s, expr::symbol(s.name() + "'"));
    else if (find(base) == nullptr || is_coordinate(base)) return std::nullopt;
  }
  return total_derivative(e, rates);
}

bool name_scope::has_momentum(std::span<const expr> parts) const {
  return std::ranges::any_of(symbols_in(parts), [&](const expr& s) {
    return s.name().starts_with("p_") && find(s.name()) == nullptr && is_coordinate(s.name().substr(2));
  });
}

expr name_scope::parse(const source_text& source, expression_use use, const index_binding& bound) const {
  return parse_scalar(source, names_for({source, use, false, bound}));
}

expr name_scope::parse(const source_text& source, expression_use use, symbolic_sums& sums) const {
  const index_binding none;
  tuple_names names = names_for({source, use, false, none});
  names.sums = &sums;
  return parse_scalar(source, names);
}

expr_tuple name_scope::parse_tuple(const source_text& source, expression_use use, const index_binding& bound) const {
  return actio::parse_tuple(source, names_for({source, use, false, bound}));
}

expr name_scope::parse_condition(const source_text& source, expression_use use) const {
  return actio::parse_condition(source, names_for({source, use, false, {}}));
}

const expr_tuple* name_scope::definition(const std::string& name) const {
  const auto found = names_.find(name);
  const bool is_known = found != names_.end() && found->second.kind == name_kind::definition && found->second.defined;
  return is_known ? &found->second.value : nullptr;
}

tuple_names name_scope::names_for(const context& in) const {
  const auto rate = [this, in](const expr& e, const parsed_name& what) {
    std::optional<expr> written = rate_as_written(e);
    if (!written && in.use == expression_use::observation) written = rate_along_motion(e);
    if (!written) throw_acceleration(what, in.source.role, in.use);
    if (in.use < expression_use::dynamics && !written->is_zero()) {
      throw_not_allowed(what, "rate", in.source.role, "use coordinates, parameters and t here");
    }
    return in.keeps_definitions ? *written : expanded(*written);
  };
  const auto signal = [this](std::string_view name) {
    const auto found = names_.find(std::string(name));
    return found == names_.end() ? nullptr : found->second.samples;
  };
  return {[this, in](const parsed_name& name) { return resolve(name, in); }, rate, signal, &indices(), &in.bound};
}

expr_tuple name_scope::resolve(const parsed_name& name, const context& in) const {
  if (name.name == "t") return resolve_time(name, in);
  const meaning* const found = find(name.name);
  if (found == nullptr) {
    if (const auto momentum = resolve_momentum(name, in)) return *momentum;
    throw_unknown(name, in);
  }
  const meaning& m = *found;
  if (m.kind == name_kind::signal) {
    throw input_error("expression-syntax", "the signal '" + name.name + "' in " + in.source.role + " has no argument",
                      name.place, "write " + name.name + "(t)");
  }
  if (m.kind == name_kind::coordinate) return resolve_coordinate(name, in);
  if (m.kind == name_kind::definition && in.use == expression_use::constant) {
    throw_not_allowed(name, "definition", in.source.role, "use numbers and parameters here");
  }
  if (!m.defined) throw_not_yet_defined(name, in);
  if (m.kind == name_kind::definition) return resolve_definition(name, m, in);
  return name.primes == 0 ? expr::symbol(name.name) : expr(0);
}

expr name_scope::resolve_time(const parsed_name& name, const context& in) const {
  if (in.use == expression_use::constant) {
    throw_not_allowed(name, "time", in.source.role, "use numbers and parameters here");
  }
  if (name.primes == 0) return time_symbol();
  return name.primes == 1 ? expr(1) : expr(0);
}

expr name_scope::resolve_coordinate(const parsed_name& name, const context& in) const {
  if (in.use == expression_use::constant) {
    throw_not_allowed(name, "coordinate", in.source.role, "use numbers and parameters here");
  }
  expr q = expr::symbol(name.name);
  if (name.primes == 2 && in.use == expression_use::observation) return acceleration_symbol(q);
  if (name.primes > 1) throw_acceleration(name, in.source.role, in.use);
  if (name.primes == 0) return q;
  if (in.use < expression_use::dynamics) {
    throw_not_allowed(name, "velocity", in.source.role,
                      in.use == expression_use::phase
                          ? "use coordinates, momenta such as p_" + name.name + ", parameters and t here"
                          : "use coordinates, parameters and t here");
  }
  return velocity_symbol(q);
}

expr_tuple name_scope::resolve_definition(const parsed_name& name, const meaning& m, const context& in) const {
  const auto symbols = [&](const std::string& primes) {
    std::size_t k = 0;
    return m.value.mapped([&](const expr&) { return expr::symbol(m.value.part_name(name.name, k++) + primes); });
  };
  if (name.primes == 0) {
    const bool in_generator = in.use == expression_use::generator;
    if (in.use < expression_use::dynamics && has_velocity(m.value.parts())) {
      throw_not_allowed(name, "definition", in.source.role,
                        "it contains velocities; use coordinates, parameters and t");
    }
    if (in_generator && momenta_vary_ && has_momentum(m.value.parts())) {
      throw_not_allowed(name, "definition", in.source.role, "it contains momenta; use coordinates, parameters and t");
    }
    return in.keeps_definitions ? symbols("") : shows_recursions_ ? m.kept : m.value;
  }
  if (in.use == expression_use::observation && (name.primes == 2 ? m.rate.has_value() : name.primes == 1 && !m.rate)) {
    return (name.primes == 2 ? *m.rate : m.value).mapped([&](const expr& part) {
      const std::optional<expr> rate = rate_along_motion(part);
      if (!rate) throw_acceleration(name, in.source.role, in.use);
      return *rate;
    });
  }
  if (name.primes > 1 || !m.rate) throw_acceleration(name, in.source.role, in.use);
  if (in.use < expression_use::dynamics) {
    throw_not_allowed(name, "velocity", in.source.role, "use coordinates, parameters and t here");
  }
  return in.keeps_definitions ? symbols("'") : shows_recursions_ ? m.kept_rate : *m.rate;
}

std::optional<expr> name_scope::resolve_momentum(const parsed_name& name, const context& in) const {
  if (!has_momenta_ || !name.name.starts_with("p_") || !is_coordinate(name.name.substr(2))) return std::nullopt;
  const bool is_variable = momenta_vary_ && in.use >= expression_use::phase;
  if (!is_variable && in.use < expression_use::measurement) {
    throw_not_allowed(name, "momentum", in.source.role,
                      "use velocities instead; momenta may occur in observables only");
  }
  if (name.primes > 0) throw_acceleration(name, in.source.role, in.use);
  return expr::symbol(name.name);
}

std::vector<std::string> declare_definitions(name_scope& scope, const std::vector<named_expr>& definitions) {
  std::vector<std::string> names;
  for (auto first = definitions.begin(); first != definitions.end();) {
    const std::string name = first->name.substr(0, first->name.find('.'));
    std::string parts;
    auto last = first;
    for (; last != definitions.end() && last->name.substr(0, last->name.find('.')) == name; ++last) {
      parts += (parts.empty() ? "" : ", ") + to_text(last->value);
    }
    const auto size = last - first;
    const std::string text = size == 1 ? parts : (size == 3 ? "vector(" : "quaternion(") + parts + ")";
    scope.declare(name, name_kind::definition, first->place, {text, first->place, name});
    names.push_back(name);
    first = last;
  }
  return names;
}

std::vector<std::shared_ptr<const sample_table>> signals_of(const lagrangian_system& system) {
  std::vector<expr> roots(system.forces);
  roots.push_back(system.lagrangian);
  for (const element_family& f : system.sums ? *system.sums : std::vector<element_family>{}) roots.push_back(f.body);
  roots.insert(roots.end(), system.equations.begin(), system.equations.end());
  for (const auto* list :
       {&system.parameters, &system.definitions, &system.observables, &system.invariants, &system.constraints}) {
    for (const named_expr& e : *list) roots.push_back(e.value);
  }
  std::vector<std::shared_ptr<const sample_table>> found;
  for (const expr& e : topological_order(roots)) {
    if (e.op() != operation::table || std::ranges::find(found, e.part().samples) != found.end()) continue;
    found.push_back(e.part().samples);
  }
  return found;
}

void declare_signals(name_scope& scope, const lagrangian_system& system) {
  for (const auto& samples : signals_of(system)) scope.declare_signal(samples, {});
}

}  // namespace actio
