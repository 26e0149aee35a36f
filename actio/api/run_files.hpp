// The files of one run: trajectory, checkpoint, and what became of them.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "actio/api/simulation.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/io/append_file.hpp"
#include "actio/io/checkpoint.hpp"
#include "actio/io/run_recipe.hpp"
#include "actio/io/trajectory_writer.hpp"
#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/milestones.hpp"
#include "actio/simulate/output_times.hpp"
#include "actio/simulate/run_settings.hpp"
#include "actio/simulate/timed_states.hpp"

namespace actio {

struct run_request {
  model m;
  const simulation_options& options;
  option_values merged;
  run_recipe recipe = {};
  std::optional<choice_record> choice = {};
  std::optional<method> intrinsic = {};  // the method, where it discretises in the ambient space of a chart
};

// The run itself, without its length: a resumed run may go further than the first one did.
inline run_identity identity_of(const run_recipe& recipe, bool goes_back) {
  run_identity identity{{"model", recipe.model_text}};
  std::string assignments;
  for (const std::string& a : recipe.assignments) assignments += a + "\n";
  identity.emplace_back("set", assignments);
  for (const auto& [name, value] : recipe.options.all()) {
    if (name != "until" && name != "steps") identity.emplace_back(name, value.text);
  }
  identity.emplace_back("direction", goes_back ? "back" : "forward");
  return identity;
}

inline std::vector<source_text> columns_asked(const option_values& merged) {
  const auto typed = merged.find("columns");
  return typed ? list_from(*typed) : std::vector<source_text>();
}

// The files of one run: trajectory, checkpoint, and what became of them.
template <class S>
class run_files {
 public:
  run_files(const run_request& request, const integrator<S>& integrator, step_workspace<S>& workspace,
            phase_state<S>& state, certificate_meter<S>& meter, run_options<S>& settings)
      : output_(request.merged.find("output")), meter_(meter) {
    const std::size_t thinning = count_from(*request.merged.find("every"), 1);
    const auto every = request.merged.find("checkpoint-every");
    if (!output_) {
      if (every || request.options.resumes) {
        throw input_error("conflicting-options", "checkpoints stand beside an output, but there is none",
                          every ? every->origin : source_place{"@resume", 0, 0}, "add @output=FILE.h5 or FILE.csv");
      }
      return;
    }
    const std::vector<source_text> columns = columns_asked(request.merged);
    if (output_->text == "-" && request.options.rows) {
      if (every || request.options.resumes) {
        throw input_error("conflicting-options", "rows that are printed have no checkpoints beside them",
                          every ? every->origin : source_place{"@resume", 0, 0}, "write to a file, or leave it out");
      }
      trajectory_layout<S> layout(integrator.space(), meter_.shadow() != nullptr, columns);
      auto lines = csv_lines<S>(layout.names(), request.options.rows);
      writer_.emplace(std::move(lines), std::move(layout), thinning);
      observe_rows(request, integrator, workspace, settings);
      return;
    }
    chooses_ = workspace.chooses_steps();
    const auto lock = std::make_shared<output_lock>(*output_);
    checkpoint_plan plan{checkpoint_path(output_->text), identity_of(request.recipe, integrator.step() < S(0)),
                         every ? count_from(*every, 1) : 0};
    require_own_checkpoint(*output_);
    if (const std::string obstacle = replace_obstacle(plan.path); !obstacle.empty()) {
      throw output_unwritable({plan.path, output_->origin, "checkpoint"}, obstacle);
    }
    output_mark<S> from;
    if (request.options.resumes) {
      if (const auto saved = read_checkpoint(plan.path)) {
        const trajectory_layout<S> layout(integrator.space(), meter_.shadow() != nullptr, columns);
        const resumed_run<S> before =
            resume(*saved, plan.identity, plan.path, integrator, workspace, meter_, layout.names().size());
        state = before.state;
        from = before.output;
        settings.seconds = before.seconds;
        require_ahead(state, settings, milestones<S>(integrator.options().start, integrator.step(), {}), plan.path);
        say(request, fmt::format("resuming at step {}, t = {}", state.index, to_brief(state.time, 8)));
        is_resumed_ = true;
      } else {
        say(request, fmt::format("there is no checkpoint '{}' yet: starting afresh", plan.path));
      }
    }
    writer_.emplace(integrator.space(), output_request<S>{*output_, thinning, metadata_of(request.recipe),
                                                          std::move(from), meter_.shadow() != nullptr, lock, columns});
    checkpoints_.emplace(std::move(plan), [this] { return writer_->commit(); }, state.index);
    observe_rows(request, integrator, workspace, settings);
    settings.observers.push_back(&*checkpoints_);
    settings.before_short_end = [this](const sample<S>& now) {
      ends_short_ = true;
      if (checkpoints_->any()) checkpoints_->take(now.state, now.workspace, now.meter, now.seconds);
    };
  }

