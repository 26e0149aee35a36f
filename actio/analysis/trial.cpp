#include "actio/analysis/trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "actio/base/interruption.hpp"
#include "actio/simulate/difference.hpp"
#include "actio/simulate/timed_states.hpp"

namespace actio {

namespace {

constexpr std::size_t steps_of_a_start = 4;  // whose iterations say little about later ones

template <class S>
double norm(const std::vector<S>& values) {
  double sum = 0;
  for (const S& x : values) sum += to_double(x) * to_double(x);
  return std::sqrt(sum);
}

template <class S>
double distance_in(double size, const compensated_vector<S>& a, const compensated_vector<S>& b) {
  return difference_of(a, b).norm / (size > 0 ? size : 1);
}

}  // namespace

template <class S>
void motion_size::cover(const phase_state<S>& state) {
  position = std::max(position, norm(state.position.value));
  momentum = std::max(momentum, norm(state.momentum.value));
}

template <class S>
double relative_distance(const phase_state<S>& a, const phase_state<S>& b, const motion_size& size) {
  return std::max(distance_in(size.position, a.position, b.position),
                  distance_in(size.momentum, a.momentum, b.momentum));
}

template <class S>
traveller<S>::traveller(const integrator<S>& flow, phase_state<S> start)
    : flow_(flow), state_(std::move(start)), workspace_(flow_.make_workspace()) {}

template <class S>
bool traveller<S>::advance(std::size_t steps) {
  for (std::size_t k = 0; k < steps; ++k) {
    pass_interruption_point();
    const step_status status = workspace_->advance(state_);
    if (!status) return false;
    if (state_.index == steps_of_a_start + 1) sum_ = {};
    sum_.iterations += status.iterations;
    sum_.newton_share += status.by_newton ? 1 : 0;
  }
  return true;
}

template <class S>
solver_effort traveller<S>::effort() const {
  const std::size_t left_out = state_.index > steps_of_a_start ? steps_of_a_start : 0;
  const double steps = std::max(1.0, static_cast<double>(state_.index - left_out));
  return {sum_.iterations / steps, sum_.newton_share / steps};
}

template <class S>
divided_run<S> run_through(const integrator<S>& flow, const phase_state<S>& start, const S& until, std::vector<S> times,
                           const motion_instants& instants, std::size_t most) {
  const auto workspace = flow.make_workspace();
  divided_run<S> result{.states = {}, .end = start, .effort = {}, .reason = {}};
  timed_states<S> states(flow, workspace->space(), std::move(times), [&](const sample<S>& now) {
    pass_interruption_point();
    result.states.push_back(now.state);
  });
  run_options<S> options{.steps = most,
                         .until = until,
                         .events = instants.watched,
                         .sampled = instants.sampled,
                         .kink_times = kink_times_of(flow),
                         .advises = false};
  options.observers.push_back(&states);
  const run_report<S> report = run(flow, *workspace, result.end, options);
  result.failed = report.status != run_status::done || report.steps >= most;
  if (result.failed) result.reason = report.reason;
  result.steps = report.steps;
  const double steps = std::max(1.0, static_cast<double>(report.steps));
  result.effort = {report.mean_iterations, static_cast<double>(report.newton_steps) / steps};
  return result;
}

template <class S>
divided_run<S> run_through_finer(const divided_run<S>& one, integrator<S> flow, const phase_state<S>& start,
                                 const S& until, const std::vector<S>& times, const motion_instants& instants) {
  constexpr double more = 1.15;  // times as many steps
  constexpr int most_halvings = 20;
  divided_run<S> other = one;
  for (int k = 0; k < most_halvings && !other.failed; ++k) {
    other = run_through(flow, start, until, times, instants);
    if (static_cast<double>(other.steps) > more * static_cast<double>(one.steps)) break;
    flow = flow.with_step(S(flow.step() / S(2)));
  }
  return other;
}

double error_course::largest(double from, double to) const {
  double result = 0;
  for (const error_sample& s : samples) {
    if (s.time > from && s.time <= to && !(s.error <= result)) result = s.error;
  }
  return result;
}

template <class S>
error_course follow(const integrator<S>& judged, const integrator<S>& reference, const phase_state<S>& start,
                    const motion_size& size, const trial_plan& plan) {
  traveller<S> one(judged, start), other(reference, start);
  error_course course;
  course.samples.reserve(plan.rounds);
  for (std::size_t k = 0; k < plan.rounds && !course.failed; ++k) {
    course.failed = !one.advance(plan.judged_steps) || !other.advance(plan.reference_steps);
    if (course.failed) break;
    const double error = relative_distance(one.state(), other.state(), size);
    course.failed = !std::isfinite(error);
    course.samples.push_back({to_double(one.state().time), error});
  }
  course.effort = one.effort();
  return course;
}

#define ACTIO_INSTANTIATE(S)                                                                                          \
  template void motion_size::cover<S>(const phase_state<S>&);                                                         \
  template double relative_distance<S>(const phase_state<S>&, const phase_state<S>&, const motion_size&);             \
  template class traveller<S>;                                                                                        \
  template divided_run<S> run_through<S>(const integrator<S>&, const phase_state<S>&, const S&, std::vector<S>,       \
                                         const motion_instants&, std::size_t);                                        \
  template divided_run<S> run_through_finer<S>(const divided_run<S>&, integrator<S>, const phase_state<S>&, const S&, \
                                               const std::vector<S>&, const motion_instants&);                        \
  template error_course follow<S>(const integrator<S>&, const integrator<S>&, const phase_state<S>&,                  \
                                  const motion_size&, const trial_plan&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
