#include "actio/api/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actio/analysis/accuracy_refusal.hpp"
#include "actio/api/run_files.hpp"
#include "actio/api/settled_choice.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/integrate/embedded_step.hpp"
#include "actio/io/append_file.hpp"
#include "actio/io/checkpoint.hpp"
#include "actio/io/comparing_sink.hpp"
#include "actio/io/file_uses.hpp"
#include "actio/io/json_report.hpp"
#include "actio/io/report.hpp"
#include "actio/io/report_target.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/io/trajectory_writer.hpp"
#include "actio/mechanics/lasting_symmetries.hpp"
#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/event_action.hpp"
#include "actio/simulate/milestones.hpp"
#include "actio/simulate/output_times.hpp"
#include "actio/simulate/run_settings.hpp"
#include "actio/simulate/second_run.hpp"
#include "actio/simulate/step_kinks.hpp"
#include "actio/simulate/timed_states.hpp"

namespace actio {

namespace {

// Keeps rows as columns in memory. There is room for `rows` of them at once where they are not too many: a run may end
// early.
template <class S>
class table_sink final : public row_sink<S> {
 public:
  table_sink(trajectory_table<S>& table, std::vector<std::string> names, std::size_t rows) : table_(table) {
    constexpr std::size_t most_reserved = std::size_t(1) << 22U;  // values in all
    table_.names = std::move(names);
    table_.columns.resize(table_.names.size());
    for (std::vector<S>& column : table_.columns) column.reserve(std::min(rows, most_reserved / table_.names.size()));
  }
  void append(std::span<const S> row) override {
    for (std::size_t k = 0; k < row.size(); ++k) table_.columns[k].push_back(row[k]);
    ++rows_;
  }
  void flush() override {}
  std::size_t kept_rows() const override { return rows_; }

