// actio run: model and options in, trajectory file, checkpoints and certificate out.
#include "actio/simulate/run.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>

#include "actio/integrate/embedded_step.hpp"
#include "actio/io/append_file.hpp"
#include "actio/io/checkpoint.hpp"
#include "actio/io/comparing_sink.hpp"
#include "actio/io/json_report.hpp"
#include "actio/io/report.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/io/trajectory_writer.hpp"
#include "actio/simulate/run_settings.hpp"
#include "apps/cli/choice.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/file_uses.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/model_argument.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/report_target.hpp"

namespace actio::cli {

namespace {

using clock = std::chrono::steady_clock;

struct run_request {
  clock::time_point start = clock::now();
  model m;
  run_recipe recipe;
  option_values options;
  std::string typed;
  std::optional<choice_record> choice = {};
  std::optional<method> intrinsic = {};  // the method, where it discretises in the ambient space of a chart
  bool as_json = false, quietly = false, resuming = false;
};

// The run itself, without its length: a resumed run may go further than the first one did.
run_identity identity_of(const run_recipe& recipe) {
  run_identity identity{{"model", recipe.model_text}};
  std::string assignments;
  for (const std::string& a : recipe.assignments) assignments += a + "\n";
  identity.emplace_back("set", assignments);
  for (const auto& [name, value] : recipe.options.all()) {
    if (name != "until" && name != "steps") identity.emplace_back(name, value.text);
  }
  return identity;
}

// The files of one run: trajectory, checkpoint, and what became of them.
template <class S>
class run_files {
 public:
  run_files(const run_request& request, const integrator<S>& integrator, step_workspace<S>& workspace,
            phase_state<S>& state, certificate_meter<S>& meter, run_options<S>& settings)
      : output_(request.options.find("output")), meter_(meter) {
    const std::size_t thinning = count_from(*request.options.find("every"), 1);
    const auto every = request.options.find("checkpoint-every");
    if (!output_) {
      if (every || request.resuming) {
        throw input_error("conflicting-options", "checkpoints stand beside an output, but there is none",
                          every ? every->origin : source_place{"--resume", 0, 0}, "add --output FILE.h5 or FILE.csv");
      }
      return;
    }
    const auto lock = std::make_shared<output_lock>(*output_);
    checkpoint_plan plan{checkpoint_path(output_->text), identity_of(request.recipe),
                         every ? count_from(*every, 1) : 0};
    require_own_checkpoint(*output_);
    if (const std::string obstacle = replace_obstacle(plan.path); !obstacle.empty()) {
      throw output_unwritable({plan.path, output_->origin, "checkpoint"}, obstacle);
    }
    output_mark<S> from;
    if (request.resuming) {
      if (const auto saved = read_checkpoint(plan.path)) {
        const resumed_run<S> before = resume(*saved, plan.identity, plan.path, integrator, workspace, meter_);
        state = before.state;
        from = before.output;
        settings.seconds = before.seconds;
        require_ahead(state.index, settings.steps, plan.path);
        say(request, fmt::format("resuming at step {}, t = {}", state.index, to_brief(state.time, 8)));
        is_resumed_ = true;
      } else {
        say(request, fmt::format("there is no checkpoint '{}' yet: starting afresh", plan.path));
      }
    }
    writer_.emplace(integrator.space(), output_request<S>{*output_, thinning, metadata_of(request.recipe),
                                                          std::move(from), meter_.shadow() != nullptr, lock});
    checkpoints_.emplace(std::move(plan), [this] { return writer_->commit(); }, state.index);
    settings.observers.push_back(&*writer_);
    settings.observers.push_back(&*checkpoints_);
  }

  bool failed() const { return writer_ && (writer_->failed() || !checkpoints_->error().empty()); }

  // Ends the files and turns a failure to write into a failed run, whose trust is judged anew.
  void finish(const step_workspace<S>& workspace, const phase_state<S>& state, run_report<S>& report) {
    if (!writer_) return;
    if (report.status == run_status::interrupted || checkpoints_->any()) {
      checkpoints_->take(state, workspace, meter_, report.seconds);
    }
    if (writer_->finish(to_json(report)) && checkpoints_->error().empty()) return;
    report.status = run_status::failed;
    report.reason = writer_->failed() ? fmt::format("the output '{}' could not be written beyond its first {} rows: {}",
                                                    output_->text, writer_->kept_rows(), writer_->error())
                                      : fmt::format("the checkpoint '{}' could not be written: {}",
                                                    checkpoint_path(output_->text), checkpoints_->error());
    report.suggestion = checkpoints_->any() || is_resumed_
                            ? "make room and go on from the last checkpoint with --resume"
                            : "make room and run again, or write to another place; --every K writes fewer rows";
    report.trust = trust_in(report);
  }

