#include "actio/simulate/lone_engine.hpp"

#include <fmt/format.h>

#include <cmath>

#include "actio/simulate/lyapunov.hpp"
#include "actio/simulate/run.hpp"
#include "actio/simulate/step_kinks.hpp"

namespace actio {

namespace {

trajectory_status status_of(step_code code) {
  switch (code) {
    case step_code::ok: return trajectory_status::done;
    case step_code::no_convergence: return trajectory_status::no_convergence;
    case step_code::singular: return trajectory_status::singular;
    case step_code::too_long: return trajectory_status::too_long;
    case step_code::mass_singular: return trajectory_status::mass_singular;
    case step_code::left_domain: break;
  }
  return trajectory_status::left_domain;
}

void fail(trajectory_result& result, step_code code, const phase_state<double>& state) {
  result.status = status_of(code);
  result.reason = fmt::format("step {} at t = {:.6g}: {}", state.index + 1, state.time, to_text(result.status));
}

// What is not finite has no place among results.
void refuse(trajectory_result& result, std::string reason) {
  result.status = trajectory_status::bad_start;
  result.reason = std::move(reason);
  for (auto* values : {&result.position, &result.momentum, &result.start.position, &result.start.momentum}) {
    for (double& x : *values) x = std::isfinite(x) ? x : 0;
  }
}

// A row of trajectory_result::crossings.
void append_crossing(const phase_state<double>& state, std::vector<double>& crossings) {
  crossings.push_back(state.time);
  crossings.insert(crossings.end(), state.position.value.begin(), state.position.value.end());
  crossings.insert(crossings.end(), state.momentum.value.begin(), state.momentum.value.end());
}

// The largest Lyapunov exponent, from the tangent maps of the steps.
class lyapunov_watch final : public observer<double> {
 public:
  explicit lyapunov_watch(const phase_space<double>& space) : meter_(space.size() + space.momentum_size()) {}

  void observe(const sample<double>& now) override {
    if (now.before != nullptr) has_failed_ = has_failed_ || !meter_.add(now.workspace, *now.before);
  }
  std::string reason_to_end() const override { return has_failed_ ? "a step has no derivative" : ""; }
  double exponent(double time) const { return meter_.exponent(time); }

 private:
  lyapunov_meter<double> meter_;
  bool has_failed_ = false;
};

// Crossings of a section.
class section_watch final : public observer<double> {
 public:
  section_watch(const integrator<double>& flow, const phase_space<double>& space, const section& where,
                trajectory_result& result)
      : step_(flow.step()), finder_(flow, space, where), track_(where.direction), result_(result) {}

  void observe(const sample<double>& now) override {
    const double value =
        finder_.value(now.state.time, now.state.position.value, now.point.velocity(), now.state.momentum.value);
    if (now.before == nullptr) {
      start_ = last_ = now.state;
      track_.start(value);
      return;
    }
    last_ = *now.before;
    track_.add(value);
    search();
  }
  std::string reason_to_end() const override { return has_failed_ ? "a crossing cannot be reached" : ""; }

  void finish() {
    track_.finish();
    search();
    result_.discontinuities += track_.borders();
  }
  bool has_failed() const { return has_failed_; }

 private:
  void search() {
    const auto before = [&](bool is_first) -> const phase_state<double>& { return is_first ? start_ : last_; };
    has_failed_ = has_failed_ || !search_section(track_, step_, [&] { return &finder_; }, before, result_);
  }