 private:
  trajectory_table<S>& table_;
  std::size_t rows_ = 0;
};

// Model and method as --formulation wants them to become discrete.
void formulate(run_request& request) {
  if (!is_intrinsic(request.merged)) return;
  const source_place place{request.merged.find("formulation")->origin.file, 0, 0};
  if (leaves_choice(request.merged)) {
    throw input_error("conflicting-options", "a method that is to be chosen has no intrinsic formulation", place,
                      "give @method and @step");
  }
  if (flag_from(request.merged, "shadow")) {
    throw input_error("conflicting-options", "the shadow energy is known of the constrained formulation only", place,
                      "leave @shadow or @formulation out");
  }
  if (guess_from(request.merged, {}) != first_guess::extrapolation) {
    throw input_error("conflicting-options", "the intrinsic formulation has no other first guess than extrapolation",
                      place, "leave @guess out");
  }
  charted_model charted = intrinsic_model(request.m);
  request.m = std::move(charted.intrinsic);
  request.intrinsic = intrinsic_method(method_named(*request.merged.find("method")), std::move(charted.space), place);
}

// What knows nothing of parameters that change on the way cannot go with a control.
void require_control_alone(const run_request& request) {
  const bool has_instants = changes_motion(request.m.events) || !request.m.controls.empty();
  if (!request.options.control && !has_instants) return;
  const auto refuse = [&](const std::string& what, const std::string& option) {
    throw input_error("conflicting-options",
                      fmt::format("{} is not known of a run {}", what,
                                  has_instants ? "in which events or controls change the motion"
                                               : "whose parameters a control changes"),
                      {"@" + option, 0, 0}, fmt::format("leave @{} out", option));
  };
  if (request.options.control && leaves_choice(request.merged)) refuse("which step an accuracy needs", "accuracy");
  if (flag_from(request.merged, "shadow")) refuse("the shadow energy", "shadow");
  if (flag_from(request.merged, "companion")) refuse("the error of the motion", "companion");
  if (request.options.control && request.merged.find("output")) refuse("how to repeat the run from its file", "output");
}

// Parameters that do not keep their values: any of them where a function controls the run.
std::vector<std::size_t> changing_parameters(const run_request& request) {
  std::vector<std::size_t> changing;
  for (std::size_t k = 0; request.options.control && k < request.m.system.parameters.size(); ++k) changing.push_back(k);
  for (const sampled_control& c : request.m.controls) changing.push_back(c.parameter);
  for (const model_event& event : request.m.events) {
    for (const assigned_value& a : event.set) {
      if (a.kind == assigned_kind::parameter) changing.push_back(a.index);
    }
  }
  std::ranges::sort(changing);
  const auto [first, last] = std::ranges::unique(changing);
  changing.erase(first, last);
  return changing;
}

// What is conserved with the values of the model alone is not followed.
void settle_symmetries(run_request& request) {
  for (const std::string& name : keep_lasting_symmetries(request.m.system, changing_parameters(request))) {
    if (!request.options.note) return;
    request.options.note(fmt::format(
        "the momentum '{}' is conserved with the parameters of the model only, which {}: it is not followed", name,
        request.options.control ? "the control may change" : "events and controls change"));
  }
}

// The model with the force that the options give.
model with_force(model m, const simulation_options& options) {
  if (!options.force) return m;
  if (m.system.applied_force) {
    throw input_error("conflicting-options", fmt::format("'{}' has a force function already", m.system.name), {},
                      "give one of the two, which adds up both forces");
  }
  m.system.applied_force = options.force;
  return m;
}

// The control in the numbers of the run.
template <class S>
controller<S> controller_of(const parameter_control& control) {
  if (!control) return {};
  const auto rounded = [](const auto& values) {
    std::vector<double> result;
    for (const S& x : values) result.push_back(to_double(x));
    return result;
  };
  return [control, rounded](const phase_state<S>& state, const phase_point<S>&, std::span<S> parameters) {
    const std::vector<double> before = rounded(parameters);
    std::vector<double> after = before;
    control(to_double(state.time), rounded(state.position.value), rounded(state.momentum.value), after);
    for (std::size_t k = 0; k < after.size(); ++k) {
      if (after[k] != before[k]) parameters[k] = S(after[k]);
    }
  };
}

template <class S>
integrator<S> integrator_of(const run_request& request, const integrator_options<S>& settings) {
  const integrator<S> integrator(request.m.system, settings);
  return request.intrinsic ? integrator.with_method(*request.intrinsic, settings.step) : integrator;
}

// What measures the run, with a companion that goes along: for a while, or to the end where that is asked for.
template <class S>
certificate_meter<S> meter_of(const run_request& request, const integrator<S>& integrator,
                              const step_workspace<S>& workspace, const phase_state<S>& start, std::size_t steps) {
  certificate_meter<S> meter(integrator);
  const bool is_changed = changes_motion(request.m.events) || !request.m.controls.empty();
  // The others know the system with one set of parameters only, and motions with steps of a given length.
  if (request.options.control || is_changed || integrator.chooses_steps()) return meter;
  meter.follow(quadratic_form<S>::of(integrator));
  if (integrator.space().has_jet() && may_jump(integrator.space().system()))
    meter.follow(jump_watch<S>(integrator.space()));
  if (flag_from(request.merged, "shadow")) meter.follow(shadow_meter<S>(integrator, workspace));
  if (request.choice) return meter;  // its error was measured when it was chosen
  const bool to_the_end = flag_from(request.merged, "companion");
  const company_plan plan = company_for(integrator, start, steps, splits_at_kinks(request.merged));
  const std::size_t most = to_the_end ? companion<S>::unlimited : usual_company(integrator, plan.parts);
  meter.accompany(companion<S>::beside(integrator, start, most, plan));
  return meter;
}

double asked_accuracy(const run_request& request) {
  return integrator_options_from<double>(request.m, request.merged).accuracy;
}

// Everything of a run up to its first step.
template <class S>
struct prepared_run {
  integrator<S> flow;
  std::size_t expected;  // steps, where no event changes the motion
  std::vector<model_event> watched;
  run_options<S> settings;
  phase_state<S> state;
  std::unique_ptr<step_workspace<S>> workspace;
  certificate_meter<S> meter;

  explicit prepared_run(const run_request& request) : prepared_run(request, settled_options(request)) {}

 private:
  // Where steps are chosen, to the accuracy that the end needs.
  static integrator_options<S> settled_options(const run_request& request) {
    integrator_options<S> options = integrator_options_from<S>(request.m, request.merged);
    if (!steps_are_chosen(request.merged)) return options;
    const integrator<S> flow(request.m.system, options);
    const settled_steps settled =
        settled_accuracy<S>(flow, flow.at_start(request.m), end_from<S>(request.m, request.merged), options.accuracy,
                            instants_of(request.m, splits_at_kinks(request.merged), true));
    if (!request.options.control && !(settled.error <= options.accuracy)) {
      const auto typed = request.merged.find("accuracy");
      refuse_unsettled<S>(request.m.system, options.accuracy, settled.error,
                          typed ? whole_place(*typed) : source_place{});
    }
    options.accuracy = settled.accuracy;
    return options;
  }

  // Where events, kinks and samples divide steps, so many steps are so much time.
  static run_options<S> length_of(const run_request& request, const integrator<S>& flow, std::size_t steps,
                                  bool divides) {
    run_options<S> result;
    if (!request.merged.has("steps")) result.until = end_from<S>(request.m, request.merged);
    else if (divides) result.until = flow.options().start + S(static_cast<double>(steps)) * flow.step();
    else result.steps = steps;
    result.sampled = request.m.controls;
    return result;
  }