  std::string hint(const run_report<S>& report) const {
    if (!writer_) return "";
    return report.status == run_status::interrupted
               ? "; the output up to there is complete, --resume goes on from there"
               : "";
  }

 private:
  static void say(const run_request& request, const std::string& text) {
    if (!request.quietly) note("actio: {}\n", text);
  }

  static void require_ahead(std::size_t step, std::size_t steps, const std::string& checkpoint) {
    if (step <= steps) return;
    throw input_error("checkpoint-foreign",
                      fmt::format("the checkpoint stands at step {}, this run would end at step {}", step, steps),
                      {checkpoint, 0, 0}, "ask for as many steps at least, or leave --resume out to start afresh");
  }

  bool is_resumed_ = false;
  std::optional<source_text> output_;
  certificate_meter<S>& meter_;
  std::optional<trajectory_writer<S>> writer_;
  std::optional<checkpoint_writer<S>> checkpoints_;
};

template <class S>
int concluded(const run_request& request, const run_report<S>& report, const run_files<S>& files,
              const std::string& page_error) {
  print_text(request.as_json ? to_json(report) : to_text(report));
  for (const char* kind : {"output", "report"}) {
    const auto path = request.options.find(kind);
    const bool is_there = path && (kind != std::string_view("report") || page_error.empty());
    if (is_there && !request.as_json) print("  {:<13} {}\n", kind, path->text);
  }
  if (!page_error.empty()) note("actio: {}\n", page_error);
  const bool is_refused = flag_from(request.options, "strict") && !report.trust.is_trusted();
  if (report.status == run_status::done) return page_error.empty() && !is_refused ? exit_done : exit_numbers_failed;
  if (report.status == run_status::failed) {
    note("actio: {}; {}\n", report.reason, report.suggestion);
  } else {
    note("actio: interrupted at step {}{}\n", report.steps, files.hint(report));
  }
  return exit_numbers_failed;
}

void note_compilation(std::size_t operations) {
  fmt::print(stderr, "actio: compiling {} operations to machine code, which may take a while\n", operations);
}

// Model and method as --formulation wants them to become discrete.
void formulate(run_request& request) {
  if (!is_intrinsic(request.options)) return;
  const source_place place{request.options.find("formulation")->origin.file, 0, 0};
  if (leaves_choice(request.options)) {
    throw input_error("conflicting-options", "a method that is to be chosen has no intrinsic formulation", place,
                      "give --method and --step");
  }
  if (flag_from(request.options, "shadow")) {
    throw input_error("conflicting-options", "the shadow energy is known of the constrained formulation only", place,
                      "leave --shadow or --formulation out");
  }
  if (guess_from(request.options, {}) != first_guess::extrapolation) {
    throw input_error("conflicting-options", "the intrinsic formulation has no other first guess than extrapolation",
                      place, "leave --guess out");
  }
  charted_model charted = intrinsic_model(request.m);
  request.m = std::move(charted.intrinsic);
  request.intrinsic = intrinsic_method(method_named(*request.options.find("method")), std::move(charted.space), place);
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
  meter.follow(quadratic_form<S>::of(integrator));
  if (integrator.space().has_energy()) meter.follow(jump_watch<S>(integrator));
  if (flag_from(request.options, "shadow")) meter.follow(shadow_meter<S>(integrator, workspace));
  if (request.choice) return meter;  // its error was measured when it was chosen
  const bool to_the_end = flag_from(request.options, "companion");
  const company_plan plan = company_for(integrator, start, steps);
  const std::size_t most = to_the_end ? companion<S>::unlimited : usual_company(integrator, plan.parts);
  meter.accompany(companion<S>::beside(integrator, start, most, plan));
  return meter;
}

template <class S>
int run_with(const run_request& request) {
  const integrator_options<S> settings = integrator_options_from<S>(request.m, request.options);
  const std::size_t steps = steps_from(request.m, request.options, settings.step);
  const integrator<S> integrator = integrator_of(request, settings);
  run_options<S> run_settings{.steps = steps};
  phase_state<S> state = integrator.at_start(request.m, &run_settings.projection);
  const auto workspace = integrator.make_workspace();
  const report_target page(request.options);
  report_recorder<S> recorder(integrator.space(), request.m.view, flag_from(request.options, "shadow"));
  if (page.is_wanted()) run_settings.observers.push_back(&recorder);
  watch_for_interrupts();
  certificate_meter<S> meter = meter_of(request, integrator, *workspace, state, steps);
  run_settings.meter = &meter;
  run_files<S> files(request, integrator, *workspace, state, meter, run_settings);

  run_report<S> report;
  {
    progress_line progress(!request.quietly);
    run_settings.interrupted = [&] {
      progress.show(state.index, steps, to_double(state.time));
      return was_interrupted() || files.failed();
    };
    const double setup_seconds = std::chrono::duration<double>(clock::now() - request.start).count();
    report = run(integrator, *workspace, state, run_settings);
    report.setup_seconds = setup_seconds;
    report.choice = request.choice;
    if (request.choice) report.motion = request.choice->motion;
    report.trust = trust_in(report);
  }
  files.finish(*workspace, state, report);
  std::string page_error;
  if (page.is_wanted()) {
    page_error = page.write(report_page(report, recorder, request.m, {request.typed, program_version()}));
  }
  return concluded(request, report, files, page_error);
}

// Does the run once more and compares all that the file holds: rows, columns, certificate.
template <class S>
int repeat_with(const run_request& request, const std::string& path, std::optional<std::size_t> interruption) {
  const integrator_options<S> settings = integrator_options_from<S>(request.m, request.options);
  const integrator<S> integrator = integrator_of(request, settings);
  run_options<S> run_settings{.steps = steps_from(request.m, request.options, settings.step)};
  phase_state<S> state = integrator.at_start(request.m, &run_settings.projection);
  const auto workspace = integrator.make_workspace();
  certificate_meter<S> meter = meter_of(request, integrator, *workspace, state, run_settings.steps);
  run_settings.meter = &meter;
  std::string difference;
  trajectory_writer<S> comparison(
      std::make_unique<comparing_sink<S>>(path, trajectory_columns(integrator.space(), meter.shadow() != nullptr),
                                          std::vector<sink_table>(), difference),
      count_from(*request.options.find("every"), 1));
  run_settings.observers.push_back(&comparison);
  if (interruption) run_settings.interrupted = [&] { return state.index >= *interruption; };
  const run_report<S> report = run(integrator, *workspace, state, run_settings);
  comparison.finish(to_json(report));
  if (!difference.empty()) {
    print("the bits differ: {}\n", difference);
    return exit_numbers_failed;
  }
  print("the bits agree: {} rows{}\n", comparison.kept_rows(),
        interruption ? fmt::format(", up to step {} where the run was interrupted", *interruption) : "");
  return exit_done;
}

int repeat_run(const std::string& path) {
  const trajectory_file file = trajectory_file::open(path);
  if (file.text("kind") == "ensemble") {
    throw input_error("trajectory-damaged", fmt::format("'{}' holds an ensemble, not a run", path), {path, 0, 0},
                      "write 'actio ensemble FILE.h5 --again'");
  }
  run_request request;
  request.recipe = recipe_in(file, path);
  request.options = request.recipe.options;
  request.m = model_of(request.recipe);
  formulate(request);
  set_backend_from(request.options);
  const auto interruption = interruption_in(file.text("certificate"), "steps");
  return with_scalar(precision_from(*request.options.find("precision")),
                     [&]<class S>() { return repeat_with<S>(request, path, interruption); });
}

}  // namespace

int run_command(const command_input& input) {
  if (input.has_flag("again")) {
    require_only(input, std::array<std::string_view, 2>{"again", "quiet"});
    return repeat_run(input.arguments.front().text);
  }
  run_request request;
  request.m = requested_model(input);
  request.options = merged_options(request.m, input.options);
  if (request.options.find("method")->text == "newmark" && !input.has_flag("quiet") && !input.has_flag("json")) {
    note("actio: newmark without --beta and --gamma is the midpoint rule\n");
  }
  const auto output = request.options.find("output");
  require_files_apart(input.arguments.front().text, output ? std::vector{*output} : std::vector<source_text>(),
                      request.options.find("report"));
  set_backend_from(request.options);
  if (!input.has_flag("quiet")) set_compile_note(note_compilation);
  formulate(request);
  if (leaves_choice(request.options)) request.choice = settle_choice(input, request.m, request.options);
  request.recipe = recipe_of(request.m, input.assignments, request.options);
  request.typed = input.typed;
  request.as_json = input.has_flag("json");
  request.quietly = input.has_flag("quiet");
  request.resuming = input.has_flag("resume");
  return with_scalar(precision_from(*request.options.find("precision")),
                     [&]<class S>() { return run_with<S>(request); });
}

}  // namespace actio::cli