  double step_;
  section_finder<double> finder_;
  section_track<double> track_;
  trajectory_result& result_;
  phase_state<double> start_, last_;
  bool has_failed_ = false;
};

}  // namespace

void add_findings(const section_findings<double>& found, trajectory_result& result) {
  for (const phase_state<double>& state : found.crossings) append_crossing(state, result.crossings);
  result.tangencies += found.touches.size();
  result.discontinuities += found.discontinuities;
}

lone_engine::lone_engine(const ensemble_plan& plan, const ensemble_options& options)
    : plan_(plan), options_(options), flow_(plan.base().system, options.integrator) {}

std::recursive_mutex& setting_up() {
  static std::recursive_mutex one_at_a_time;
  return one_at_a_time;
}

integrator<double> lone_engine::flow_of(const trajectory_result& trajectory) const {
  if (!plan_.varies_parameters() && !options_.own_paces) return flow_;
  const std::lock_guard lock(setting_up());
  const integrator<double> flow = options_.own_paces ? flow_.with_step(trajectory.planned.step) : flow_;
  return plan_.varies_parameters() ? flow.with_parameters(trajectory.start.parameters) : flow;
}

// Constraints may move the start, and with it the momentum that belongs to a velocity.
phase_state<double> lone_engine::started(const integrator<double>& flow, const trajectory_start& start) {
  return start.velocity.empty() ? flow.at_momentum(start.position, start.momentum)
                                : flow.at_velocity(start.position, start.velocity);
}

bool lone_engine::run(trajectory_result& result, const std::function<bool()>& interrupted) const {
  result.position = result.start.position;
  result.momentum = result.start.momentum;
  result.momentum_errors.assign(flow_.space().momentum_names().size(), 0.0);
  result.crossings.clear();
  result.tangencies = result.discontinuities = 0;
  try {
    return advance(flow_of(result), result, interrupted);
  } catch (const input_error& error) {
    refuse(result, error.message());
    return true;
  }
}

run_options<double> lone_engine::settings_of(const std::function<bool()>& interrupted) const {
  constexpr std::size_t patience = 256;  // steps between two questions whether to end
  run_options<double> settings{.steps = options_.until ? unlimited_steps : options_.steps, .until = options_.until};
  settings.events = options_.watched ? *options_.watched : plan_.base().events;
  settings.sampled = plan_.base().controls;
  if (options_.splits_at_signals) settings.kink_times = kink_times_of<double>(flow_);
  settings.advises = false;
  if (interrupted) {
    settings.interrupted = [&interrupted, asked = std::size_t{0}]() mutable {
      return asked++ % patience == 0 && interrupted();
    };
  }
  return settings;
}

bool lone_engine::advance(const integrator<double>& flow, trajectory_result& result,
                          const std::function<bool()>& interrupted) const {
  phase_state<double> state = started(flow, result.start);
  result.start.position = state.position.value;
  result.start.momentum = state.momentum.value;
  std::unique_lock lock(setting_up());
  const auto workspace = flow.make_workspace();
  run_options<double> settings = settings_of(interrupted);
  std::optional<lyapunov_watch> lyapunov;
  std::optional<section_watch> crossed;
  if (options_.lyapunov) settings.observers.push_back(&lyapunov.emplace(flow.space()));
  if (options_.poincare) {
    settings.observers.push_back(&crossed.emplace(flow, workspace->space(), *options_.poincare, result));
  }
  settings.is_set_up = [&] { lock.unlock(); };
  const run_report<double> report = actio::run(flow, *workspace, state, settings);
  if (report.status == run_status::interrupted && report.reason.empty()) return false;
  if (crossed) crossed->finish();
  if (report.status == run_status::failed) {
    fail(result, report.failure, state);
    if (report.watches_events) result.reason = report.reason;
  } else if (report.status == run_status::interrupted || (crossed && crossed->has_failed())) {
    fail(result, step_code::no_convergence, state);
  }
  result.steps = state.index;
  result.position = state.position.value;
  result.momentum = state.momentum.value;
  result.events = report.events;
  result.energy_error = report.energy.max_relative_error;
  result.scaled_energy_error = report.energy.scale > 0 ? report.energy.max_error / report.energy.scale : 0;
  for (std::size_t k = 0; k < report.momenta.size(); ++k) result.momentum_errors[k] = report.momenta[k].max_error;
  if (lyapunov) result.lyapunov = lyapunov->exponent(std::abs(state.time - flow.options().start));
  return true;
}

}  // namespace actio
