#include "actio/io/ensemble_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "actio/io/comparing_sink.hpp"
#include "actio/io/json_report.hpp"

namespace actio {

namespace {

constexpr const char *crossing_table = "poincare", *event_table = "events";

// Places among the values that vary at which parameters stand; the others are initial data and have their own columns.
std::vector<std::size_t> varied_parameters(const ensemble_plan& plan) {
  std::vector<std::size_t> places;
  const auto& parameters = plan.base().system.parameters;
  for (std::size_t v = 0; v < plan.names().size(); ++v) {
    if (std::ranges::find(parameters, plan.names()[v], &named_expr::name) != parameters.end()) places.push_back(v);
  }
  return places;
}

std::vector<std::string> state_columns(const lagrangian_system& system, const char* suffix = "") {
  std::vector<std::string> columns;
  for (const std::string& name : system.coordinate_names()) columns.push_back(name + suffix);
  for (const expr& p : system.momenta()) columns.push_back(p.name() + suffix);
  return columns;
}

std::vector<std::string> result_columns(const ensemble_plan& plan, bool with_lyapunov) {
  const lagrangian_system& system = plan.base().system;
  std::vector<std::string> columns{"trajectory"};
  for (const std::size_t v : varied_parameters(plan)) columns.push_back(plan.names()[v]);
  for (const char* suffix : {"(0)", ""}) {
    for (std::string& name : state_columns(system, suffix)) columns.push_back(std::move(name));
  }
  if (!system.is_first_order()) {
    columns.emplace_back("energy_error");
    for (const conserved_momentum& m : conserved_momenta(system)) columns.push_back("error(" + m.name + ")");
  }
  if (with_lyapunov) columns.emplace_back("lyapunov");
  columns.emplace_back("steps");
  columns.emplace_back("status");
  return columns;
}

std::vector<std::string> crossing_columns(const ensemble_plan& plan) {
  std::vector<std::string> columns{"trajectory", "t"};
  for (std::string& name : state_columns(plan.base().system)) columns.push_back(std::move(name));
  return columns;
}

// What an ensemble needs so that it can be made again: model and options, what varied, the seed; beside them what came
// out of these.
run_metadata ensemble_metadata(const ensemble_plan& plan, const ensemble_options& options, const run_recipe& recipe) {
  std::string sweeps, samples;
  for (const swept_variable& s : plan.variation().sweeps) {
    sweeps += to_text(s) + "\n";
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
  std::string event_names;
  for (const model_event& event : plan.base().events) event_names += event.name + "\n";
  run_metadata metadata = metadata_of(recipe);
  std::erase_if(metadata, [](const auto& entry) { return entry.first == "seed"; });
  metadata.insert(metadata.end(), {{"kind", "ensemble"},
                                   {"parameters", parameters},
                                   {"sweep", sweeps},
                                   {"sample", samples},
                                   {"count", std::to_string(plan.variation().count)},
                                   {"seed", std::to_string(plan.variation().seed)},
                                   {"method", options.integrator.method},
                                   {"step", fmt::format("{}", options.integrator.step)},
                                   {"steps", std::to_string(options.steps)},
                                   {"events", event_names},
                                   {"poincare", options.poincare ? options.poincare->text : ""},
                                   {"lyapunov", options.lyapunov ? "true" : "false"}});
  return metadata;
}

std::vector<sink_table> more_tables(const ensemble_plan& plan, const ensemble_options& options) {
  std::vector<sink_table> tables;
  if (options.poincare) tables.push_back({crossing_table, crossing_columns(plan)});
  if (plan.base().events.empty()) return tables;
  std::vector<std::string> columns = crossing_columns(plan);
  columns.insert(columns.begin() + 1, "event");
  tables.push_back({event_table, std::move(columns)});
  return tables;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

}  // namespace

ensemble_file::ensemble_file(const ensemble_plan& plan, const ensemble_options& options)
    : plan_(plan),
      with_lyapunov_(options.lyapunov),
      with_crossings_(options.poincare.has_value()),
      a_crossing_(1 + plan.base().system.size() + plan.base().system.momenta().size()),
      varied_(varied_parameters(plan)) {}

ensemble_file::ensemble_file(const source_text& path, const ensemble_plan& plan, const ensemble_options& options,
                             const run_recipe& recipe)
    : ensemble_file(plan, options) {
  const sink_request request{.path = path,
                             .columns = result_columns(plan, options.lyapunov),
                             .metadata = ensemble_metadata(plan, options, recipe),
                             .keep_rows = 0,
                             .more = more_tables(plan, options)};
  files_ = files_of(request);
  sink_ = open_sink<double>(request);
  sink_->flush();  // without the rhythm: making a file takes longer than filling it
}

ensemble_file::ensemble_file(const std::string& path, const ensemble_plan& plan, const ensemble_options& options,
                             std::string& difference)
    : ensemble_file(plan, options) {
  sink_ = std::make_unique<comparing_sink<double>>(path, result_columns(plan, options.lyapunov),
                                                   more_tables(plan, options), difference);
}

void ensemble_file::flush() {
  rhythm_.carry_out([&] { sink_->flush(); });
}

void ensemble_file::pause() {
  if (rhythm_.is_affordable()) flush();
}

void ensemble_file::append_events(const trajectory_result& result) {
  const event_list<double>& all = result.events;
  const auto& known = plan_.base().events;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto event = std::ranges::find(known, all.name(k), &model_event::name) - known.begin();
    row_.assign({static_cast<double>(result.index), static_cast<double>(event), all.times()[k]});
    for (const auto part : {all.position(k), all.momentum(k)}) row_.insert(row_.end(), part.begin(), part.end());
    sink_->append_to(with_crossings_ ? 1 : 0, row_);
  }
}

void ensemble_file::append(const trajectory_result& result) {
  if (sink_->failed()) return;
  const auto index = static_cast<double>(result.index);
  for (auto at = result.crossings.begin(); at != result.crossings.end(); at += static_cast<long>(a_crossing_)) {
    row_.assign(1, index);
    row_.insert(row_.end(), at, at + static_cast<long>(a_crossing_));
    sink_->append_to(0, row_);
  }
  append_events(result);
  row_.assign(1, index);
  for (const std::size_t v : varied_) row_.push_back(result.start.values[v]);
  for (const auto* part : {&result.start.position, &result.start.momentum, &result.position, &result.momentum}) {
    row_.insert(row_.end(), part->begin(), part->end());
  }
  if (!plan_.base().system.is_first_order()) {
    row_.push_back(result.energy_error);
    row_.insert(row_.end(), result.momentum_errors.begin(), result.momentum_errors.end());
  }
  if (with_lyapunov_) row_.push_back(result.lyapunov);
  row_.push_back(static_cast<double>(result.steps));
  row_.push_back(static_cast<double>(result.status));
  sink_->append(row_);
}

std::string ensemble_file::close(const ensemble_report* report) {
  if (report) sink_->annotate("summary", to_json(*report));
  sink_->close();
  return sink_->error();
}

std::vector<std::string> files_of(const source_text& path, const ensemble_plan& plan, const ensemble_options& options) {
  return files_of(sink_request{.path = path, .columns = {}, .more = more_tables(plan, options)});
}

ensemble_recipe ensemble_recipe_in(const trajectory_file& file, const std::string& path) {
  if (file.text("kind") != "ensemble") {
    throw input_error("trajectory-damaged", fmt::format("'{}' does not hold an ensemble", path), {path, 0, 0},
                      "repeat it as a run, with @again");
  }
  ensemble_recipe recipe;
  recipe.run = recipe_in(file, path);
  recipe.sweeps = lines_in(file.text("sweep"));
  recipe.samples = lines_in(file.text("sample"));
  recipe.count = file.text("count");
  recipe.seed = file.text("seed");
  recipe.poincare = file.text("poincare");
  recipe.lyapunov = file.text("lyapunov") == "true";
  recipe.interrupted_after = interruption_in(file.text("summary"), "count");
  return recipe;
}

}  // namespace actio
