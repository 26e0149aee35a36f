// actio run: model and options in, trajectory file, checkpoints and certificate out.
#include "actio/simulate/run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "actio/integrate/embedded_step.hpp"
#include "actio/io/checkpoint.hpp"
#include "actio/io/json_report.hpp"
#include "actio/io/report.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/io/trajectory_writer.hpp"
#include "actio/simulate/run_settings.hpp"
#include "apps/cli/choice.hpp"
#include "apps/cli/commands.hpp"
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
            phase_state<S>& state, run_options<S>& settings)
      : output_(request.options.find("output")), meter_(integrator) {
    const std::size_t thinning = count_from(*request.options.find("every"), 1);
    const auto every = request.options.find("checkpoint-every");
    if (!output_) {
      if (every || request.resuming) {
        throw input_error("conflicting-options", "checkpoints stand beside an output, but there is none",
                          every ? every->origin : source_place{"--resume", 0, 0}, "add --output FILE.h5 or FILE.csv");
      }
      return;
    }
    checkpoint_plan plan{checkpoint_path(output_->text), identity_of(request.recipe),
                         every ? count_from(*every, 1) : 0};
    std::size_t rows = 0;
    if (request.resuming) {
      if (const auto saved = read_checkpoint(plan.path)) {
        const resumed_run<S> before = resume(*saved, plan.identity, plan.path, integrator, workspace, meter_);
        state = before.state;
        rows = before.rows;
        settings.meter = &meter_;
        settings.seconds = before.seconds;
        note(request, fmt::format("resuming at step {}, t = {}", state.index, to_brief(state.time, 8)));
      } else {
        note(request, fmt::format("there is no checkpoint '{}' yet: starting afresh", plan.path));
      }
    }
    writer_.emplace(integrator.space(), output_request{*output_, thinning, metadata_of(request.recipe), rows});
    checkpoints_.emplace(std::move(plan), [this] { return writer_->commit(); }, state.index);
    settings.meter = &meter_;
    settings.observers.push_back(&*writer_);
    settings.observers.push_back(&*checkpoints_);
  }

  bool failed() const { return writer_ && (writer_->failed() || !checkpoints_->error().empty()); }

  // Ends the files and turns a failure to write into a failed run.
  void finish(const step_workspace<S>& workspace, const phase_state<S>& state, run_report<S>& report) {
    if (!writer_) return;
    const bool go_on = report.status == run_status::interrupted && !failed();
    if (go_on || checkpoints_->any()) checkpoints_->take(state, workspace, meter_, report.seconds);
    const std::string error = failed() && !writer_->failed() ? checkpoints_->error() : writer_->error();
    if (writer_->finish(to_json(report)) && error.empty()) return;
    report.status = run_status::failed;
    report.reason = fmt::format("the output '{}' could not be written beyond step {}: {}", output_->text, report.steps,
                                writer_->failed() ? writer_->error() : error);
    report.suggestion = "make room and go on with --resume, or write to another place; --every K writes fewer rows";
  }

  std::string hint(const run_report<S>& report) const {
    if (!writer_) return "";
    return report.status == run_status::interrupted
               ? "; the output up to there is complete, --resume goes on from there"
               : "";
  }

 private:
  static void note(const run_request& request, const std::string& text) {
    if (!request.quietly) fmt::print(stderr, "actio: {}\n", text);
  }

  std::optional<source_text> output_;
  certificate_meter<S> meter_;
  std::optional<trajectory_writer<S>> writer_;
  std::optional<checkpoint_writer<S>> checkpoints_;
};

