// actio ensemble: many trajectories of one model, one row each, and what they have in common.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "actio/api/ensemble_simulation.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/base/parallel.hpp"
#include "actio/io/json_report.hpp"
#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/model_argument.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/ranks.hpp"

namespace actio::cli {

namespace {

bool device_is(const command_input& input, std::string_view what) { return input.options.find("device")->text == what; }

int concluded(const command_input& input, const ensemble_simulation_result& result) {
  const ensemble_report& report = result.report;
  if (input.has_flag("json")) print_text(result.statistics ? to_json(report, *result.statistics) : to_json(report));
  else print_text(to_text(report) + (result.statistics ? to_text(*result.statistics) : ""));
  if (!input.has_flag("json")) {
    for (const std::string& path : result.files) print("  {:<13} {}\n", "output", path);
  }
  if (!result.write_error.empty()) {
    note(
        "actio: the output '{}' could not be written beyond its first {} trajectories: {}; make room and go on with "
        "--resume, "
        "or write to another place\n",
        fmt::join(result.files, "' or '"), result.kept_rows, result.write_error);
    return exit_numbers_failed;
  }
  if (!result.page_error.empty()) {
    note("actio: the page could not be written: {}\n", result.page_error);
    return exit_numbers_failed;
  }
  if (report.interrupted) {
    note("actio: interrupted after {} trajectories{}\n", report.count,
         result.files.empty() ? "" : "; those are complete, --resume goes on from there");
  }
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

int ensemble_among(const command_input& input, started_ranks* ranks) {
  const bool leads = ranks == nullptr || ranks->rank() == 0, is_quiet = input.has_flag("quiet") || !leads;
  ensemble_simulation_options options{.given = input.options,
                                      .sweeps = input.sweeps,
                                      .samples = input.samples,
                                      .assignments = input.assignments,
                                      .model_path = input.arguments.front().text,
                                      .command = input.typed};
  options.begins = watch_for_interrupts;
  options.interrupted = was_interrupted;
  options.ranks = ranks;
  if (ranks != nullptr && !input.has_flag("threads")) {  // those of a machine among its processes
    const std::size_t threads = std::max<std::size_t>(1, available_threads() / ranks->size_here());
    options.given.set("threads", typed_option("threads", std::to_string(threads)));
  }
  if (!is_quiet) options.note = [](const std::string& text) { note("actio: {}\n", text); };
  std::optional<progress_line> progress(std::in_place, !is_quiet);
  options.progress = [&](std::size_t done, std::size_t all) { progress->show("trajectory", done, all); };
  if (input.has_flag("again")) {
    require_only(input, std::array<std::string_view, 4>{"again", "quiet", "threads", "device"});
    return leads ? repeat(input.arguments.front().text, options) : exit_done;
  }
  if (device_is(input, "prepare")) {
    print_text(prepare_devices(requested_model(input), options));
    return exit_done;
  }
  const ensemble_simulation_result result = simulate_ensemble(requested_model(input), options);
  progress.reset();
  return leads ? concluded(input, result) : exit_done;
}

}  // namespace

int ensemble_command(const command_input& input) {
  if (device_is(input, list_of_devices)) {
    print_text(device_list());
    return exit_done;
  }
  const std::unique_ptr<started_ranks> ranks = started_ranks::find();
  const auto command = [&] { return ensemble_among(input, ranks.get()); };
  return ranks ? ranks->guarded(command) : command();
}

}  // namespace actio::cli