  bool failed() const { return writer_ && (writer_->failed() || (checkpoints_ && !checkpoints_->error().empty())); }

  // Ends the files and turns a failure to write into a failed run, whose trust is judged anew.
  void finish(const step_workspace<S>& workspace, const phase_state<S>& state, run_report<S>& report) {
    if (writer_ && !checkpoints_) writer_->finish("");
    if (!checkpoints_) return;
    // A longer run goes on from there: not from where an event or a failure ended this one, nor from a shorter last
    // step.
    const bool goes_further = report.status == run_status::interrupted ||
                              (report.status == run_status::done && !ends_short_ && !chooses_ && report.reason.empty());
    if (goes_further && (report.status == run_status::interrupted || checkpoints_->any())) {
      checkpoints_->take(state, workspace, meter_, report.seconds);
    }
    if (writer_->finish(to_json(report)) && checkpoints_->error().empty()) return;
    report.status = run_status::failed;
    report.reason = writer_->failed() ? fmt::format("the output '{}' could not be written beyond its first {} rows: {}",
                                                    output_->text, writer_->kept_rows(), writer_->error())
                                      : fmt::format("the checkpoint '{}' could not be written: {}",
                                                    checkpoint_path(output_->text), checkpoints_->error());
    report.suggestion =
        named_options(checkpoints_->any() || is_resumed_
                          ? "make room and go on from the last checkpoint with @resume"
                          : "make room and run again, or write to another place; @every=K writes fewer rows");
    report.trust = trust_in(report);
  }

  bool any() const { return checkpoints_.has_value(); }

 private:
  void observe_rows(const run_request& request, const integrator<S>& integrator, step_workspace<S>& workspace,
                    run_options<S>& settings) {
    if (auto times = times_from<S>(request.m, request.merged, integrator, settings)) {
      timed_.emplace(integrator, workspace.space(), std::move(*times),
                     [this](const sample<S>& now) { writer_->write(now); });
    }
    settings.observers.push_back(timed_ ? static_cast<observer<S>*>(&*timed_) : &*writer_);
  }

  static void say(const run_request& request, const std::string& text) {
    if (request.options.note) request.options.note(text);
  }

  static void require_ahead(const phase_state<S>& state, const run_options<S>& settings, const milestones<S>& clock,
                            const std::string& checkpoint) {
    const std::string cure = "ask for as much at least, or leave @resume out to start afresh";
    if (state.index > settings.steps) {
      throw input_error(
          "checkpoint-foreign",
          fmt::format("the checkpoint stands at step {}, this run would end at step {}", state.index, settings.steps),
          {checkpoint, 0, 0}, cure);
    }
    if (!settings.until || !clock.reaches(state.time, *settings.until)) return;
    if (clock.meets(state.time, *settings.until)) return;
    throw input_error("checkpoint-foreign",
                      fmt::format("the checkpoint stands at t = {}, this run would end at t = {}",
                                  to_brief(state.time, 8), to_brief(*settings.until, 8)),
                      {checkpoint, 0, 0}, cure);
  }

  bool is_resumed_ = false, ends_short_ = false, chooses_ = false;
  std::optional<source_text> output_;
  certificate_meter<S>& meter_;
  std::optional<trajectory_writer<S>> writer_;
  std::optional<timed_states<S>> timed_;
  std::optional<checkpoint_writer<S>> checkpoints_;
};

}  // namespace actio
