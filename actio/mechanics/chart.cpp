#include "actio/mechanics/chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/expr/derivative.hpp"
#include "actio/mechanics/kinetic_form.hpp"
#include "actio/mechanics/name_scope.hpp"
#include "actio/mechanics/random_points.hpp"

namespace actio {

namespace {

// Generalised coordinates for a constrained model: ambient coordinates as expressions ψ(q), and the q of the start.
struct coordinate_chart {
  std::vector<expr> coordinates;     // symbols q
  std::vector<named_expr> position;  // ψ, one an ambient coordinate
  std::vector<named_expr> start;     // one a coordinate of the chart, in the parameters
  source_place place = {};
};

// Coordinates of the chart beside the parameters, and nothing of the ambient space.
class chart_reader {
 public:
  chart_reader(const file_entry& table, const model& m) : table_(table), m_(m) { chart_.place = table.place; }

  coordinate_chart read(const file_entry* start) {
    if (table_.value.kind != file_value_kind::table) {
      throw_wrong_type("'chart'", "a table", table_.value, table_.place,
                       "write [chart] on a line of its own, and its keys below");
    }
    read_coordinates();
    read_positions();
    if (start == nullptr || start->value.kind != file_value_kind::table) {
      throw input_error("missing-table", "the model has a chart, but no [initial.chart]", table_.place,
                        "add [initial.chart] with the coordinates of the chart at the start");
    }
    read_start(*start);
    return std::move(chart_);
  }

 private:
  void read_coordinates() {
    const std::string cure = "write coordinates = [\"theta\", \"phi\"] there";
    const file_entry* names = find_entry(table_.value, "coordinates");
    if (names == nullptr || names->value.kind != file_value_kind::array || names->value.items.empty()) {
      throw input_error("missing-key", "[chart] has no list of coordinates", (names != nullptr ? *names : table_).place,
                        cure);
    }
    const std::vector<std::string> ambient = m_.system.coordinate_names();
    for (const file_value& item : names->value.items) {
      const std::string& name = item.source.text;
      if (item.kind != file_value_kind::text) {
        throw input_error("wrong-type", "a coordinate must be a name in quotes, not " + std::string(name_of(item.kind)),
                          item.place, cure);
      }
      if (std::ranges::find(ambient, name) != ambient.end()) {
        throw input_error("duplicate-name", "'" + name + "' is a coordinate of the ambient space already", item.place,
                          "give the coordinates of the chart names of their own");
      }
      scope_.declare(name, name_kind::coordinate, item.place);
      chart_.coordinates.push_back(expr::symbol(name));
    }
    for (const named_expr& p : m_.system.parameters) {
      scope_.declare(p.name, name_kind::parameter, p.place);
      scope_.define_as_symbol(p.name);
    }
  }

  void read_positions() {
    std::vector<std::string> known = m_.system.coordinate_names();
    known.emplace_back("coordinates");
    check_names(table_.value, known, "unknown-key", "unknown key '", "' in [chart]");
    for (const expr& x : m_.system.coordinates) {
      const std::string& name = x.name();
      const file_entry* position = find_entry(table_.value, name);
      if (position == nullptr) {
        throw input_error("missing-chart-coordinate", "the chart does not say where '" + name + "' is", table_.place,
                          "add a line such as " + name + " = \"l*sin(theta)\" to [chart]");
      }
      chart_.position.push_back({name, expression(*position, expression_use::generator), position->place});
    }
  }

  void read_start(const file_entry& start) {
    std::vector<std::string> names;
    for (const expr& q : chart_.coordinates) names.push_back(q.name());
    check_names(start.value, names, "unknown-initial-value", "'", "' in [initial.chart] is no coordinate of the chart");
    for (const std::string& name : names) {
      const file_entry* value = find_entry(start.value, name);
      if (value == nullptr) {
        throw input_error("missing-initial-value", "the coordinate '" + name + "' of the chart has no initial value",
                          start.place, "add a line such as " + name + " = 0 to [initial.chart]");
      }
      chart_.start.push_back({name, expression(*value, expression_use::constant), value->place});
    }
  }

