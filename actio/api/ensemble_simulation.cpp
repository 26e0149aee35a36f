#include "actio/api/ensemble_simulation.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <filesystem>

#include "actio/analysis/ensemble_choice.hpp"
#include "actio/api/ensemble_pieces.hpp"
#include "actio/api/ensemble_request.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/io/checkpoint.hpp"
#include "actio/io/ensemble_file.hpp"
#include "actio/io/ensemble_page.hpp"
#include "actio/io/file_path.hpp"
#include "actio/io/file_uses.hpp"
#include "actio/io/report_target.hpp"
#include "actio/mechanics/switching.hpp"
#include "actio/simulate/event_action.hpp"
#include "actio/simulate/run_settings.hpp"
#include "actio/simulate/step_kinks.hpp"

namespace actio {

source_text sweep_over(std::string_view name, std::span<const double> values, bool beside) {
  const auto refuse = [&](const char* id, const std::string& what, const char* cure) {
    throw input_error(id, fmt::format("the sweep over '{}' {}", name, what), {}, cure);
  };
  if (values.empty()) refuse("bad-count", "has no values", "give at least one number");
  std::string text = fmt::format("{}{}=[", beside ? "&" : "", name);
  for (const double x : values) {
    if (!std::isfinite(x)) refuse("bad-number", fmt::format("has the value {}", x), "give finite numbers");
    text += fmt::format("{}{}", text.back() == '[' ? "" : ",", x);
  }
  return typed_option("sweep", text + "]");
}

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

option_values without_accuracy(const option_values& merged) {
  option_values rest = merged;
  rest.erase("accuracy");
  return rest;
}

// Of several processes, each takes one GPU of those that are asked for.
device_choice device_for(const ensemble_simulation_options& options) {
  device_choice choice = device_from(*options.given.find("device"));
  if (!choice.uses_gpus || options.ranks == nullptr || options.ranks->size() == 1) return choice;
  if (choice.numbers.empty()) choice.numbers = usable_gpus();
  if (!choice.numbers.empty()) choice.numbers = {choice.numbers[options.ranks->rank() % choice.numbers.size()]};
  return choice;
}

// All but method and step, which `choose_paces` is to find; their places hold what it needs.
integrator_options<double> to_be_chosen(const model& m, const option_values& merged) {
  option_values held = without_accuracy(merged);
  const auto accuracy = merged.find("accuracy");
  if (!accuracy || merged.has("step")) {
    throw input_error("conflicting-options", "an ensemble chooses its method together with its steps, by an accuracy",
                      whole_place(merged.has("step") ? *merged.find("step") : *merged.find("method")),
                      "give @accuracy and @until, or @method and @step");
  }
  if (leaves_choice(held)) held.erase("method");
  held.set("step", typed_option("step", "1"));
  return integrator_options_from<double>(m, held);
}

ensemble_options settings_of(const ensemble_simulation_options& options, const model& m, const option_values& merged,
                             const ensemble_plan& plan) {
  const bool is_open = leaves_choice(merged);
  ensemble_options settings{.integrator =
                                is_open ? to_be_chosen(m, merged) : integrator_options_from<double>(m, merged)};
  if (!is_open) settings.steps = steps_from(m, merged, settings.integrator.step);
  settings.watched = watched_events(m, splits_at_kinks(merged));
  settings.splits_at_signals = splits_at_kinks(merged) && !switching_times_of(m.system).empty();
  if (!merged.has("steps")) settings.until = end_from<double>(m, merged);
  else if (!settings.watched->empty() || !m.controls.empty() || settings.splits_at_signals) {
    // These divide steps: so many are so much time.
    settings.until = settings.integrator.start + static_cast<double>(settings.steps) * settings.integrator.step;
  }
  settings.threads = threads_from(options.given);
  if (const auto typed = options.given.find("poincare")) settings.poincare = section_from(m, *typed);
  settings.lyapunov = flag_from(options.given, "lyapunov");
  if (settings.lyapunov && (changes_motion(m.events) || !m.controls.empty())) {
    throw input_error("conflicting-options",
                      "how far motions go apart is not known where events or controls change them",
                      whole_place(*options.given.find("lyapunov")), "leave @lyapunov out");
  }
  if (const auto typed = options.given.find("part")) settings.part = part_from(*typed);
  settings.device = device_for(options);
  settings.note = options.note;
  settings.progress = options.progress;
  if (!is_open) return settings;
  const source_text accuracy = *merged.find("accuracy");
  settings.interrupted = options.interrupted;
  choose_paces(plan,
               {.accuracy = accuracy_from(m, accuracy),
                .until = end_from<double>(m, merged),
                .keeps_method = !leaves_choice(without_accuracy(merged)),
                .place = whole_place(accuracy)},
               settings);
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
  if (!recipe.part.empty()) options.given.set("part", typed_option("part", recipe.part));
  if (recipe.lyapunov) options.given.set("lyapunov", typed_option("lyapunov", "true"));
  for (const char* const here : {"threads", "device"}) {
    if (now.given.has(here)) options.given.set(here, *now.given.find(here));
  }
  return options;
}

// What the file has already, for those who go on behind it.
void recall_rows(ensemble_request& request) {
  const auto found = ledger_of(request.output.text);
  if (!found) {
    require_own_output(request.output.text, *request.ledger);
    return request.say(fmt::format("there is no checkpoint of '{}' yet: starting afresh", request.output.text));
  }
  const std::string beside = checkpoint_path(request.output.text);
  require_same(*found, *request.ledger, std::filesystem::exists(beside) ? beside : request.output.text);
  request.ledger->rows = found->rows;
  request.ledger->crossing_rows = found->crossing_rows;
  request.ledger->event_rows = found->event_rows;
  const auto reader = std::make_shared<ensemble_reader>(request.output.text, *found);
  request.settings.earlier = {
      .count = found->rows,
      .tally = found->report,
      .next = [reader, a_crossing = found->layout.a_crossing(), collect = request.options.collect](
                  trajectory_result& one, std::size_t& crossings) {
        reader->next(one);
        crossings = one.crossings.size() / a_crossing;
        if (collect) collect(one);
      }};
  request.say(found->rows == request.ledger->range().size()
                  ? fmt::format("'{}' is complete: nothing is left to do", request.output.text)
                  : fmt::format("resuming after {} of {} trajectories", found->rows, request.ledger->range().size()));
}

ensemble_simulation_result simulate_alone(ensemble_request& request) {
  std::optional<ensemble_file> file;
  if (request.ledger) {
    const auto lock = std::make_shared<output_lock>(request.output);
    if (request.resumes) recall_rows(request);
    else remove_pieces(pieces_beside(request.output.text).found);
    file.emplace(request.output, *request.ledger, lock);
  }
  file_watch watch;
  watch.attach(request.settings, file, request.options.interrupted);
  request.settings.observers = request.observers;
  ensemble_simulation_result result;
  std::function<void(const trajectory_result&)> each;
  if (file || request.options.collect) {
    each = [&](const trajectory_result& one) {
      if (file) file->append(one);
      if (request.options.collect) request.options.collect(one);
    };
  }
  result.report = run_ensemble(request.plan, request.settings, each);
  if (!file) return result;
  result.write_error = file->close(&result.report, request.statistics_text());
  result.files = file->files();
  result.kept_rows = file->kept_rows();
  return result;
}

ensemble_simulation_result simulate_here(ensemble_request& request) {
  single_process alone;
  const bool has_pieces = request.resumes && !pieces_beside(request.output.text).found.empty();
  return has_pieces ? simulate_among(request, alone) : simulate_alone(request);
}

void require_output(const ensemble_request& request, bool is_shared) {
  if (request.ledger) return;
  if (request.resumes) {
    throw input_error("conflicting-options", "an ensemble goes on from its output, but there is none",
                      {"@resume", 0, 0}, "add @output=FILE.h5 or FILE.csv");
  }
  if (!is_shared) return;
  throw input_error("missing-argument", "several processes need a file in which to leave what each has done",
                    {"@ensemble", 0, 0}, "add @output=FILE.h5 or FILE.csv");
}

}  // namespace

