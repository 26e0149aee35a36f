#include "actio/io/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "actio/expr/derivative.hpp"
#include "actio/expr/print.hpp"
#include "actio/io/field_pictures.hpp"
#include "actio/io/page.hpp"
#include "actio/io/report_references.hpp"
#include "actio/io/report_view.hpp"
#include "actio/mechanics/element_families.hpp"

namespace actio {

namespace {

using json = nlohmann::ordered_json;

constexpr int shown_digits = 10, error_digits = 3, most_digits = 40;
// Of names and formulas of one kind; nobody reads more.
constexpr std::size_t most_listed = 100;
// Formulas beyond this many characters of LaTeX are left to `actio check --json`.
constexpr std::size_t longest_formula = 20'000;

json real(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json drawn(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double rounded = rounded_for_drawing(value);
  if (rounded == std::trunc(rounded) && std::abs(rounded) < 1e9) return static_cast<long long>(rounded);
  return rounded;
}

json drawn(const std::vector<double>& values, double factor = 1, double shift = 0) {
  json list = json::array();
  for (double value : values) list.push_back(drawn(value * factor + shift));
  return list;
}

template <class S>
json brief(const S& value, int digits = shown_digits) {
  return is_finite(value) ? json(to_brief(value, digits)) : json(nullptr);
}

// All digits, as far as anybody reads them.
template <class S>
std::string precise(const S& value) {
  if constexpr (std::same_as<S, multi>) return to_brief(value, std::min<int>(most_digits, digits_in_use()));
  else return to_digits(value);
}

json formula(const expr& e) {
  std::string latex = to_latex(e);
  return latex.size() > longest_formula ? json(nullptr) : json(std::move(latex));
}

json named_formulas(const std::vector<named_expr>& formulas) {
  json list = json::array();
  for (const named_expr& f : formulas) {
    if (list.size() == most_listed) break;
    list.push_back({{"name", f.name}, {"symbol", symbol_to_latex(f.name)}, {"formula", formula(f.value)}});
  }
  return list;
}

json parameters_json(const lagrangian_system& system) {
  json list = json::array();
  const std::vector<double> values = parameter_values<double>(system);
  for (std::size_t k = 0; k < std::min(values.size(), most_listed); ++k) {
    const named_expr& p = system.parameters[k];
    list.push_back({{"name", p.name},
                    {"symbol", symbol_to_latex(p.name)},
                    {"formula", p.value.is_number() ? json(nullptr) : formula(p.value)},
                    {"value", brief(values[k])}});
  }
  return list;
}

// p_q of a cyclic coordinate is shown as what it is, ∂L/∂q'; a Noether momentum as the momenta that it is made of.
json conserved_json(const lagrangian_system& system) {
  json list = json::array();
  for (const conserved_momentum& c : conserved_momenta(system)) {
    expr value = c.value;
    if (c.origin == momentum_origin::cyclic && system.has_lagrangian() && !is_made_of_elements(system)) {
      for (const expr& q : system.coordinates) {
        if (value == momentum_symbol(q)) value = derivative(system.lagrangian, velocity_symbol(q));
      }
    }
    list.push_back({{"name", c.name}, {"symbol", symbol_to_latex(c.name)}, {"formula", formula(value)}});
  }
  return list;
}

// Where coordinates are many, formulas stand in the model's text, in indices; there is no expression with all of them.
json model_json(const model& m, const std::vector<std::size_t>& shown) {
  const lagrangian_system& system = m.system;
  const bool in_indices = is_made_of_elements(system) || system.size() > most_dense_coordinates;
  json coordinates = json::array(), equations = json::array(), forces = json::array();
  for (const std::size_t i : shown) {
    const std::string& name = system.coordinates[i].name();
    coordinates.push_back({{"name", name},
                           {"symbol", symbol_to_latex(name)},
                           {"velocity", symbol_to_latex(name + "'")},
                           {"momentum", symbol_to_latex("p_" + name)}});
    if (!in_indices && !system.forces.empty() && !system.forces[i].is_zero()) {
      forces.push_back({{"name", name}, {"symbol", symbol_to_latex(name)}, {"formula", formula(system.forces[i])}});
    }
  }
  if (!in_indices) {
    const std::vector<expr> stated = system.is_first_order() ? system.equations : equations_of_motion(system);
    for (const expr& e : stated) equations.push_back(formula(e));
  }
  if (system.applied_force) {
    forces.push_back({{"name", "applied"},
                      {"symbol", "\\text{applied}"},
                      {"formula", "F(t, q, \\dot{q}) \\text{, computed by the program}"}});
  }
  return {
      {"name", system.name},
      {"file", m.file},
      {"text", m.text},
      {"size", system.size()},
      {"in_indices", in_indices},
      {"coordinates", coordinates},
      {"first_order", system.is_first_order()},  // equations are then right-hand sides of y' = f, otherwise residuals
      {"lagrangian", system.has_lagrangian() && !in_indices ? formula(system.lagrangian) : json(nullptr)},
      {"hamiltonian", system.is_hamiltonian() ? formula(*system.hamiltonian) : json(nullptr)},  // then 2n equations
      {"equations", equations},
      {"forces", forces},
      {"constraints", in_indices ? json::array() : named_formulas(system.constraints)},
      {"conserved", conserved_json(system)},
      {"observables", named_formulas(system.observables)},
      {"parameters", parameters_json(system)}};
}

json method_json(const std::string& name) {
  const method* found = find_method(name);
  if (found == nullptr) return {{"name", name}};
  json references = json::array();
  for (const cited_work& work : cited_works(found->reference)) {
    references.push_back({{"authors", work.authors},
                          {"title", work.title},
                          {"venue", work.venue},
                          {"year", work.year},
                          {"doi", work.doi}});
  }
  return {{"name", found->name},
          {"aliases", found->aliases},
          {"summary", found->summary},
          {"formula", found->formula},
          {"order", found->traits.order},
          {"symplectic", found->traits.symplectic},
          {"symmetric", found->traits.symmetric},
          {"conserves_momenta", found->traits.conserves_momenta},
          {"conserves_energy", found->traits.conserves_energy},
          {"references", references}};
}

std::string status_name(run_status status) {
  switch (status) {
    case run_status::done: return "done";
    case run_status::interrupted: return "interrupted";
    case run_status::failed: break;
  }
  return "failed";
}

template <class S>
json state_json(const report_recorder<S>& recorder, const run_report<S>& report) {
  const auto& start = recorder.start();
  json first = json::array(), last = json::array();
  for (std::size_t k = 0; k < recorder.shown().size(); ++k) {
    const std::size_t i = recorder.shown()[k];
    const bool has_momentum = k < start.momentum.size();
    first.push_back({{"position", brief(start.position[k])},
                     {"velocity", brief(start.velocity[k])},
                     {"momentum", has_momentum ? brief(start.momentum[k]) : json(nullptr)}});
    last.push_back({{"position", precise(report.position[i])},
                    {"momentum", has_momentum ? json(precise(report.momentum[i])) : json(nullptr)}});
  }
  return {{"first_step", start.index}, {"first_time", brief(start.time)}, {"first", first}, {"last", last}};
}

template <class S>
json energy_json(const energy_record<S>& energy) {
  return {{"initial", brief(energy.initial)},
          {"final", brief(energy.final)},
          {"max_relative_error", brief(energy.max_relative_error, error_digits)},
          {"max_error", brief(energy.max_error, error_digits)},
          {"scale", brief(energy.scale, error_digits)},
          {"verdict", to_text(energy.drift.verdict)},
          {"supplied", energy.supplied},
          {"work", brief(energy.work)},
          {"drift",
           {{"per_time", real(energy.drift.per_time)},
            {"uncertainty", real(energy.drift.uncertainty)},
            {"grows", energy.drift.grows}}}};
}

template <class S>
json momenta_json(const run_report<S>& report) {
  json list = json::array();
  for (const conserved_record<S>& m : report.momenta) {
    const std::string_view verdict = m.max_error == S(0) ? "exact" : to_text(m.drift.verdict);
    list.push_back({{"name", m.name},
                    {"symbol", symbol_to_latex(m.name)},
                    {"initial", brief(m.initial)},
                    {"max_error", brief(m.max_error, error_digits)},
                    {"verdict", verdict}});
  }
  return list;
}

template <class S>
json observables_json(const run_report<S>& report) {
  json list = json::array();
  for (const observed_record<S>& o : report.observables) {
    list.push_back({{"name", o.name},
                    {"symbol", symbol_to_latex(o.name)},
                    {"initial", brief(o.initial)},
                    {"final", brief(o.final)},
                    {"smallest", brief(o.smallest)},
                    {"largest", brief(o.largest)},
                    {"not_finite", o.not_finite}});
  }
  return list;
}

template <class S>
json shadow_json(const std::optional<shadow_record<S>>& shadow) {
  if (!shadow || shadow->order == 0) return nullptr;
  return {{"order", shadow->order},
          {"initial", brief(shadow->energy.initial)},
          {"max_error", brief(shadow->energy.max_error, error_digits)},
          {"verdict", to_text(shadow->energy.drift.verdict)}};
}

template <class S>
json form_json(const std::optional<conserved_record<S>>& form) {
  if (!form) return nullptr;
  return {{"initial", brief(form->initial)},
          {"max_error", brief(form->max_error, error_digits)},
          {"verdict", to_text(form->drift.verdict)}};
}

json motion_json(const std::optional<motion_record>& motion) {
  if (!motion) return nullptr;
  return {{"position_error", brief(motion->position_error, error_digits)},
          {"momentum_error", brief(motion->momentum_error, error_digits)},
          {"exceeds_after", motion->exceeds_after ? brief(*motion->exceeds_after, 6) : json(nullptr)},
          {"by", motion->by}};
}

template <class S>
json constraints_json(const run_report<S>& report) {
  if (report.constraint_names.empty()) return nullptr;
  const start_projection<S>& moved = report.projection;
  const bool is_projected = moved.position > S(0) || moved.momentum > S(0);
  json names = json::array();
  for (std::size_t k = 0; k < std::min(report.constraint_names.size(), most_listed); ++k) {
    names.push_back(report.constraint_names[k]);
  }
  return {{"names", names},
          {"count", report.constraint_names.size()},
          {"max_violation", brief(report.constraints.max_violation, error_digits)},
          {"max_hidden_violation", brief(report.constraints.max_hidden_violation, error_digits)},
          {"projection", is_projected ? json{{"position", brief(moved.position, error_digits)},
                                             {"momentum", brief(moved.momentum, error_digits)}}
                                      : json(nullptr)}};
}

std::string_view name_of(report_quantity quantity) {
  switch (quantity) {
    case report_quantity::coordinate: return "coordinate";
    case report_quantity::momentum: return "momentum";
    case report_quantity::energy: return "energy";
    case report_quantity::work: return "work";
    case report_quantity::energy_error: return "energy_error";
    case report_quantity::shadow_error: return "shadow_error";
    case report_quantity::conserved_error: return "conserved_error";
    case report_quantity::observable: return "observable";
    case report_quantity::multiplier: return "multiplier";
    case report_quantity::violation: return "violation";
    case report_quantity::iterations: break;
  }
  return "iterations";
}

json column_json(const report_column& column, json values) {
  return {{"quantity", name_of(column.quantity)},
          {"name", column.name},
          {"symbol", symbol_to_latex(column.name)},
          {"values", std::move(values)}};
}

// The recorder measures from the start that it saw; the certificate from the very first one, before any resumption.
template <class S>
json series_json(const run_report<S>& report, const report_recorder<S>& recorder) {
  const auto& start = recorder.start();
  const thinned_series& series = recorder.series();
  const energy_record<S>& energy = report.energy;
  json columns = json::array();
  for (std::size_t k = 0; k < recorder.columns().size(); ++k) {
    const report_column& column = recorder.columns()[k];
    S factor(1), shift(0);
    if (column.quantity == report_quantity::work) shift = energy.work - recorder.work();
    if (column.quantity == report_quantity::energy_error) {
      factor = S(1) / energy.reference;
      shift = ((start.energy - energy.initial) - (energy.work - recorder.work())) * factor;
    } else if (column.quantity == report_quantity::shadow_error) {
      factor = S(1) / energy.reference;
    } else if (column.quantity == report_quantity::conserved_error) {
      shift = start.momenta[column.index] - report.momenta[column.index].initial;
    }
    columns.push_back(column_json(column, drawn(series.values(k), to_double(factor), to_double(shift))));
  }
  return {{"rows", series.rows()}, {"width", series.width()}, {"times", series.times()}, {"columns", columns}};
}

template <class S>
json portrait_json(const report_recorder<S>& recorder) {
  json columns = json::array();
  for (std::size_t k = 0; k < recorder.phase_columns().size(); ++k) {
    columns.push_back(column_json(recorder.phase_columns()[k], drawn(recorder.phase_points().values(k))));
  }
  return {{"stride", recorder.phase_points().stride()}, {"columns", columns}};
}

json cell_json(const comparison_cell& cell, bool has_energy) {
  return {{"step", cell.step},
          {"step_value", real(cell.step_value)},
          {"steps", cell.steps},
          {"error", real(cell.error)},
          {"momentum_error", has_energy ? real(cell.momentum_error) : json(nullptr)},
          {"energy_error", has_energy ? real(cell.energy_error) : json(nullptr)},
          {"seconds", real(cell.seconds)},
          {"mean_iterations", real(cell.mean_iterations)},
          {"order", cell.order ? real(*cell.order) : json(nullptr)},
          {"status", cell.status}};
}

// Text of the user may be bytes that are not UTF-8; they must not stop a report.
std::string ascii(const json& data) { return data.dump(-1, ' ', true, json::error_handler_t::replace); }

}  // namespace

std::string model_data(const model& m) { return ascii(model_json(m, shown_coordinates(m.system, {}))); }

template <class S>
std::string report_page(const run_report<S>& report, const report_recorder<S>& recorder, const model& m,
                        const report_context& context) {
  json data = {{"kind", "run"},
               {"version", context.version},
               {"command", context.command},
               {"model", model_json(m, recorder.shown())},
               {"method", method_json(report.method)},
               {"run",
                {{"precision", report.precision},
                 {"step", brief(report.step)},
                 {"steps", report.steps},
                 {"time", brief(report.time)},
                 {"status", status_name(report.status)},
                 {"reason", report.reason},
                 {"suggestion", report.suggestion},
                 {"mean_iterations", real(report.mean_iterations)},
                 {"max_iterations", report.max_iterations},
                 {"seconds", real(report.seconds)},
                 {"setup_seconds", real(report.setup_seconds)}}},
               {"energy", report.has_energy ? energy_json(report.energy) : json(nullptr)},
               {"shadow", shadow_json(report.shadow)},
               {"form", form_json(report.form)},
               {"momenta", momenta_json(report)},
               {"observables", observables_json(report)},
               {"motion", motion_json(report.motion)},
               {"trust", report.trust.reasons},
               {"constraints", constraints_json(report)}};
  if (!recorder.is_empty()) {
    data["state"] = state_json(recorder, report);
    data["series"] = series_json(report, recorder);
    if (recorder.phase_columns().size() > 1) data["portrait"] = portrait_json(recorder);
    data["fields"] = fields_json(recorder.fields());
    if (recorder.frames() != nullptr) data["view"] = view_json(m.view, m.system, *recorder.frames());
  }
  return page_with(ascii(data), fmt::format("{}: {}", report.model, report.method), to_text(report));
}

std::string comparison_page(const comparison& result, const model& m, const report_context& context) {
  json methods = json::array();
  for (const comparison_cell& cell : result.cells) {
    if (methods.empty() || methods.back()["name"] != cell.method) {
      methods.push_back(method_json(cell.method));
      methods.back()["name"] = cell.method;
      methods.back()["cells"] = json::array();
    }
    methods.back()["cells"].push_back(cell_json(cell, result.has_energy));
  }
  const json data = {{"kind", "comparison"},
                     {"version", context.version},
                     {"command", context.command},
                     {"model", json::parse(model_data(m))},
                     {"reference", result.reference},
                     {"until", real(result.until)},
                     {"methods", methods}};
  return page_with(ascii(data), fmt::format("{}: methods compared", m.system.name), "This page needs JavaScript.");
}

#define ACTIO_INSTANTIATE(S)                                                                         \
  template std::string report_page<S>(const run_report<S>&, const report_recorder<S>&, const model&, \
                                      const report_context&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