template <class S>
int concluded(const run_request& request, const run_report<S>& report, const run_files<S>& files) {
  fmt::print("{}", request.as_json ? to_json(report) : to_text(report));
  for (const char* kind : {"output", "report"}) {
    const auto path = request.options.find(kind);
    if (path && !request.as_json) fmt::print("  {:<13} {}\n", kind, path->text);
  }
  if (report.status == run_status::done) return exit_done;
  std::fflush(stdout);
  if (report.status == run_status::failed) {
    fmt::print(stderr, "actio: {}; {}\n", report.reason, report.suggestion);
  } else {
    fmt::print(stderr, "actio: interrupted at step {}{}\n", report.steps, files.hint(report));
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
  charted_model charted = intrinsic_model(request.m);
  request.m = std::move(charted.intrinsic);
  request.intrinsic = intrinsic_method(method_named(*request.options.find("method")), std::move(charted.space), place);
}

template <class S>
integrator<S> integrator_of(const run_request& request, const integrator_options<S>& settings) {
  const integrator<S> integrator(request.m.system, settings);
  return request.intrinsic ? integrator.with_method(*request.intrinsic, settings.step) : integrator;
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
  report_recorder<S> recorder(integrator.space(), request.m.view);
  if (page.is_wanted()) run_settings.observers.push_back(&recorder);
  run_files<S> files(request, integrator, *workspace, state, run_settings);

  run_report<S> report;
  {
    progress_line progress(!request.quietly);
    watch_for_interrupts();
    run_settings.interrupted = [&] {
      progress.show(state.index, steps, to_double(state.time));
      return was_interrupted() || files.failed();
    };
    const double setup_seconds = std::chrono::duration<double>(clock::now() - request.start).count();
    report = run(integrator, *workspace, state, run_settings);
    report.setup_seconds = setup_seconds;
    report.choice = request.choice;
  }
  files.finish(*workspace, state, report);
  if (page.is_wanted()) page.write(report_page(report, recorder, request.m, {request.typed, program_version()}));
  return concluded(request, report, files);
}

// Looks on while a run is repeated and compares every stored row with what is computed now.
template <class S>
class row_comparison final : public observer<S> {
 public:
  row_comparison(const trajectory_file& file, std::size_t every, std::size_t last)
      : file_(file), every_(every), last_(last) {}

  void observe(const sample<S>& now) override {
    if (now.state.index % every_ != 0 && now.state.index != last_) return;
    if (rows_ >= file_.rows()) return;
    if (rows_ % block == 0) load();
    trajectory_row(now, row_);
    for (std::size_t k = 0; k < row_.size(); ++k) {
      if (from_digits<S>(stored_[k][rows_ % block]) != row_[k] && first_difference_.empty()) {
        first_difference_ = fmt::format("'{}' at step {}", file_.columns()[k], now.state.index);
      }
    }
    ++rows_;
  }

  std::size_t rows() const { return rows_; }
  const std::string& first_difference() const { return first_difference_; }

 private:
  static constexpr std::size_t block = 8192;
  void load() {
    stored_.clear();
    for (const std::string& name : file_.columns()) {
      stored_.push_back(file_.values(name, rows_, std::min(block, file_.rows() - rows_)));
    }
  }
  const trajectory_file& file_;
  std::size_t every_, last_, rows_ = 0;
  std::vector<std::vector<std::string>> stored_;
  std::vector<S> row_;
  std::string first_difference_;
};

template <class S>
int repeat_with(const run_request& request, const trajectory_file& file) {
  const integrator_options<S> settings = integrator_options_from<S>(request.m, request.options);
  const std::size_t steps = steps_from(request.m, request.options, settings.step);
  const integrator<S> integrator = integrator_of(request, settings);
  phase_state<S> state = integrator.at_start(request.m);
  const auto workspace = integrator.make_workspace();
  row_comparison<S> comparison(file, count_from(*request.options.find("every"), 1), steps);
  run(integrator, *workspace, state, run_options<S>{.steps = steps, .observers = {&comparison}});
  if (!comparison.first_difference().empty()) {
    fmt::print("the bits differ: first in {}\n", comparison.first_difference());
    return exit_numbers_failed;
  }
  if (comparison.rows() != file.rows()) {
    fmt::print("the bits of the first {} rows agree, but the file has {}\n", comparison.rows(), file.rows());
    return exit_numbers_failed;
  }
  fmt::print("the bits agree: {} rows\n", file.rows());
  return exit_done;
}

int repeat_run(const std::string& path) {
  const trajectory_file file = trajectory_file::open(path);
  run_request request;
  request.recipe = recipe_in(file, path);
  request.options = request.recipe.options;
  request.m = model_of(request.recipe);
  formulate(request);
  set_backend_from(request.options);
  return with_scalar(precision_from(*request.options.find("precision")),
                     [&]<class S>() { return repeat_with<S>(request, file); });
}

}  // namespace

int run_command(const command_input& input) {
  if (input.has_flag("again")) return repeat_run(input.arguments.front().text);
  run_request request;
  request.m = requested_model(input);
  request.options = merged_options(request.m, input.options);
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