  prepared_run(const run_request& request, const integrator_options<S>& chosen)
      : flow(integrator_of(request, chosen)),
        expected(steps_from(request.m, request.merged, chosen.step)),
        watched(watched_events(request.m, splits_at_kinks(request.merged), flow.chooses_steps())),
        settings(length_of(request, flow, expected,
                           !watched.empty() || !request.m.controls.empty() || !kink_times_of<S>(flow).empty())),
        state(flow.at_start(request.m, &settings.projection)),
        workspace(flow.make_workspace()),
        meter(meter_of(request, flow, *workspace, state, expected)) {
    settings.meter = &meter;
    settings.events = watched;
    if (splits_at_kinks(request.merged) && !flow.chooses_steps()) settings.kink_times = kink_times_of<S>(flow);
    settings.control = controller_of<S>(request.options.control);
  }
};

template <class S>
simulation_result concluded(const run_request& request, simulated<S> numbers) {
  simulation_result result;
  const run_report<S>& report = numbers.report;
  result.status = report.status;
  result.is_trusted = report.trust.is_trusted();
  result.steps = report.steps;
  result.reason = report.reason;
  result.suggestion = report.suggestion;
  result.text = to_text(report);
  result.json = to_json(report);
  result.options = request.merged;
  result.numbers = std::move(numbers);
  return result;
}

// What is left of a run.
template <class S>
struct finished_run {
  simulated<S> numbers;
  std::string page_error;
  bool has_files;
};

template <class S>
finished_run<S> carried_out(const run_request& request) {
  prepared_run<S> run_of(request);
  const report_target page(request.merged);
  report_recorder<S> recorder(run_of.flow.space(), request.m.view, run_of.meter.shadow() != nullptr,
                              columns_asked(request.merged));
  if (page.is_wanted()) run_of.settings.observers.push_back(&recorder);
  simulated<S> numbers;
  std::optional<trajectory_writer<S>> kept;
  std::optional<timed_states<S>> timed;
  auto times = times_from<S>(request.m, request.merged, run_of.flow, run_of.settings);  // refused also without rows
  if (request.options.keeps_trajectory) {
    const std::size_t every = count_from(*request.merged.find("every"), 1);
    trajectory_layout<S> layout(run_of.flow.space(), run_of.meter.shadow() != nullptr, columns_asked(request.merged),
                                true);
    auto table = std::make_unique<table_sink<S>>(
        numbers.trajectory, layout.names(), run_of.expected / every + 2);  // the start, and an end between two rows
    kept.emplace(std::move(table), std::move(layout), every);
    if (times) {
      timed.emplace(run_of.flow, run_of.workspace->space(), std::move(*times),
                    [&](const sample<S>& now) { kept->write(now); });
    }
    run_of.settings.observers.push_back(timed ? static_cast<observer<S>*>(&*timed) : &*kept);
  }
  for (observer<S>* o : request.options.observers.of<S>()) run_of.settings.observers.push_back(o);
  const auto proceed = [&] {
    return !request.options.proceed ||
           request.options.proceed(run_of.state.index, run_of.expected, to_double(run_of.state.time));
  };
  proceed();
  run_files<S> files(request, run_of.flow, *run_of.workspace, run_of.state, run_of.meter, run_of.settings);
  run_of.settings.interrupted = [&] { return !proceed() || files.failed(); };
  std::optional<double> unseen;  // by the steps that were chosen
  if (request.choice)
    unseen = company_for(run_of.flow, run_of.state, run_of.expected, splits_at_kinks(request.merged)).unseen;
  std::optional<phase_state<S>> first;  // where steps are chosen
  if (run_of.flow.chooses_steps()) first = run_of.flow.at_start(request.m);
  const double setup = std::chrono::duration<double>(std::chrono::steady_clock::now() - request.options.begun).count();
  run_report<S>& report = numbers.report;
  report = run(run_of.flow, *run_of.workspace, run_of.state, run_of.settings);
  report.setup_seconds = setup;
  report.choice = request.choice;
  if (run_of.flow.chooses_steps() && report.status == run_status::done && !request.options.control) {
    report.accuracy = asked_accuracy(request);
    report.motion = error_by_second_run(run_of.flow, *first, run_of.state,
                                        instants_of(request.m, splits_at_kinks(request.merged), true));
  } else if (request.choice) {
    report.motion = request.choice->motion;
    report.motion->unseen = unseen;
  }
  report.trust = trust_in(report);
  files.finish(*run_of.workspace, run_of.state, report);
  if (kept) kept->finish("");
  std::string page_error;
  if (page.is_wanted()) {
    page_error = page.write(report_page(report, recorder, request.m, {request.options.command, program_version()}));
  }
  return {std::move(numbers), std::move(page_error), files.any()};
}

// Texts are written when what the run needed is gone: they may be long.
template <class S>
simulation_result run_with(const run_request& request) {
  finished_run<S> run = carried_out<S>(request);
  simulation_result result = concluded(request, std::move(run.numbers));
  result.page_error = std::move(run.page_error);
  result.can_resume = result.status == run_status::interrupted && run.has_files;
  return result;
}

template <class S>
repetition repeat_with(const run_request& request, const std::string& path, std::optional<std::size_t> interruption) {
  prepared_run<S> run_of(request);
  repetition result{.difference = {}, .interrupted_at = interruption};
  trajectory_layout<S> layout(run_of.flow.space(), run_of.meter.shadow() != nullptr, columns_asked(request.merged));
  auto compared =
      std::make_unique<comparing_sink<S>>(path, layout.names(), std::vector<sink_table>(), result.difference);
  trajectory_writer<S> comparison(std::move(compared), std::move(layout), count_from(*request.merged.find("every"), 1));
  std::optional<timed_states<S>> timed;
  if (auto times = times_from<S>(request.m, request.merged, run_of.flow, run_of.settings)) {
    timed.emplace(run_of.flow, run_of.workspace->space(), std::move(*times),
                  [&](const sample<S>& now) { comparison.write(now); });
  }
  run_of.settings.observers.push_back(timed ? static_cast<observer<S>*>(&*timed) : &comparison);
  if (interruption) run_of.settings.interrupted = [&] { return run_of.state.index >= *interruption; };
  comparison.finish(to_json(run(run_of.flow, *run_of.workspace, run_of.state, run_of.settings)));
  result.rows = comparison.kept_rows();
  return result;
}

}  // namespace

option_values typed_options(std::initializer_list<std::pair<std::string_view, std::string>> values) {
  option_values result;
  for (const auto& [name, value] : values) {
    const std::string key(name);
    const source_place place{"option " + key, 0, 0};
    if (find_option(name) == nullptr) {
      std::vector<std::string> known;
      for (const option_descriptor& option : option_catalogue()) known.emplace_back(option.name);
      throw input_error("unknown-command-option", "there is no option '" + key + "'", place, suggest(key, known));
    }
    result.set(key, {value, place, key});
  }
  return result;
}

template <class S>
const std::vector<S>* trajectory_table<S>::find(std::string_view name) const {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return &columns[k];
  }
  return nullptr;
}

