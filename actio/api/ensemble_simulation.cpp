#include "actio/api/ensemble_simulation.hpp"

#include <fmt/format.h>

#include <atomic>

#include "actio/base/option_naming.hpp"
#include "actio/io/ensemble_file.hpp"
#include "actio/io/file_uses.hpp"
#include "actio/mechanics/switching.hpp"
#include "actio/simulate/run_settings.hpp"
#include "actio/simulate/step_kinks.hpp"

namespace actio {

namespace {

ensemble_plan plan_of(const ensemble_simulation_options& options, const model& m) {
  if (options.sweeps.empty() && options.samples.empty()) {
    throw input_error(
        "missing-argument", "nothing varies: there is neither a sweep nor a sample", {"@ensemble", 0, 0},
        fmt::format("add @sweep={0}=0:1:100 or @sample='{0}=normal(0,0.1)'", m.system.coordinate_names().front()));
  }
  ensemble_variation variation{.count = count_from(*options.given.find("count"), 1),
                               .seed = count_from(*options.given.find("seed"), 0)};
  for (const source_text& typed : options.sweeps) variation.sweeps.push_back(sweep_from(m, typed));
  for (const source_text& typed : options.samples) variation.samples.push_back(sample_from(m, typed));
  if (variation.samples.empty() && options.given.has("count")) {
    throw input_error("conflicting-options", "@count without a sample would repeat the same trajectories",
                      {"@count", 0, 0}, "add @sample=NAME=DISTRIBUTION, or leave @count out");
  }
  return {m, std::move(variation)};
}

ensemble_options settings_of(const ensemble_simulation_options& options, const model& m, const option_values& merged) {
  ensemble_options settings{.integrator = integrator_options_from<double>(m, merged)};
  settings.steps = steps_from(m, merged, settings.integrator.step);
  settings.watched = watched_events(m, merged);
  settings.splits_at_signals = splits_at_kinks(merged) && !switching_times_of(m.system).empty();
  if (!merged.has("steps")) settings.until = end_from<double>(m, merged);
  else if (!settings.watched->empty() || !m.controls.empty() || settings.splits_at_signals) {
    // These divide steps: so many are so much time.
    settings.until = settings.integrator.start + static_cast<double>(settings.steps) * settings.integrator.step;
  }
  settings.threads = threads_from(options.given);
  if (const auto typed = options.given.find("poincare")) settings.poincare = section_from(m, *typed);
  settings.lyapunov = flag_from(options.given, "lyapunov");
  settings.progress = options.progress;
  return settings;
}

// What was typed for the ensemble of a file.
ensemble_simulation_options typed_for(const ensemble_recipe& recipe, const ensemble_simulation_options& now) {
  ensemble_simulation_options options{.given = {}, .progress = now.progress};
  for (const std::string& s : recipe.sweeps) options.sweeps.push_back(typed_option("sweep", s));
  for (const std::string& s : recipe.samples) options.samples.push_back(typed_option("sample", s));
  if (!recipe.samples.empty()) options.given.set("count", typed_option("count", recipe.count));
  options.given.set("seed", typed_option("seed", recipe.seed));
  if (!recipe.poincare.empty()) options.given.set("poincare", typed_option("poincare", recipe.poincare));
  if (recipe.lyapunov) options.given.set("lyapunov", typed_option("lyapunov", "true"));
  if (const auto threads = now.given.find("threads"); now.given.has("threads")) options.given.set("threads", *threads);
  return options;
}

}  // namespace

ensemble_simulation_result simulate_ensemble(const model& m, const ensemble_simulation_options& options) {
  const option_values merged = merged_options(m, options.given);
  set_backend_from(merged);
  ensemble_options settings = settings_of(options, m, merged);
  const ensemble_plan plan = plan_of(options, m);
  std::optional<ensemble_file> file;
  if (options.begins) options.begins();
  if (const auto output = options.given.find("output")) {  // one of [run] is for a trajectory
    require_repeatable(m, *output);
    std::vector<source_text> files;
    for (const std::string& path : files_of(*output, plan, settings))
      files.push_back({path, output->origin, output->role});
    require_files_apart(options.model_path, files, {});
    file.emplace(*output, plan, settings, recipe_of(m, options.assignments, merged));
  }
  std::atomic<bool> is_full = false;
  settings.interrupted = [&] { return is_full.load() || (options.interrupted && options.interrupted()); };
  settings.handed_on = [&] {
    if (file) file->pause();
    if (file && file->failed()) is_full = true;
  };
  ensemble_simulation_result result;
  result.report = run_ensemble(plan, settings, [&](const trajectory_result& one) {
    if (file) file->append(one);
    if (options.collect) options.collect(one);
  });
  if (!file) return result;
  result.write_error = file->close(&result.report);
  result.files = file->files();
  result.kept_rows = file->kept_rows();
  return result;
}

repetition repeat_ensemble(const std::string& path, const ensemble_simulation_options& now) {
  const ensemble_recipe recipe = ensemble_recipe_in(trajectory_file::open(path), path);
  const model m = model_of(recipe.run);
  const ensemble_simulation_options options = typed_for(recipe, now);
  set_backend_from(recipe.run.options);
  ensemble_options settings = settings_of(options, m, recipe.run.options);
  const ensemble_plan plan = plan_of(options, m);
  repetition result{.rows = recipe.interrupted_after.value_or(plan.size()), .interrupted_at = recipe.interrupted_after};
  ensemble_file file(path, plan, settings, result.difference);
  std::atomic<bool> is_enough = result.rows == 0;
  settings.interrupted = [&] { return is_enough.load(); };
  const ensemble_report report = run_ensemble(plan, settings, [&](const trajectory_result& one) {
    if (one.index < result.rows) file.append(one);
    if (recipe.interrupted_after && one.index + 1 >= result.rows) is_enough = true;
  });
  file.close(recipe.interrupted_after ? nullptr : &report);
  return result;
}

}  // namespace actio
