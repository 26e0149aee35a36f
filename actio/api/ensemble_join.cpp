#include "actio/api/ensemble_join.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/api/ensemble_merge.hpp"
#include "actio/io/ensemble_file.hpp"
#include "actio/io/file_path.hpp"

namespace actio {

namespace {

ensemble_source part_at(const source_text& typed) {
  auto ledger = ledger_of(typed.text);
  if (!ledger) {
    throw input_error("no-part", fmt::format("'{}' is no part of an ensemble, or its checkpoint is gone", typed.text),
                      typed.origin,
                      "give files of @{ensemble} with @part, their '.checkpoint' beside those without HDF5");
  }
  if (ledger->is_piece) {
    throw input_error("no-part", fmt::format("'{}' is what one process among others has done", typed.text),
                      typed.origin, "go on with @{ensemble} and @resume, which joins such files itself");
  }
  return {typed.text, std::move(*ledger)};
}

void require_one_ensemble(const std::vector<source_text>& parts, const std::vector<ensemble_source>& sources) {
  for (std::size_t k = 1; k < sources.size(); ++k) {
    const std::string other = difference(sources[0].ledger, sources[k].ledger);
    if (other.empty()) continue;
    throw input_error(
        "other-ensemble",
        fmt::format("'{}' and '{}' are of different ensembles: another {}", sources[0].path, sources[k].path, other),
        parts[k].origin, "join parts that were made with the same model, options and version");
  }
}

// Trajectories that a source holds: the first ones of its range.
trajectory_range held_by(const ensemble_ledger& ledger) {
  const std::size_t first = ledger.range().first;
  return {first, first + ledger.rows};
}

void require_complete(const std::vector<source_text>& parts, const std::vector<ensemble_source>& sources) {
  std::vector<trajectory_range> held;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const trajectory_range now = held_by(sources[k].ledger);
    for (std::size_t j = 0; j < k; ++j) {
      if (std::max(now.first, held[j].first) >= std::min(now.end, held[j].end)) continue;
      throw input_error("overlapping-parts",
                        fmt::format("'{}' and '{}' hold the same trajectories", sources[j].path, sources[k].path),
                        parts[k].origin, "give each part once");
    }
    held.push_back(now);
  }
  const auto missing = missing_from({0, sources[0].ledger.report.whole}, held);
  if (missing.empty()) return;
  std::string unfinished;
  for (const ensemble_source& source : sources) {
    if (source.ledger.rows < source.ledger.range().size()) unfinished += fmt::format("'{}' ", source.path);
  }
  throw input_error("missing-parts",
                    fmt::format("{} of {} trajectories are missing: {}", size_of(missing),
                                sources[0].ledger.report.whole, to_text(missing)),
                    parts[0].origin,
                    unfinished.empty()
                        ? "give the parts that hold them, too"
                        : fmt::format("go on with @resume where parts are not finished: {}", unfinished));
}

void require_apart(const std::vector<source_text>& parts, const source_text& output) {
  for (const source_text& part : parts) {
    const std::vector<file_use> files{{output.text, output.origin, "the output"}, {part.text, part.origin, "a part"}};
    require_distinct(files);
  }
}

}  // namespace

joined_ensemble join_ensemble(const std::vector<source_text>& parts, const source_text& output) {
  std::vector<ensemble_source> sources;
  for (const source_text& part : parts) sources.push_back(part_at(part));
  require_apart(parts, output);
  require_one_ensemble(parts, sources);
  require_complete(parts, sources);
  ensemble_ledger whole = sources.front().ledger;
  whole.rows = whole.crossing_rows = whole.event_rows = 0;
  whole.report.part = {};
  whole.is_piece = false;
  for (ensemble_source& source : sources) source.ledger.report.part = {};
  ensemble_file file(output, whole);
  joined_ensemble joined{.report = {}, .files = file.files()};
  joined.report = merged_report(sources, [&](const trajectory_result& one) { file.append(one); });
  const std::string error = file.close(&joined.report);
  if (error.empty()) return joined;
  throw input_error("output-unwritable",
                    fmt::format("'{}' could not be written beyond its first {} trajectories: {}", output.text,
                                file.kept_rows(), error),
                    output.origin, "make room, or write to another place; the parts are as they were");
}

}  // namespace actio
