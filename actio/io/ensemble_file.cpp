#include "actio/io/ensemble_file.hpp"

#include <fmt/format.h>

#include <sstream>

#include "actio/io/checkpoint.hpp"
#include "actio/io/comparing_sink.hpp"
#include "actio/io/file_path.hpp"
#include "actio/io/json_report.hpp"
#include "actio/io/own_file.hpp"

namespace actio {

namespace {

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

// What the file says of itself: what made it, and which part it is.
run_metadata metadata_of(const ensemble_ledger& ledger) {
  run_metadata metadata = ledger.made_by;
  if (!ledger.report.part) return metadata;
  const trajectory_range range = ledger.range();
  metadata.emplace_back("part", to_text(*ledger.report.part));
  metadata.emplace_back(
      "trajectories",
      fmt::format("{} of {}", range.size() == 0 ? "none" : to_text(std::span(&range, 1)), ledger.report.whole));
  return metadata;
}

}  // namespace

ensemble_file::ensemble_file(const source_text& path, ensemble_ledger ledger, std::shared_ptr<output_lock> lock)
    : ledger_(std::move(ledger)) {
  const sink_request request{.path = path,
                             .columns = ledger_.layout.columns,
                             .metadata = metadata_of(ledger_),
                             .keep_rows = ledger_.rows,
                             .more = ledger_.layout.more_tables(ledger_.crossing_rows, ledger_.event_rows),
                             .lock = lock ? std::move(lock) : std::make_shared<output_lock>(path)};
  files_ = files_of(request);
  if (!is_device(followed(path.text))) {
    require_own_checkpoint(path);
    checkpoint_ = checkpoint_path(path.text);
  }
  sink_ = open_sink<double>(request);
  sink_->flush();  // without the rhythm: making a file takes longer than filling it
}

ensemble_file::ensemble_file(const std::string& path, ensemble_ledger ledger, std::string& difference)
    : ledger_(std::move(ledger)) {
  sink_ =
      std::make_unique<comparing_sink<double>>(path, ledger_.layout.columns, ledger_.layout.more_tables(), difference);
}

void ensemble_file::begin(const ensemble_report& report) {
  ledger_.report = report;
  take_checkpoint();
}

// Of all rows that were appended: to be called when the disk has them.
void ensemble_file::take_checkpoint() {
  if (!checkpoint_.empty() && !sink_->failed()) write_checkpoint(checkpoint_, to_snapshot(ledger_));
}

void ensemble_file::pause(double seconds) {
  if (!rhythm_.is_affordable()) return;
  ledger_.report.seconds = seconds;
  rhythm_.carry_out([&] {
    sink_->flush();
    take_checkpoint();
  });
}

void ensemble_file::append(const trajectory_result& result) {
  if (sink_->failed()) return;
  const auto a_crossing = static_cast<std::ptrdiff_t>(ledger_.layout.a_crossing());
  for (auto at = result.crossings.begin(); at != result.crossings.end(); at += a_crossing) {
    row_.assign(1, static_cast<double>(result.index));
    row_.insert(row_.end(), at, at + a_crossing);
    sink_->append_to(0, row_);
    ++ledger_.crossing_rows;
  }
  for (std::size_t k = 0; k < result.events.size(); ++k) {
    ledger_.layout.write_event(result, k, row_);
    sink_->append_to(ledger_.layout.has_crossings() ? 1 : 0, row_);
    ++ledger_.event_rows;
  }
  ledger_.layout.write(result, row_);
  sink_->append(row_);
  ++ledger_.rows;
  ledger_.report.ensemble_tally::add(result, ledger_.report.has_energy);
}

// A complete file that can hold texts tells of itself what is in it; beside others the checkpoint stays. Times are no
// part of a whole: what is computed twice is the same.
std::string ensemble_file::close(const ensemble_report* report, const std::string& statistics) {
  const bool is_complete = report && !report->interrupted && !ledger_.is_piece;
  const bool tells_itself = is_complete && !files_.empty() && files_.front().ends_with(".h5");
  if (report) {
    ledger_.report = *report;
    sink_->annotate("summary", to_json(*report, false));
    if (!statistics.empty()) sink_->annotate("statistics", statistics);
    if (is_complete && !report->part) ledger_.report.seconds = 0;
    if (tells_itself) sink_->annotate("ledger", checkpoint_text(to_snapshot(ledger_)));
  }
  sink_->close();
  if (!tells_itself || sink_->failed()) take_checkpoint();
  else if (!checkpoint_.empty()) remove_own_file(checkpoint_, checkpoint_beginning);
  return sink_->error();
}

std::vector<std::string> files_of(const source_text& path, const ensemble_plan& plan, const ensemble_options& options) {
  return files_of(sink_request{.path = path, .columns = {}, .more = ensemble_layout::of(plan, options).more_tables()});
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
  recipe.part = file.text("part");
  recipe.lyapunov = file.text("lyapunov") == "true";
  recipe.interrupted_after = interruption_in(file.text("summary"), "count");
  return recipe;
}

}  // namespace actio