  static void check_names(const file_value& table, const std::vector<std::string>& known, const char* id,
                          const std::string& before, const std::string& after) {
    for (const file_entry& entry : table.entries) {
      if (std::ranges::find(known, entry.key) != known.end()) continue;
      throw input_error(id, before + entry.key + after, entry.place, suggest(entry.key, known));
    }
  }

  expr expression(const file_entry& entry, expression_use use) const {
    if (entry.value.kind != file_value_kind::text && entry.value.kind != file_value_kind::number) {
      throw input_error("wrong-type", "'" + entry.key + "' must be a number or an expression in quotes", entry.place,
                        "write " + entry.key + " = \"l*sin(theta)\"");
    }
    source_text source = entry.value.source;
    source.role = "chart of " + entry.key;
    return scope_.parse(source, use);
  }

  const file_entry& table_;
  const model& m_;
  name_scope scope_;
  coordinate_chart chart_;
};

// Nothing where the file has no chart.
std::optional<coordinate_chart> read_chart(const file_value& root, const model& m) {
  const file_entry* table = find_entry(root, "chart");
  const file_entry* initial = find_entry(root, "initial");
  const file_entry* start = initial == nullptr ? nullptr : find_entry(initial->value, "chart");
  if (table != nullptr) return chart_reader(*table, m).read(start);
  if (start == nullptr) return std::nullopt;
  throw input_error("missing-chart", "[initial.chart] is given, but there is no [chart]", start->place,
                    "add [chart] with its coordinates, or remove [initial.chart]");
}

// From ambient positions, velocities and momenta to those of the chart: x → ψ(q), x' → Dψ q', p_x → ∂L/∂x'.
class pull_back {
 public:
  pull_back(const lagrangian_system& ambient, const coordinate_chart& chart) {
    std::vector<std::pair<expr, expr>> rates;
    for (const expr& q : chart.coordinates) rates.emplace_back(q, velocity_symbol(q));
    for (std::size_t a = 0; a < ambient.size(); ++a) {
      const expr& x = ambient.coordinates[a];
      replacements_.emplace(x, chart.position[a].value);
      replacements_.emplace(velocity_symbol(x), total_derivative(chart.position[a].value, rates));
    }
    const std::vector<expr> momenta = (*this)(gradient(ambient.lagrangian, ambient.velocities()));
    for (std::size_t a = 0; a < ambient.size(); ++a) {
      replacements_.emplace(momentum_symbol(ambient.coordinates[a]), momenta[a]);
    }
  }
  expr operator()(const expr& e) const { return substitute(e, replacements_); }
  std::vector<expr> operator()(const std::vector<expr>& es) const { return substitute(es, replacements_); }

