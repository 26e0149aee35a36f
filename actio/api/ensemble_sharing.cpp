// One ensemble by several processes: rank 0 looks at what is there, all compute what is missing, rank 0 joins.
#include <fmt/format.h>

#include <exception>

#include "actio/api/ensemble_pieces.hpp"
#include "actio/api/ensemble_request.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/io/checkpoint.hpp"

namespace actio {

namespace {

// What rank 0 finds before anything is computed.
struct found_work {
  std::vector<trajectory_range> missing;
  std::size_t next_number = 1;
};

found_work work_left(const ensemble_request& request) {
  const std::string& output = request.output.text;
  ensemble_pieces pieces = pieces_beside(output);
  if (!request.resumes) {
    remove_pieces(pieces.found);
    return {{request.ledger->range()}, pieces.next_number};
  }
  if (make_piece_of(output, pieces.next_number)) pieces = pieces_beside(output);
  for (const ensemble_source& piece : pieces.found) {
    require_same(piece.ledger, *request.ledger, checkpoint_path(piece.path));
    const output_lock lock({piece.path, request.output.origin, "piece"});  // nobody writes it any more
  }
  if (pieces.found.empty()) require_own_output(output, *request.ledger);
  const auto held = held_in(pieces.found);
  request.say(pieces.found.empty()
                  ? fmt::format("there is no checkpoint of '{}' yet: starting afresh", output)
                  : fmt::format("resuming after {} of {} trajectories", size_of(held), request.ledger->range().size()));
  return {missing_from(request.ledger->range(), held), pieces.next_number};
}

// Computes what it is given into a piece, which is made with the first range; what went wrong, or "".
std::string compute_piece(ensemble_request& request, std::size_t number, const range_source& next) {
  std::optional<ensemble_file> file;
  const source_text path{piece_path(request.output.text, number), request.output.origin, request.output.role};
  const auto first = next();
  if (!first) return "";
  try {
    ensemble_ledger ledger = *request.ledger;
    ledger.is_piece = true;
    file.emplace(path, std::move(ledger));
    file_watch watch;
    watch.attach(request.settings, file, request.options.interrupted);
    request.settings.progress = {};  // ranges come in their order: where they begin, all before are on their way
    request.settings.hand_out = [&, is_first = true]() mutable {
      const auto range = std::exchange(is_first, false) ? first : next();
      const trajectory_range whole = request.ledger->range();
      if (range && request.options.progress) request.options.progress(range->first - whole.first, whole.size());
      return range;
    };
    const ensemble_report report =
        run_ensemble(request.plan, request.settings, [&](const trajectory_result& one) { file->append(one); });
    const std::string error = file->close(&report);
    return error.empty() ? "" : fmt::format("'{}' could not be written: {}", path.text, error);
  } catch (const std::exception& error) {
    return error.what();
  }
}

// The pieces as one file, where they are complete; their report in any case.
ensemble_simulation_result joined_pieces(const ensemble_request& request, const std::string& error,
                                         const std::shared_ptr<output_lock>& lock) {
  const std::vector<ensemble_source> pieces = pieces_beside(request.output.text).found;
  ensemble_simulation_result result;
  result.report = request.ledger->report;
  result.report.interrupted = true;
  if (pieces.empty()) {
    result.write_error = error;
    return result;
  }
  const auto missing = missing_from(request.ledger->range(), held_in(pieces));
  std::optional<ensemble_file> file;
  std::vector<ensemble_source> sources = pieces;
  for (ensemble_source& source : sources) source.ledger.report.part = request.ledger->report.part;
  if (missing.empty()) file.emplace(request.output, *request.ledger, lock);
  result.report = merged_report(sources, [&](const trajectory_result& one) {
    if (file) file->append(one);
    if (request.options.collect) request.options.collect(one);
    for (ensemble_observer* observer : request.observers) observer->see(one);
  });
  result.report.interrupted = !missing.empty();
  for (const ensemble_source& piece : pieces) result.files.push_back(piece.path);
  result.kept_rows = result.report.count;
  result.write_error = missing.empty() ? file->close(&result.report, request.statistics_text()) : error;
  if (!missing.empty() || !result.write_error.empty()) return result;
  result.files = file->files();
  remove_pieces(pieces);
  return result;
}

}  // namespace

ensemble_simulation_result simulate_among(ensemble_request& request, rank_group& ranks) {
  const bool leads = ranks.rank() == 0;
  std::shared_ptr<output_lock> lock;
  found_work work;
  std::string obstacle;
  try {
    if (leads) {
      lock = std::make_shared<output_lock>(request.output);
      work = work_left(request);
    }
  } catch (const input_error& error) {
    if (ranks.size() == 1) throw;
    obstacle = error.what();
  }
  ranks.require_none(obstacle);
  const std::size_t number = std::stoul(ranks.first_of(leads ? std::to_string(work.next_number) : ""));
  std::string error;
  const auto is_over = [&] { return request.options.interrupted && request.options.interrupted(); };
  ranks.share(work.missing, is_over,
              [&](const range_source& next) { error = compute_piece(request, number + ranks.rank(), next); });
  if (!error.empty() && ranks.size() > 1) error = fmt::format("rank {}: {}", ranks.rank(), error);
  error = ranks.first_of(error);
  return leads ? joined_pieces(request, error, lock) : ensemble_simulation_result();
}

}  // namespace actio
