#include "actio/io/json_report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "actio/expr/indices.hpp"
#include "actio/expr/print.hpp"

namespace actio {

namespace {

using json = nlohmann::ordered_json;

json real(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

template <class S>
json number(const S& value) {
  if (!is_finite(value)) return nullptr;
  if constexpr (std::same_as<S, double>) return value;
  else return to_digits(value);
}

// Quantities that a system does not have, such as momenta without a Lagrangian, leave an empty object.
// Members q[1], q[2], … are an array "q", those of two indices arrays of arrays.
template <class S>
json by_name(const std::vector<std::string>& names, const std::vector<S>& values) {
  json object = json::object();
  if (values.empty()) return object;
  for (const name_block& block : blocks_of_names(names)) {
    if (!block.is_array()) {
      object[block.name] = number(values[block.first]);
      continue;
    }
    std::vector<json> parts;
    for (std::size_t i = 0; i < block.count; ++i) parts.push_back(number(values[block.first + i]));
    for (std::size_t k = block.extents.size(); k-- > 0;) {  // rows of the last index first
      std::vector<json> rows;
      for (std::size_t i = 0; i < parts.size(); i += block.extents[k]) {
        json row = json::array();
        for (std::size_t j = 0; j < block.extents[k]; ++j) row.push_back(std::move(parts[i + j]));
        rows.push_back(std::move(row));
      }
      parts = std::move(rows);
    }
    object[block.name] = std::move(parts.front());
  }
  return object;
}

// Text of the user goes through here: bytes that are not UTF-8 must not stop a report.
std::string written(const json& object) { return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

template <class S>
json energy_json(const energy_record<S>& energy) {
  json object = {{"initial", number(energy.initial)},
                 {"final", number(energy.final)},
                 {"max_relative_error", number(energy.max_relative_error)},
                 {"max_error", number(energy.max_error)},
                 {"scale", number(energy.scale)},
                 {"verdict", to_text(energy.drift.verdict)}};
  if (energy.supplied) object["work"] = number(energy.work);
  object["drift"] = {{"per_time", real(energy.drift.per_time)},
                     {"uncertainty", real(energy.drift.uncertainty)},
                     {"grows", energy.drift.grows}};
  return object;
}

// The keys stay where there is no energy.
json no_energy_json() {
  return {{"initial", nullptr},
          {"final", nullptr},
          {"max_relative_error", nullptr},
          {"max_error", nullptr},
          {"scale", nullptr},
          {"verdict", nullptr},
          {"drift", {{"per_time", nullptr}, {"uncertainty", nullptr}, {"grows", nullptr}}}};
}

template <class S>
json conserved_json(const conserved_record<S>& m) {
  json object = {{"initial", number(m.initial)},
                 {"max_error", number(m.max_error)},
                 {"scale", number(m.scale)},
                 {"verdict", to_text(m.drift.verdict)}};
  if (m.changes > 0) {
    object["final"] = number(m.final);
    object["changed_by_events"] = {{"times", m.changes}, {"in_all", number(m.change)}};
  }
  return object;
}

template <class S>
json shadow_json(const shadow_record<S>& shadow) {
  if (shadow.order == 0) return nullptr;
  json orders = json::object();
  for (const auto& tried : shadow.all) orders[std::to_string(tried.order)] = number(tried.max_error);
  return {{"order", shadow.order},
          {"initial", number(shadow.energy.initial)},
          {"uncertainty", number(shadow.uncertainty)},
          {"max_error", number(shadow.energy.max_error)},
          {"verdict", to_text(shadow.energy.drift.verdict)},
          {"drift",
           {{"per_time", real(shadow.energy.drift.per_time)},
            {"uncertainty", real(shadow.energy.drift.uncertainty)},
            {"grows", shadow.energy.drift.grows}}},
          {"max_errors", orders}};
}

// Momenta, or declared invariants.
template <class S>
json conserved_json(const std::vector<conserved_record<S>>& conserved, bool invariants) {
  json object = json::object();
  for (const conserved_record<S>& m : conserved) {
    if (m.is_invariant != invariants) continue;
    object[m.name] = conserved_json(m);
  }
  return object;
}

json motion_json(const motion_record& motion) {
  json object = {{"estimated_error", real(motion.estimated_error)},
                 {"position_error", real(motion.position_error)},
                 {"momentum_error", real(motion.momentum_error)},
                 {"relative_error", real(motion.relative_error)}};
  if (motion.exceeds_after) object["exceeds_after"] = real(*motion.exceeds_after);
  object["by"] = motion.by;
  return object;
}

template <class S>
json constraints_json(const run_report<S>& report) {
  json object = {{"max_violation", number(report.constraints.max_violation)}};
  if (report.constraint_names.empty()) return object;
  object["max_hidden_violation"] = number(report.constraints.max_hidden_violation);
  object["count"] = report.constraint_names.size();
  constexpr std::size_t most_named = 100;
  if (report.constraint_names.size() <= most_named) object["names"] = report.constraint_names;
  object["projection"] = {{"position", number(report.projection.position)},
                          {"momentum", number(report.projection.momentum)}};
  return object;
}

template <class S>
json observables_json(const std::vector<observed_record<S>>& observables) {
  json object = json::object();
  for (const observed_record<S>& o : observables) {
    object[o.name] = {{"initial", number(o.initial)},
                      {"final", number(o.final)},
                      {"smallest", number(o.smallest)},
                      {"largest", number(o.largest)}};
    if (o.not_finite > 0) {
      object[o.name]["not_finite"] = {{"points", o.not_finite}, {"first_time", number(o.first_not_finite)}};
    }
  }
  return object;
}

std::string status_name(run_status status) {
  switch (status) {
    case run_status::done: return "done";
    case run_status::interrupted: return "interrupted";
    case run_status::failed: break;
  }
  return "failed";
}

json choice_json(const choice_record& choice) {
  return {{"method", choice.method},
          {"step", choice.step},
          {"kind", choice.kind},
          {"work", real(choice.work)},
          {"accuracy", real(choice.accuracy)},
          {"estimated_error", real(choice.estimated_error)},
          {"reason", choice.reason},
          {"command", choice.command}};
}

json cell_json(const comparison_cell& cell, bool has_energy) {
  return {{"method", cell.method},
          {"step", cell.step},
          {"step_value", real(cell.step_value)},
          {"steps", cell.steps},
          {"error", real(cell.error)},
          {"momentum_error", has_energy ? real(cell.momentum_error) : json(nullptr)},
          {"order", cell.order ? real(*cell.order) : json(nullptr)},
          {"energy_error", has_energy ? real(cell.energy_error) : json(nullptr)},
          {"mean_iterations", real(cell.mean_iterations)},
          {"seconds", real(cell.seconds)},
          {"status", cell.status}};
}

json row_json(const verification_row& row) {
  return {{"method", row.method},           {"property", row.property},
          {"system", row.system},           {"declared", row.declared},
          {"measured", real(row.measured)}, {"criterion", row.criterion},
          {"precision", row.precision},     {"passed", row.passed}};
}

json structure_json(const model_structure& structure, bool has_lagrangian) {
  if (!has_lagrangian) {
    return {{"quadratic", nullptr},
            {"constant_mass", nullptr},
            {"separable", nullptr},
            {"time_dependent", structure.is_time_dependent},
            {"forced", false}};
  }
  return {{"quadratic", structure.is_quadratic},
          {"constant_mass", structure.has_constant_mass},
          {"separable", structure.is_separable},
          {"time_dependent", structure.is_time_dependent},
          {"forced", structure.is_forced}};
}

json matrix_json(const matrix<double>& a) {
  json rows = json::array();
  for (std::size_t i = 0; i < a.rows(); ++i) {
    json row = json::array();
    for (std::size_t j = 0; j < a.columns(); ++j) row.push_back(real(a(i, j)));
    rows.push_back(row);
  }
  return rows;
}

json form_json(const std::optional<form_facts>& form) {
  if (!form) return nullptr;
  return {{"step", real(form->step)},
          {"initial", real(form->initial)},
          {"xi", matrix_json(form->xi)},
          {"eta", matrix_json(form->eta)},
          {"zeta", matrix_json(form->zeta)}};
}

json linear_json(const std::optional<linear_facts>& linear) {
  if (!linear) return nullptr;
  json modes = json::array();
  for (const damped_mode& one : linear->damped) {
    modes.push_back({{"frequency", real(one.frequency)}, {"decay", real(one.decay)}});
  }
  json intervals = json::array();
  for (const stable_interval& i : linear->stable_intervals) intervals.push_back({real(i.from), real(i.to)});
  return {{"mass", matrix_json(linear->mass)},
          {"stiffness", matrix_json(linear->stiffness)},
          {"damping", linear->damping.rows() > 0 ? matrix_json(linear->damping) : json(nullptr)},
          {"load", linear->varying.empty() ? json(linear->load) : json(linear->varying)},
          {"frequencies", linear->frequencies},
          {"damped_modes", modes},
          {"method", linear->method},
          {"stability_limit", linear->stability ? real(*linear->stability) : json(nullptr)},
          {"stable_intervals", intervals},
          {"longest_step", linear->stability ? json(linear->longest_step) : json(nullptr)},
          {"sure_step", linear->sure_step ? real(*linear->sure_step) : json(nullptr)},
          {"phi", form_json(linear->form)}};
}

json formulas_json(const std::vector<named_expr>& formulas) {
  json object = json::object();
  for (const named_expr& f : formulas) object[f.name] = to_text(f.value);
  return object;
}

json forces_json(const lagrangian_system& system) {
  json object = json::object();
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    if (!system.forces[i].is_zero()) object[system.coordinates[i].name()] = to_text(system.forces[i]);
  }
  return object;
}

}  // namespace

template <class S>
json events_json(const run_report<S>& report) {
  json list = json::array();
  for (std::size_t k = 0; k < report.events.size(); ++k) {
    const event_record<S> e = report.events[k];
    list.push_back({{"name", e.name},
                    {"time", number(e.time)},
                    {"position", by_name(report.coordinates, e.position)},
                    {"momentum", by_name(report.coordinates, e.momentum)}});
  }
  return list;
}

template <class S>
json holdings_json(const run_report<S>& report) {
  json list = json::array();
  for (const holding_record<S>& each : report.holdings) {
    list.push_back({{"name", each.name},
                    {"times", each.times},
                    {"first", number(each.first)},
                    {"last", number(each.last)},
                    {"duration", number(each.duration)},
                    {"at_end", each.holds}});
  }
  return list;
}

template <class S>
json controls_json(const control_samples<S>& controls) {
  json object = json::object();
  for (std::size_t c = 0; c < controls.names.size(); ++c) {
    json times = json::array(), values = json::array();
    for (std::size_t k = 0; k < controls.times.size(); ++k) {
      times.push_back(number(controls.times[k]));
      values.push_back(number(controls.values[k * controls.names.size() + c]));
    }
    object[controls.names[c]] = {{"times", times}, {"values", values}};
  }
  return object;
}

template <class S>
std::string to_json(const run_report<S>& report) {
  json object = {{"model", report.model},
                 {"method", report.method},
                 {"precision", report.precision},
                 {"step", report.accuracy > 0 ? json("auto") : json(number(report.step))},
                 {"steps", report.steps},
                 {"time", number(report.time)},
                 {"position", by_name(report.coordinates, report.position)},
                 {"momentum", by_name(report.coordinates, report.momentum)},
                 {"energy", report.has_energy ? energy_json(report.energy) : no_energy_json()},
                 {"momenta", conserved_json(report.momenta, false)},
                 {"constraints", constraints_json(report)},
                 {"solver",
                  {{"mean_iterations", real(report.mean_iterations)},
                   {"max_iterations", report.max_iterations},
                   {"newton_steps", report.newton_steps}}},
                 {"backend", report.backend}};
  if (json invariants = conserved_json(report.momenta, true); !invariants.empty()) object["invariants"] = invariants;
  if (report.form) object["phi"] = conserved_json(*report.form);
  if (report.shadow) object["shadow"] = shadow_json(*report.shadow);
  if (report.motion) object["motion"] = motion_json(*report.motion);
  object["trust"] = {{"verdict", report.trust.is_trusted() ? "trusted" : "doubtful"},
                     {"reasons", report.trust.reasons}};
  if (report.watches_events) {
    object["events"] = events_json(report);
    object["event_count"] = report.event_count;
  }
  if (!report.holdings.empty()) object["held"] = holdings_json(report);
  if (!report.controls.names.empty()) object["controls"] = controls_json(report.controls);
  if (report.choice) object["choice"] = choice_json(*report.choice);
  if (!report.observables.empty()) object["observables"] = observables_json(report.observables);
  object["setup_seconds"] = real(report.setup_seconds);
  object["seconds"] = real(report.seconds);
  object["status"] = status_name(report.status);
  if (report.status == run_status::failed) {
    object["failure"] = report.failure == step_code::ok ? "output" : to_text(report.failure);
    object["reason"] = report.reason;
    object["suggestion"] = report.suggestion;
  } else if (!report.reason.empty()) {
    object["reason"] = report.reason;
  }
  return written(object);
}

std::string to_json(const comparison& result) {
  json object = {{"reference", result.reference}, {"until", real(result.until)}, {"cells", json::array()}};
  for (const comparison_cell& cell : result.cells) object["cells"].push_back(cell_json(cell, result.has_energy));
  return written(object);
}

std::string to_json(const std::vector<verification_row>& rows) {
  json object = {{"rows", json::array()}, {"failed", 0}};
  std::size_t failed = 0;
  for (const verification_row& row : rows) {
    object["rows"].push_back(row_json(row));
    if (!row.passed) ++failed;
  }
  object["failed"] = failed;
  return written(object);
}

std::string to_json(const model& m, const model_facts& facts) {
  const lagrangian_system& system = m.system;
  const std::vector<std::string> names = system.coordinate_names();
  json parameters = json::object(), equations = json::array(), momenta = json::object();
  for (std::size_t k = 0; k < system.parameters.size(); ++k) {
    parameters[system.parameters[k].name] = {{"value", real(facts.parameters[k])},
                                             {"formula", to_text(system.parameters[k].value)}};
  }
  for (const expr& e : facts.equations) equations.push_back(to_text(e));
  for (const momentum_fact& f : facts.momenta) {
    json generator = json::object();
    for (std::size_t i = 0; i < f.generator.size(); ++i) {
      if (!f.generator[i].is_zero()) generator[names[i]] = to_text(f.generator[i]);
    }
    momenta[f.name] = {{"formula", to_text(f.formula)},
                       {"initial", real(f.initial)},
                       {"origin", to_text(f.origin)},
                       {"generator", generator}};
  }
  json initial = {{"position", by_name(names, facts.position)},
                  {"velocity", by_name(names, facts.velocity)},
                  {"momentum", by_name(names, facts.momentum)},
                  {"energy", system.is_first_order() ? json(nullptr) : real(facts.energy)}};
  initial["zero"] = m.initial.left_out;  // not given
  if (facts.projection) {
    initial["projection"] = {{"position", real(facts.projection->position)},
                             {"momentum", real(facts.projection->momentum)}};
  }
  return written({{"model", system.name},
                  {"file", m.file},
                  {"coordinates", names},
                  {"parameters", parameters},
                  {"definitions", formulas_json(system.definitions)},
                  {"lagrangian", system.has_lagrangian() ? json(to_text(system.lagrangian)) : json(nullptr)},
                  {"hamiltonian", system.is_hamiltonian() ? json(to_text(*system.hamiltonian)) : json(nullptr)},
                  {"forces", forces_json(system)},
                  {"constraints", formulas_json(system.constraints)},
                  {"observables", formulas_json(system.observables)},
                  {"equations", equations},
                  {"structure", structure_json(facts.structure, !system.is_first_order())},
                  {"linear", linear_json(facts.linear)},
                  {"cyclic", facts.cyclic},
                  {"momenta", momenta},
                  {"symmetry_search", {{"extent", to_text(facts.searched)}, {"untracked", facts.untracked_symmetries}}},
                  {"initial", initial},
                  {"operations",
                   {{"value", facts.value_operations},
                    {"gradient", system.is_first_order() ? json(nullptr) : json(facts.gradient_operations)}}}});
}

std::string to_json(const std::vector<std::reference_wrapper<const method>>& methods) {
  json list = json::array();
  for (const method& m : methods) {
    list.push_back({{"name", m.name},
                    {"aliases", m.aliases},
                    {"order", m.traits.order},
                    {"symplectic", m.traits.symplectic},
                    {"symmetric", m.traits.symmetric},
                    {"conserves_momenta", m.traits.conserves_momenta},
                    {"conserves_energy", m.traits.conserves_energy},
                    {"holds_constraints", m.holds_constraints},
                    {"chooses_steps", m.chooses_steps},
                    {"needs", m.needs.empty() ? json(nullptr) : json(m.needs)},
                    {"summary", m.summary},
                    {"formula", m.formula},
                    {"reference", m.reference}});
  }
  return written({{"methods", list}});
}

#define ACTIO_INSTANTIATE(S) template std::string to_json<S>(const run_report<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