 private:
  expr_map<expr> replacements_;
};

// The system of the chart's coordinates with the model's parameters and nothing else, to evaluate expressions in.
lagrangian_system frame_of(const model& m, const coordinate_chart& chart) {
  lagrangian_system frame;
  frame.name = m.system.name;
  frame.coordinates = chart.coordinates;
  frame.parameters = m.system.parameters;
  frame.lagrangian = expr(0);
  return frame;
}

void check_size(const model& m, const coordinate_chart& chart) {
  const std::size_t free = m.system.size() - std::min(m.system.size(), m.system.constraints.size());
  if (chart.coordinates.size() == free) return;
  throw input_error("chart-size",
                    fmt::format("the chart has {} coordinates, but {} coordinates and {} constraints leave {} free",
                                chart.coordinates.size(), m.system.size(), m.system.constraints.size(), free),
                    chart.place, "give as many coordinates as the constraints leave free");
}

void check_time(const coordinate_chart& chart) {
  for (const named_expr& x : chart.position) {
    const std::vector<expr> symbols = symbols_in(std::span(&x.value, 1));
    if (std::ranges::find(symbols, time_symbol()) == symbols.end()) continue;
    throw input_error("name-not-allowed", "the chart of '" + x.name + "' contains the time", x.place,
                      "a chart cannot move; leave it out where constraints depend on time");
  }
}

void check_constraints(const model& m, const coordinate_chart& chart) {
  const lagrangian_system frame = frame_of(m, chart);
  expr_map<expr> to_chart;
  for (std::size_t a = 0; a < m.system.size(); ++a) to_chart.emplace(m.system.coordinates[a], chart.position[a].value);
  std::vector<expr> sizes;  // of what cancels: squares of all coordinates
  for (const named_expr& x : chart.position) sizes.push_back(x.value * x.value);
  for (const named_expr& g : m.system.constraints) {
    const expr along = substitute(g.value, to_chart);
    const auto off = find_nonzero_sum(frame, std::span(&along, 1), sizes);
    if (!off) continue;
    throw input_error("chart-off-constraint",
                      fmt::format("the chart leaves the constraint '{}', which is {} at {}", g.name,
                                  to_brief(off->value, 3), off->description),
                      chart.place, "choose expressions that satisfy it for every value of the coordinates");
  }
}

void check_start(const model& m, const coordinate_chart& chart) {
  const lagrangian_system& system = m.system;
  expr_map<expr> to_start;
  for (std::size_t i = 0; i < chart.start.size(); ++i) to_start.emplace(chart.coordinates[i], chart.start[i].value);
  quad extent = 0;
  for (const named_expr& x : m.initial.position)
    extent = std::max<quad>(extent, abs(quantity_value<quad>(system, x.value)));
  for (std::size_t a = 0; a < system.size(); ++a) {
    const expr there = substitute(chart.position[a].value, to_start);
    const auto reached = quantity_value<quad>(system, there),
               wanted = quantity_value<quad>(system, m.initial.position[a].value);
    // Typed values have the digits of a double, expressions those of the run.
    if (abs(quad(reached - wanted)) <= quad(64 * epsilon<double>()) * extent) continue;
    throw input_error("chart-off-start",
                      fmt::format("[initial.chart] leads to {0} = {1}, but the model starts at {0} = {2}",
                                  system.coordinates[a].name(), to_brief(reached, 12), to_brief(wanted, 12)),
                      chart.start.front().place,
                      "give the coordinates of the chart that belong to [initial.position], as expressions if need be");
  }
}

// What happens at instants, in the coordinates of the chart.
void carry_instants(model& m, const pull_back& to_chart, const coordinate_chart& chart) {
  const auto require_still_chart = [&](std::size_t parameter, const source_place& place) {
    const expr symbol = expr::symbol(m.system.parameters[parameter].name);
    for (const named_expr& x : chart.position) {
      if (!depends_on(x.value, symbol)) continue;
      throw input_error(
          "parameters-unsuited",
          fmt::format("'{}' changes on the way, and the chart of '{}' depends on it", symbol.name(), x.name), place,
          "leave @formulation out");
    }
  };
  for (model_event& event : m.events) {
    event.when = to_chart(event.when);
    for (assigned_value& a : event.set) {
      if (a.kind != assigned_kind::parameter) {
        throw input_error("conflicting-options",
                          fmt::format("the event '{}' sets what the intrinsic formulation does not have: its "
                                      "coordinates are those of the chart",
                                      event.name),
                          a.place, "let events set parameters alone, or leave @formulation out");
      }
      require_still_chart(a.index, a.place);
      a.value = to_chart(a.value);
    }
  }
  for (sampled_control& control : m.controls) {
    require_still_chart(control.parameter, control.place);
    control.value = to_chart(control.value);
  }
}

}  // namespace

void check_chart(const file_value& root, const model& m) {
  const std::optional<coordinate_chart> chart = read_chart(root, m);
  if (!chart) return;
  check_size(m, *chart);
  check_time(*chart);
  check_constraints(m, *chart);
  check_start(m, *chart);
}

// Initial momenta are Dψᵀ p at the start, whatever the model gives: expressions in the parameters again.
charted_model intrinsic_model(const model& m) {
  const std::optional<coordinate_chart> given =
      m.text.empty() ? std::nullopt : read_chart(read_tables(m.text, m.file), m);
  if (!given) {
    throw input_error("missing-chart", "the intrinsic formulation needs a chart, but the model has none",
                      {m.file, 0, 0}, "add [chart] with the ambient coordinates as expressions of generalised ones");
  }
  refuse_two_point_start(m, "the intrinsic formulation");
  if (m.system.applied_force) {
    throw input_error("conflicting-options", "the intrinsic formulation knows nothing of an applied force",
                      {m.file, 0, 0}, "write the force as an expression, or leave @formulation out");
  }
  if (m.system.time_scale) {
    throw input_error("conflicting-options", "the intrinsic formulation has no scale of time",
                      m.system.time_scale->place, "leave @formulation out, or give @time-scale=none");
  }
  const coordinate_chart& chart = *given;
  check_start(m, chart);  // a parameter may have changed since the model was read
  const lagrangian_system& ambient = m.system;
  const pull_back to_chart(ambient, chart);
  charted_model result{m, {}};
  lagrangian_system& system = result.intrinsic.system = frame_of(m, chart);
  system.lagrangian = to_chart(ambient.lagrangian);
  system.lagrangian_place = ambient.lagrangian_place;
  result.space.ambient = ambient;
  result.space.ambient.constraints.clear();
  result.space.ambient.symmetries.clear();
  // The discrete motion is one of the ambient space: momenta are looked for there, and become observables.
  result.space.ambient.found.emplace();
  system.found.emplace();
  std::vector<std::vector<expr>> slopes;  // Dψ, one row an ambient coordinate
  for (const named_expr& x : chart.position) {
    result.space.chart.push_back(x.value);
    slopes.push_back(gradient(x.value, chart.coordinates));
    system.observables.push_back({x.name, x.value, x.place});
  }
  const auto along_chart = [&](const std::vector<expr>& covector, std::size_t i) {
    expr sum = 0;
    for (std::size_t a = 0; a < ambient.size(); ++a) sum += slopes[a][i] * covector[a];
    return sum;
  };
  if (ambient.is_forced()) {
    const std::vector<expr> forces = to_chart(ambient.forces);
    for (std::size_t i = 0; i < system.size(); ++i) system.forces.push_back(along_chart(forces, i));
  }
  for (const named_expr& o : ambient.observables) system.observables.push_back({o.name, to_chart(o.value), o.place});
  for (const named_expr& i : ambient.invariants) system.invariants.push_back({i.name, to_chart(i.value), i.place});
  carry_instants(result.intrinsic, to_chart, chart);
  for (const conserved_momentum& p : conserved_momenta(ambient)) {
    system.observables.push_back({p.name, to_chart(p.value), {}});
  }
  for (view_point& p : result.intrinsic.view.points) p.position = to_chart(p.position);
  for (view_body& b : result.intrinsic.view.bodies) {
    b.centre = to_chart(b.centre);
    for (std::vector<expr>& axis : b.axes) axis = to_chart(axis);
  }
  expr_map<expr> start;
  std::vector<expr> momenta = ambient.velocities();
  for (std::size_t a = 0; a < ambient.size(); ++a) {
    start.emplace(ambient.coordinates[a], m.initial.position[a].value);
    start.emplace(velocity_symbol(ambient.coordinates[a]), m.initial.rates[a].value);
  }
  start.emplace(time_symbol(), expr(0));
  momenta = m.initial.rate == rate_kind::velocity
                ? substitute(gradient(ambient.lagrangian, ambient.velocities()), start)
                : substitute(momenta, start);
  expr_map<expr> chart_start;
  for (std::size_t i = 0; i < system.size(); ++i) chart_start.emplace(chart.coordinates[i], chart.start[i].value);
  result.intrinsic.initial = {chart.start, rate_kind::momentum, {}};
  for (std::size_t i = 0; i < system.size(); ++i) {
    result.intrinsic.initial.rates.push_back(
        {chart.coordinates[i].name(), substitute(along_chart(momenta, i), chart_start), chart.start[i].place});
  }
  system.lagrangian = lagrangian_with_collected_mass(system);
  return result;
}

}  // namespace actio
