// actio run: model and options in, trajectory file and certificate out.
#include "actio/simulate/run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "actio/io/csv_writer.hpp"
#include "actio/io/json_report.hpp"
#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/model_argument.hpp"
#include "apps/cli/progress.hpp"

namespace actio::cli {

namespace {

using clock = std::chrono::steady_clock;

struct run_request {
  clock::time_point start = clock::now();
  model m;
  option_values options;
  bool as_json = false, quietly = false;
};

// The file for the trajectory, if one is wanted; its format must be known before anything is computed.
std::optional<source_text> output_file(const option_values& options) {
  const auto output = options.find("output");
  if (!output || output->text.ends_with(".csv")) return output;
  throw input_error("unknown-option-value", fmt::format("the output '{}' has no known format", output->text),
                    output->origin, "end its name with .csv");
}

template <class S>
void finish_output(csv_writer<S>& writer, const std::string& path, run_report<S>& report) {
  if (writer.finish()) return;
  report.status = run_status::failed;
  report.failure = step_code::ok;
  report.reason =
      fmt::format("the output '{}' could not be written beyond step {}: {}", path, report.steps, writer.error());
  report.suggestion = "make room, or write to another place; --every K writes fewer lines";
}

template <class S>
int concluded(const run_request& request, const run_report<S>& report, const std::optional<source_text>& output) {
  fmt::print("{}", request.as_json ? to_json(report) : to_text(report));
  if (output && !request.as_json) fmt::print("  output        {}\n", output->text);
  if (report.status == run_status::done) return exit_done;
  std::fflush(stdout);
  if (report.status == run_status::failed) {
    fmt::print(stderr, "actio: {}; {}\n", report.reason, report.suggestion);
  } else {
    fmt::print(stderr, "actio: interrupted at step {}{}\n", report.steps,
               output ? "; the output up to there is complete" : "");
  }
  return exit_numbers_failed;
}

template <class S>
int run_with(const run_request& request) {
  const option_values& options = request.options;
  const integrator_options<S> settings = integrator_options_from<S>(request.m, options);
  const std::size_t steps = steps_from(request.m, options, settings.step);
  const std::size_t every = count_from(*options.find("every"), 1);
  const std::optional<source_text> output = output_file(options);

  const integrator<S> integrator(request.m.system, settings);
  phase_state<S> state = integrator.at_start(request.m);
  const auto workspace = integrator.make_workspace();
  run_options<S> run_settings{.steps = steps};
  std::optional<csv_writer<S>> writer;
  if (output) {
    writer.emplace(integrator.space(), output->text, every, output->origin);
    run_settings.observers.push_back(&*writer);
  }

  run_report<S> report;
  {
    progress_line progress(!request.quietly);
    watch_for_interrupts();
    run_settings.interrupted = [&] {
      progress.show("step", state.index, steps);
      return was_interrupted() || (writer && writer->failed());
    };
    const double setup_seconds = std::chrono::duration<double>(clock::now() - request.start).count();
    report = run(integrator, *workspace, state, run_settings);
    report.setup_seconds = setup_seconds;
  }
  if (writer) finish_output(*writer, output->text, report);
  return concluded(request, report, output);
}

}  // namespace

int run_command(const command_input& input) {
  run_request request;
  request.m = requested_model(input);
  request.options = merged_options(request.m, input.options);
  request.as_json = input.has_flag("json");
  request.quietly = input.has_flag("quiet");
  return with_scalar(precision_from(*request.options.find("precision")),
                     [&]<class S>() { return run_with<S>(request); });
}

}  // namespace actio::cli
