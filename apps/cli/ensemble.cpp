// actio ensemble: many trajectories of one model, one row each, and what they have in common.
#include "actio/simulate/ensemble.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <atomic>
#include <optional>

#include "actio/io/ensemble_file.hpp"
#include "actio/io/file_uses.hpp"
#include "actio/io/json_report.hpp"
#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
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

int concluded(const command_input& input, const ensemble_report& report, const ensemble_file* file,
              const std::string& write_error) {
  print_text(input.has_flag("json") ? to_json(report) : to_text(report));
  if (file && !input.has_flag("json")) {
    for (const std::string& path : file->files()) print("  {:<13} {}\n", "output", path);
  }
  if (!write_error.empty()) {
    note(
        "actio: the output '{}' could not be written beyond its first {} trajectories: {}; make room and run again, or "
        "write to another place\n",
        fmt::join(file->files(), "' or '"), file->kept_rows(), write_error);
    return exit_numbers_failed;
  }
  if (report.interrupted) note("actio: interrupted after {} trajectories\n", report.count);
  const bool is_doubtful = flag_from(input.options, "strict") && report.untrusted > 0;
  return report.interrupted || report.failed() > 0 || is_doubtful ? exit_numbers_failed : exit_done;
}

ensemble_options requested_options(const command_input& input, const model& m, const option_values& merged) {
  ensemble_options options{.integrator = integrator_options_from<double>(m, merged)};
  options.steps = steps_from(m, merged, options.integrator.step);
  options.threads = threads_from(input.options);
  if (const auto typed = input.options.find("poincare")) options.poincare = section_from(m, *typed);
  options.lyapunov = input.has_flag("lyapunov");
  return options;
}

// What was typed for the ensemble of a file.
command_input typed_for(const ensemble_recipe& recipe, const command_input& now) {
  command_input input;
  const auto text = [](const std::string& value, const char* flag) { return source_text{value, {flag, 1, 1}, flag}; };
  for (const std::string& s : recipe.sweeps) input.sweeps.push_back(text(s, "--sweep"));
  for (const std::string& s : recipe.samples) input.samples.push_back(text(s, "--sample"));
  if (!recipe.samples.empty()) input.options.set("count", text(recipe.count, "--count"));
  input.options.set("seed", text(recipe.seed, "--seed"));
  if (!recipe.poincare.empty()) input.options.set("poincare", text(recipe.poincare, "--poincare"));
  if (recipe.lyapunov) input.options.set("lyapunov", text("true", "--lyapunov"));
  for (const char* name : {"threads", "quiet"}) {
    if (now.options.has(name)) input.options.set(name, *now.options.find(name));
  }
  return input;
}

// Does the ensemble once more and compares all that the file holds: rows, columns, crossings, summary. Of one that was
// interrupted, the rows that it has.
int repeat_ensemble(const command_input& now) {
  const std::string& path = now.arguments.front().text;
  const ensemble_recipe recipe = ensemble_recipe_in(trajectory_file::open(path), path);
  const model m = model_of(recipe.run);
  const command_input input = typed_for(recipe, now);
  set_backend_from(recipe.run.options);
  ensemble_options options = requested_options(input, m, recipe.run.options);
  const ensemble_plan plan = requested_plan(input, m);
  std::string difference;
  ensemble_file file(path, plan, options, difference);
  const std::size_t last = recipe.interrupted_after.value_or(plan.size());
  std::atomic<bool> is_enough = last == 0;
  progress_line progress(!input.has_flag("quiet"));
  options.progress = [&](std::size_t done, std::size_t all) { progress.show("trajectory", done, all); };
  options.interrupted = [&] { return is_enough.load(); };
  const ensemble_report report = run_ensemble(plan, options, [&](const trajectory_result& result) {
    if (result.index < last) file.append(result);
    if (recipe.interrupted_after && result.index + 1 >= last) is_enough = true;
  });
  file.close(recipe.interrupted_after ? nullptr : &report);
  if (!difference.empty()) {
    print("the bits differ: {}\n", difference);
    return exit_numbers_failed;
  }
  print("the bits agree: {} rows{}\n", last, recipe.interrupted_after ? ", up to where it was interrupted" : "");
  return exit_done;
}

}  // namespace

int ensemble_command(const command_input& input) {
  if (input.has_flag("again")) {
    require_only(input, std::array<std::string_view, 3>{"again", "quiet", "threads"});
    return repeat_ensemble(input);
  }
  const model m = requested_model(input);
  const option_values merged = merged_options(m, input.options);
  set_backend_from(merged);
  ensemble_options options = requested_options(input, m, merged);
  const ensemble_plan plan = requested_plan(input, m);
  std::optional<ensemble_file> file;
  watch_for_interrupts();
  if (const auto output = input.options.find("output")) {  // one of [run] is for a trajectory
    std::vector<source_text> files;
    for (const std::string& path : files_of(*output, options)) files.push_back({path, output->origin, output->role});
    require_files_apart(input.arguments.front().text, files, {});
    file.emplace(*output, plan, options, recipe_of(m, input.assignments, merged));
  }

  ensemble_report report;
  {
    progress_line progress(!input.has_flag("quiet"));
    std::atomic<bool> is_full = false;
    options.progress = [&](std::size_t done, std::size_t all) { progress.show("trajectory", done, all); };
    options.interrupted = [&] { return was_interrupted() || is_full.load(); };
    options.handed_on = [&] {
      if (file) file->pause();
      if (file && file->failed()) is_full = true;
    };
    report = run_ensemble(plan, options, [&](const trajectory_result& result) {
      if (file) file->append(result);
    });
  }
  const std::string error = file ? file->close(&report) : "";
  return concluded(input, report, file ? &*file : nullptr, error);
}

}  // namespace actio::cli