void file_watch::attach(ensemble_options& settings, std::optional<ensemble_file>& file,
                        std::function<bool()> interrupted) {
  settings.interrupted = [this, asked = std::move(interrupted)] { return is_full_.load() || (asked && asked()); };
  settings.begun = [&file](const ensemble_report& report) {
    if (file) file->begin(report);
  };
  settings.handed_on = [this, &file](double seconds) {
    if (file) file->pause(seconds);
    if (file && file->failed()) is_full_ = true;
  };
}

ensemble_simulation_result simulate_ensemble(const model& m, const ensemble_simulation_options& options) {
  const option_values merged = merged_options(m, options.given);
  set_backend_from(merged);
  const ensemble_plan plan = plan_of(options, m);
  ensemble_options settings = settings_of(options, m, merged, plan);
  ensemble_request request{
      .options = options, .settings = std::move(settings), .plan = plan, .resumes = flag_from(options.given, "resume")};
  const bool is_shared = options.ranks != nullptr && options.ranks->size() > 1;
  if (options.begins) options.begins();
  std::vector<source_text> files;
  if (const auto output = options.given.find("output")) {  // one of [run] is for a trajectory
    require_repeatable(m, *output);
    for (const std::string& path : files_of(*output, plan, request.settings)) {
      files.push_back({path, output->origin, output->role});
    }
    request.output = *output;
    request.ledger = new_ledger(plan, request.settings, recipe_of(m, options.assignments, merged));
  }
  require_files_apart(options.model_path, files, options.given.find("report"));
  require_output(request, is_shared);
  const report_target page(options.given);
  std::optional<ensemble_recorder> recorder;
  if (flag_from(options.given, "statistics")) {
    request.statistics = std::make_shared<ensemble_statistics>(plan, request.settings);
    request.observers.push_back(request.statistics.get());
  }
  if (page.is_wanted()) request.observers.push_back(&recorder.emplace(plan, request.settings));
  ensemble_simulation_result result = is_shared ? simulate_among(request, *options.ranks) : simulate_here(request);
  result.statistics = request.statistics;
  if (recorder && (!is_shared || options.ranks->rank() == 0)) {
    result.page_error = page.write(ensemble_page(result.report, *recorder, m, {options.command, program_version()}));
    if (result.page_error.empty()) result.files.push_back(page.path());
  }
  return result;
}

