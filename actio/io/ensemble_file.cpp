#include "actio/io/ensemble_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/io/run_recipe.hpp"

namespace actio {

namespace {

// Places among the values that vary at which parameters stand; the others are initial data and have their own columns.
std::vector<std::size_t> varied_parameters(const ensemble_plan& plan) {
  std::vector<std::size_t> places;
  const auto& parameters = plan.base().system.parameters;
  for (std::size_t v = 0; v < plan.names().size(); ++v) {
    if (std::ranges::find(parameters, plan.names()[v], &named_expr::name) != parameters.end()) places.push_back(v);
  }
  return places;
}

}  // namespace

std::vector<std::string> ensemble_columns(const ensemble_plan& plan) {
  const lagrangian_system& system = plan.base().system;
  std::vector<std::string> columns{"trajectory"};
  for (const std::size_t v : varied_parameters(plan)) columns.push_back(plan.names()[v]);
  for (const char* suffix : {"(0)", ""}) {
    for (const std::string& name : system.coordinate_names()) columns.push_back(name + suffix);
    for (const expr& p : system.momenta()) columns.push_back(p.name() + suffix);
  }
  if (!system.is_first_order()) {
    columns.emplace_back("energy_error");
    for (const conserved_momentum& m : conserved_momenta(system)) columns.push_back("error(" + m.name + ")");
  }
  columns.emplace_back("steps");
  columns.emplace_back("status");
  return columns;
}

void ensemble_row(const ensemble_plan& plan, const trajectory_result& result, std::vector<double>& row) {
  row.assign(1, static_cast<double>(result.index));
  for (const std::size_t v : varied_parameters(plan)) row.push_back(result.start.values[v]);
  for (const auto* part : {&result.start.position, &result.start.momentum, &result.position, &result.momentum}) {
    row.insert(row.end(), part->begin(), part->end());
  }
  if (!plan.base().system.is_first_order()) {
    row.push_back(result.energy_error);
    row.insert(row.end(), result.momentum_errors.begin(), result.momentum_errors.end());
  }
  row.push_back(static_cast<double>(result.steps));
  row.push_back(static_cast<double>(result.status));
}

run_metadata ensemble_metadata(const ensemble_plan& plan, const ensemble_options& options) {
  std::string sweeps, samples;
  for (const swept_variable& s : plan.variation().sweeps) {
    sweeps += fmt::format("{}={}:{}:{}\n", s.name, s.from, s.to, s.count);
  }
  for (const random_variable& r : plan.variation().samples) {
    const char* kind = r.kind == distribution::normal ? "normal" : "uniform";
    samples += fmt::format("{}={}({},{})\n", r.name, kind, r.first, r.second);
  }
  std::string parameters;
  const std::vector<double> values = parameter_values<double>(plan.base().system);
  for (std::size_t k = 0; k < values.size(); ++k) {
    parameters += fmt::format("{}={}\n", plan.base().system.parameters[k].name, values[k]);
  }
  return {{"model", plan.base().text},
          {"model_file", plan.base().file},
          {"parameters", parameters},
          {"sweep", sweeps},
          {"sample", samples},
          {"count", std::to_string(plan.variation().count)},
          {"seed", std::to_string(plan.variation().seed)},
          {"method", options.integrator.method},
          {"step", fmt::format("{}", options.integrator.step)},
          {"steps", std::to_string(options.steps)},
          {"precision", "double"},
          {"version", program_version()}};
}

}  // namespace actio
