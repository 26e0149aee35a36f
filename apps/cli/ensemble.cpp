// actio ensemble: many trajectories of one model, one row each, and what they have in common.
#include "actio/simulate/ensemble.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "actio/io/ensemble_file.hpp"
#include "actio/io/json_report.hpp"
#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/model_argument.hpp"
#include "apps/cli/progress.hpp"

namespace actio::cli {

namespace {

ensemble_plan requested_plan(const command_input& input, const model& m) {
  if (input.sweeps.empty() && input.samples.empty()) {
    throw input_error(
        "missing-argument", "nothing varies: there is neither a sweep nor a sample", {"actio ensemble", 0, 0},
        fmt::format("add --sweep {0}=0:1:100 or --sample '{0}=normal(0,0.1)'", m.system.coordinate_names().front()));
  }
  ensemble_variation variation{.count = count_from(*input.options.find("count"), 1),
                               .seed = count_from(*input.options.find("seed"), 0)};
  for (const source_text& typed : input.sweeps) variation.sweeps.push_back(sweep_from(m, typed));
  for (const source_text& typed : input.samples) variation.samples.push_back(sample_from(m, typed));
  if (variation.samples.empty() && input.options.has("count")) {
    throw input_error("conflicting-options", "--count without a sample would repeat the same trajectories",
                      {"--count", 0, 0}, "add --sample NAME=DISTRIBUTION, or leave --count out");
  }
  return {m, std::move(variation)};
}

int concluded(const command_input& input, const ensemble_report& report, const std::string& write_error,
              const std::vector<std::string>& files) {
  fmt::print("{}", input.has_flag("json") ? to_json(report) : to_text(report));
  if (!input.has_flag("json")) {
    for (const std::string& file : files) fmt::print("  {:<13} {}\n", "output", file);
  }
  std::fflush(stdout);
  if (!write_error.empty()) {
    fmt::print(stderr, "actio: the output '{}' could not be written: {}; make room or write to another place\n",
               fmt::join(files, "' or '"), write_error);
    return exit_numbers_failed;
  }
  if (report.interrupted) fmt::print(stderr, "actio: interrupted after {} trajectories\n", report.count);
  const bool is_doubtful = flag_from(input.options, "strict") && report.untrusted > 0;
  return report.interrupted || report.failed() > 0 || is_doubtful ? exit_numbers_failed : exit_done;
}

}  // namespace

int ensemble_command(const command_input& input) {
  const model m = requested_model(input);
  const option_values merged = merged_options(m, input.options);
  set_backend_from(merged);
  ensemble_options options{.integrator = integrator_options_from<double>(m, merged)};
  options.steps = steps_from(m, merged, options.integrator.step);
  options.threads = threads_from(input.options);
  const ensemble_plan plan = requested_plan(input, m);
  if (const auto typed = input.options.find("poincare")) options.poincare = section_from(m, *typed);
  options.lyapunov = input.has_flag("lyapunov");
  std::optional<ensemble_file> file;
  const auto output = input.options.find("output");  // one of [run] is for a trajectory
  if (output) file.emplace(*output, plan, options);

  ensemble_report report;
  {
    progress_line progress(!input.has_flag("quiet"));
    watch_for_interrupts();
    options.progress = [&](std::size_t done, std::size_t all) { progress.show("trajectory", done, all); };
    options.interrupted = [] { return was_interrupted(); };
    report = run_ensemble(plan, options, [&](const trajectory_result& result) {
      if (file) file->append(result);
    });
  }
  const std::string error = file ? file->close(report) : "";
  return concluded(input, report, error, file ? file->files() : std::vector<std::string>());
}

}  // namespace actio::cli
