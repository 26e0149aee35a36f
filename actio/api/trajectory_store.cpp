#include "actio/api/trajectory_store.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "actio/io/row_sink.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/io/trajectory_file.hpp"

namespace actio {

namespace {

template <class S>
void save_rows(const sink_request& request, const trajectory_table<S>& table, const std::string& certificate) {
  const auto sink = open_sink<S>(request);
  std::vector<S> row(table.columns.size());
  const std::size_t rows = table.columns.empty() ? 0 : table.columns.front().size();
  for (std::size_t k = 0; k < rows && !sink->failed(); ++k) {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = table.columns[c][k];
    sink->append(row);
  }
  sink->annotate("certificate", certificate);
  sink->close();
  if (!sink->failed()) return;
  throw input_error("output-unwritable",
                    fmt::format("the output '{}' could not be written beyond its first {} rows: {}", request.path.text,
                                sink->kept_rows(), sink->error()),
                    request.path.origin, "make room, or write to another place");
}

stored_table table_in(const trajectory_file& file) {
  stored_table table{file.columns(), {}};
  for (const std::string& name : table.names) {
    if (file.holds_doubles(name)) table.columns.emplace_back(file.numbers(name, 0, file.rows()));
    else table.columns.emplace_back(file.values(name, 0, file.rows()));
  }
  return table;
}

}  // namespace

void save_trajectory(const model& m, const std::vector<source_text>& assignments, const simulation_result& result,
                     const source_text& path) {
  require_repeatable(m, path);
  std::visit(
      [&]<class S>(const simulated<S>& run) {
        save_rows<S>({.path = path,
                      .columns = run.trajectory.names,
                      .metadata = metadata_of(recipe_of(m, assignments, result.options))},
                     run.trajectory, result.json);
      },
      result.numbers);
}

stored_trajectory load_trajectory(const std::string& path) {
  const trajectory_file file = trajectory_file::open(path);
  const run_recipe recipe = recipe_in(file, path);
  stored_trajectory stored{.kind = file.text("kind") == "ensemble" ? "ensemble" : "run",
                           .certificate = {},
                           .model_text = recipe.model_text,
                           .model_file = recipe.model_file,
                           .assignments = recipe.assignments,
                           .options = recipe.options,
                           .table = table_in(file),
                           .crossings = {},
                           .events = {}};
  stored.certificate = file.text(stored.kind == "ensemble" ? "summary" : "certificate");
  if (!stored.certificate.empty() && !nlohmann::json::parse(stored.certificate, nullptr, false).is_object()) {
    throw input_error("trajectory-damaged", fmt::format("the certificate in '{}' cannot be read", path), {path, 0, 0},
                      "give a file that a run with @output=FILE.h5 wrote");
  }
  if (!file.text("events").empty()) stored.events = table_in(trajectory_file::open(path, "events"));
  if (!file.text("poincare").empty()) stored.crossings = table_in(trajectory_file::open(path, "poincare"));
  return stored;
}

}  // namespace actio
