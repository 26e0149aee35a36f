// actio run: model and options in, trajectory file, checkpoints and certificate out.
#include <fmt/format.h>

#include <array>

#include "actio/api/simulation.hpp"
#include "actio/backend/backend.hpp"
#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/model_argument.hpp"
#include "apps/cli/progress.hpp"

namespace actio::cli {

namespace {

// The command with the choice written out.
std::string repeated(const command_input& input, const option_values& options) {
  std::string text = "actio run " + shell_word(input.arguments.front().text);
  for (const char* name : {"method", "step", "time-scale", "accuracy"}) {
    if (options.has(name)) text += " --" + std::string(name) + ' ' + shell_word(options.find(name)->text);
  }
  for (const auto& [name, value] : input.options.all()) {
    const option_descriptor* option = find_option(name);
    if (name == "method" || name == "step" || name == "accuracy" || option->type == option_type::assignment) continue;
    if (!option->in_model || option->type == option_type::path) continue;
    text += " --" + name;
    if (option->type != option_type::flag) text += ' ' + shell_word(value.text);
  }
  for (const source_text& a : input.assignments) text += " --set " + shell_word(a.text);
  return text;
}

void note_compilation(std::size_t operations) {
  note("actio: compiling {} operations to machine code, which may take a while\n", operations);
}

int concluded(const command_input& input, const simulation_result& result) {
  const bool as_json = input.has_flag("json");
  const auto output = result.options.find("output");
  if (output && output->text == "-") note("{}", as_json ? result.json : result.text);  // rows are what is printed
  else print_text(as_json ? result.json : result.text);
  for (const char* kind : {"output", "report"}) {
    const auto path = result.options.find(kind);
    if (path && path->text == "-") continue;
    const bool is_there = path && (kind != std::string_view("report") || result.page_error.empty());
    if (is_there && !as_json) print("  {:<13} {}\n", kind, path->text);
  }
  if (!result.page_error.empty()) note("actio: {}\n", result.page_error);
  const bool is_refused = flag_from(result.options, "strict") && !result.is_trusted;
  if (result.status == run_status::done) {
    return result.page_error.empty() && !is_refused ? exit_done : exit_numbers_failed;
  }
  if (result.status == run_status::failed) {
    note("actio: {}; {}\n", result.reason, result.suggestion);
  } else {
    note("actio: interrupted at step {}{}\n", result.steps,
         result.can_resume ? "; the output up to there is complete, --resume goes on from there" : "");
  }
  return exit_numbers_failed;
}

int repeat_run(const std::string& path) {
  const repetition again = repeat_simulation(path);
  if (!again.difference.empty()) {
    print("the bits differ: {}\n", again.difference);
    return exit_numbers_failed;
  }
  print(
      "the bits agree: {} rows{}\n", again.rows,
      again.interrupted_at ? fmt::format(", up to step {} where the run was interrupted", *again.interrupted_at) : "");
  return exit_done;
}

}  // namespace

int run_command(const command_input& input) {
  if (input.has_flag("again")) {
    require_only(input, std::array<std::string_view, 2>{"again", "quiet"});
    return repeat_run(input.arguments.front().text);
  }
  simulation_options options{.given = input.options,
                             .assignments = input.assignments,
                             .model_path = input.arguments.front().text,
                             .command = input.typed,
                             .resumes = input.has_flag("resume")};
  const model m = requested_model(input);
  const bool is_quiet = input.has_flag("quiet");
  const std::string named = merged_options(m, input.options).find("method")->text;
  const method *family = family_named(named), *meant = find_method(named);
  if (family != nullptr && family != meant && !is_quiet && !input.has_flag("json")) {
    note("actio: {} without --beta and --gamma is the {} rule\n", named, meant->name);
  }
  if (!is_quiet) {
    set_compile_note(note_compilation);
    options.note = [](const std::string& text) { note("actio: {}\n", text); };
  }
  options.rows = [](std::string_view text) { print_text(text); };
  options.repeating = [&](const option_values& settled) { return repeated(input, settled); };
  std::optional<progress_line> progress;
  options.proceed = [&](std::size_t step, std::size_t steps, double time) {
    if (!progress) {
      watch_for_interrupts();
      progress.emplace(!is_quiet);
    }
    progress->show(step, steps, time);
    return !was_interrupted();
  };
  const simulation_result result = simulate(m, options);
  progress.reset();
  return concluded(input, result);
}

}  // namespace actio::cli