std::string prepare_devices(const model& m, const ensemble_simulation_options& options) {
  ensemble_simulation_options on_gpus = options;
  on_gpus.given.erase("device");
  const option_values merged = merged_options(m, on_gpus.given);
  set_backend_from(merged);
  const ensemble_plan plan = plan_of(on_gpus, m);
  ensemble_options settings = settings_of(on_gpus, m, merged, plan);
  settings.device->uses_gpus = true;
  return prepare_device_code(plan, settings);
}

repetition repeat_ensemble(const std::string& path, const ensemble_simulation_options& now) {
  const ensemble_recipe recipe = ensemble_recipe_in(trajectory_file::open(path), path);
  const model m = model_of(recipe.run);
  const ensemble_simulation_options options = typed_for(recipe, now);
  set_backend_from(recipe.run.options);
  const ensemble_plan plan = plan_of(options, m);
  ensemble_options settings = settings_of(options, m, recipe.run.options, plan);
  const trajectory_range range = range_of(settings.part.value_or(ensemble_part()), plan.size());
  repetition result{.rows = recipe.interrupted_after.value_or(range.size()),
                    .interrupted_at = recipe.interrupted_after};
  ensemble_file file(path, new_ledger(plan, settings, recipe.run), result.difference);
  std::atomic<bool> is_enough = result.rows == 0;
  settings.interrupted = [&] { return is_enough.load(); };
  const ensemble_report report = run_ensemble(plan, settings, [&](const trajectory_result& one) {
    const std::size_t row = one.index - range.first;
    if (row < result.rows) file.append(one);
    if (recipe.interrupted_after && row + 1 >= result.rows) is_enough = true;
  });
  file.close(recipe.interrupted_after ? nullptr : &report);
  return result;
}

}  // namespace actio