simulation_result simulate(const model& m, const simulation_options& options) {
  run_request request{.m = with_force(m, options), .options = options, .merged = merged_options(m, options.given)};
  read_times(request.merged);
  const auto output = request.merged.find("output");
  require_files_apart(options.model_path, output ? std::vector{*output} : std::vector<source_text>(),
                      request.merged.find("report"));
  set_backend_from(request.merged);
  require_control_alone(request);
  apply_time_scale(request.m, request.merged);
  if (output) require_repeatable(request.m, *output);
  settle_symmetries(request);
  formulate(request);
  if (leaves_choice(request.merged)) {
    request.choice = settle_choice(request.m, request.merged);
    apply_time_scale(request.m, request.merged);
    if (options.repeating) request.choice->command = options.repeating(request.merged);
  }
  const std::string zeros = note_of_zeros(request.m.initial);
  if (options.note && !zeros.empty()) options.note(zeros);
  request.recipe = recipe_of(request.m, options.assignments, request.merged);
  return with_scalar(precision_from(*request.merged.find("precision")),
                     [&]<class S>() { return run_with<S>(request); });
}

repetition repeat_simulation(const std::string& path) {
  const trajectory_file file = trajectory_file::open(path);
  if (file.text("kind") == "ensemble") {
    throw input_error("trajectory-damaged", fmt::format("'{}' holds an ensemble, not a run", path), {path, 0, 0},
                      "repeat it as an ensemble, with @again");
  }
  const simulation_options nothing;
  const run_recipe recipe = recipe_in(file, path);
  run_request request{.m = model_of(recipe), .options = nothing, .merged = recipe.options, .recipe = recipe};
  apply_time_scale(request.m, request.merged);
  settle_symmetries(request);
  formulate(request);
  set_backend_from(request.merged);
  const auto interruption = interruption_in(file.text("certificate"), "steps");
  return with_scalar(precision_from(*request.merged.find("precision")),
                     [&]<class S>() { return repeat_with<S>(request, path, interruption); });
}

#define ACTIO_INSTANTIATE(S) template struct trajectory_table<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
