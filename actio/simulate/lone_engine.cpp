#include "actio/simulate/lone_engine.hpp"

#include <fmt/format.h>

#include <cmath>

#include "actio/simulate/certificate.hpp"
#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/lyapunov.hpp"

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

}  // namespace

void add_findings(const section_findings<double>& found, trajectory_result& result) {
  for (const phase_state<double>& state : found.crossings) append_crossing(state, result.crossings);
  result.tangencies += found.tangencies;
  result.discontinuities += found.discontinuities;
}

lone_engine::lone_engine(const ensemble_plan& plan, const ensemble_options& options)
    : plan_(plan), options_(options), flow_(plan.base().system, options.integrator) {}

std::recursive_mutex& setting_up() {
  static std::recursive_mutex one_at_a_time;
  return one_at_a_time;
}

integrator<double> lone_engine::flow_of(const trajectory_start& start) const {
  if (!plan_.varies_parameters()) return flow_;
  const std::lock_guard lock(setting_up());
  return flow_.with_parameters(start.parameters);
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
    return advance(flow_of(result.start), result, interrupted);
  } catch (const input_error& error) {
    refuse(result, error.message());
    return true;
  }
}

bool lone_engine::advance(const integrator<double>& flow, trajectory_result& result,
                          const std::function<bool()>& interrupted) const {
  constexpr std::size_t patience = 256;  // steps between two questions whether to end
  phase_state<double> state = started(flow, result.start);
  result.start.position = state.position.value;
  result.start.momentum = state.momentum.value;
  const phase_state<double> start = state;
  std::unique_lock lock(setting_up());
  const auto workspace = flow.make_workspace();
  phase_point<double> point(flow.space());
  certificate_meter<double> meter(flow);
  point.measure(state.time, state.position.value, state.momentum.value, state.velocity);
  meter.start(state, point);
  std::optional<lyapunov_meter<double>> lyapunov;
  if (options_.lyapunov) lyapunov.emplace(flow.space().size() + flow.space().momentum_size());
  std::optional<section_finder<double>> finder;
  if (options_.poincare) finder.emplace(flow, *options_.poincare);
  lock.unlock();
  const auto section_value = [&] {
    return finder->value(state.time, state.position.value, point.velocity(), state.momentum.value);
  };
  section_track<double> track(options_.poincare ? options_.poincare->direction : crossing::up);
  if (finder) track.start(section_value());
  phase_state<double> last_good = state;
  const auto search = [&] {
    const auto before = [&](bool is_first) -> const phase_state<double>& { return is_first ? start : last_good; };
    if (search_section(track, [&] { return &*finder; }, before, result)) return;
    fail(result, step_code::no_convergence, last_good);
  };
  while (result.status == trajectory_status::done && state.index < options_.steps) {
    if (state.index % patience == 0 && interrupted && interrupted()) return false;
    last_good = state;
    const bool has_tangent = !lyapunov || lyapunov->add(*workspace, state);
    const step_status status = has_tangent ? workspace->advance(state) : step_status{step_code::no_convergence};
    if (!status) {
      fail(result, status.code, state);
      break;
    }
    if (!point.measure(state.time, state.position.value, state.momentum.value, state.velocity)) {
      state = last_good;  // a step into nowhere is not taken
      fail(result, step_code::left_domain, state);
      break;
    }
    meter.add(state, point, *workspace, status);
    if (!finder) continue;
    track.add(section_value());
    search();
  }
  if (finder) {
    track.finish();
    search();
    result.discontinuities += track.borders();
  }
  run_report<double> report;
  meter.fill(report);
  result.steps = state.index;
  result.position = state.position.value;
  result.momentum = state.momentum.value;
  result.energy_error = report.energy.max_relative_error;
  result.scaled_energy_error = report.energy.scale > 0 ? report.energy.max_error / report.energy.scale : 0;
  for (std::size_t k = 0; k < report.momenta.size(); ++k) result.momentum_errors[k] = report.momenta[k].max_error;
  if (lyapunov) result.lyapunov = lyapunov->exponent(state.time);
  return true;
}

}  // namespace actio
