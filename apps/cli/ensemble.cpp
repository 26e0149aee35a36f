// actio ensemble: many trajectories of one model, one row each, and what they have in common.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>

#include "actio/api/ensemble_simulation.hpp"
#include "actio/io/json_report.hpp"
#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/model_argument.hpp"
#include "apps/cli/progress.hpp"

namespace actio::cli {

namespace {

int concluded(const command_input& input, const ensemble_simulation_result& result) {
  const ensemble_report& report = result.report;
  print_text(input.has_flag("json") ? to_json(report) : to_text(report));
  if (!input.has_flag("json")) {
    for (const std::string& path : result.files) print("  {:<13} {}\n", "output", path);
  }
  if (!result.write_error.empty()) {
    note(
        "actio: the output '{}' could not be written beyond its first {} trajectories: {}; make room and run again, or "
        "write to another place\n",
        fmt::join(result.files, "' or '"), result.kept_rows, result.write_error);
    return exit_numbers_failed;
  }
  if (report.interrupted) note("actio: interrupted after {} trajectories\n", report.count);
  const bool is_doubtful = flag_from(input.options, "strict") && report.untrusted > 0;
  return report.interrupted || report.failed() > 0 || is_doubtful ? exit_numbers_failed : exit_done;
}

int repeat(const std::string& path, const ensemble_simulation_options& options) {
  const repetition again = repeat_ensemble(path, options);
  if (!again.difference.empty()) {
    print("the bits differ: {}\n", again.difference);
    return exit_numbers_failed;
  }
  print("the bits agree: {} rows{}\n", again.rows, again.interrupted_at ? ", up to where it was interrupted" : "");
  return exit_done;
}

}  // namespace

int ensemble_command(const command_input& input) {
  ensemble_simulation_options options{.given = input.options,
                                      .sweeps = input.sweeps,
                                      .samples = input.samples,
                                      .assignments = input.assignments,
                                      .model_path = input.arguments.front().text};
  options.begins = watch_for_interrupts;
  options.interrupted = was_interrupted;
  std::optional<progress_line> progress(std::in_place, !input.has_flag("quiet"));
  options.progress = [&](std::size_t done, std::size_t all) { progress->show("trajectory", done, all); };
  if (input.has_flag("again")) {
    require_only(input, std::array<std::string_view, 3>{"again", "quiet", "threads"});
    return repeat(input.arguments.front().text, options);
  }
  const ensemble_simulation_result result = simulate_ensemble(requested_model(input), options);
  progress.reset();
  return concluded(input, result);
}

}  // namespace actio::cli
