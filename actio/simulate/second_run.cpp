#include "actio/simulate/second_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actio/integrate/extrapolation_step.hpp"
#include "actio/simulate/difference.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

namespace {

template <class S>
double norm_of(const compensated_vector<S>& x) {
  double size = 0;
  for (const S& part : x.value) size = std::hypot(size, to_double(part));
  return size;
}

constexpr double coarser = 3;  // a run to so much more beside the finest shows what rounding does

// Where a motion ends, and how far it goes from its start.
template <class S>
struct journey {
  phase_state<S> end;
  double extent = 0, momentum_extent = 0;

  void reach(const phase_state<S>& state, const phase_state<S>& start) {
    end = state;
    extent = std::max({extent, difference_of(state.position, start.position).norm, 1e-8 * norm_of(state.position)});
    momentum_extent =
        std::max({momentum_extent, difference_of(state.momentum, start.momentum).norm, 1e-8 * norm_of(state.momentum)});
  }

  double relative_difference(const phase_state<S>& other) const {
    const auto relative = [](double error, double size) { return error == 0 ? 0 : error / size; };
    return std::max(relative(difference_of(other.position, end.position).norm, extent),
                    relative(difference_of(other.momentum, end.momentum).norm, momentum_extent));
  }
};

// The end of part k of so many.
template <class S>
S end_of_part(const S& start, const S& until, std::size_t k, std::size_t parts) {
  if (k >= parts) return until;
  return start + (until - start) * S(static_cast<double>(k)) / S(static_cast<double>(parts));
}

template <class S>
class extent_watch final : public observer<S> {
 public:
  extent_watch(journey<S>& seen, const phase_state<S>& start) : seen_(seen), start_(start) {}
  void observe(const sample<S>& now) override { seen_.reach(now.state, start_); }

 private:
  journey<S>& seen_;
  const phase_state<S>& start_;
};

// Of so many parts, at whose ends steps end; as runs go where there are instants.
template <class S>
std::optional<journey<S>> journey_with(const integrator<S>& flow, double accuracy, const phase_state<S>& start,
                                       const S& until, const motion_instants& instants, std::size_t parts = 1) {
  const integrator<S> to_it = flow.with_accuracy(accuracy);
  const auto workspace = to_it.make_workspace();
  journey<S> result{start};
  if (instants.any()) {
    extent_watch<S> extents(result, start);
    run_options<S> options{.until = until, .events = instants.watched, .sampled = instants.sampled, .advises = false};
    options.observers.push_back(&extents);
    for (std::size_t k = 1; k < parts; ++k) options.kink_times.push_back(end_of_part(start.time, until, k, parts));
    phase_state<S> state = start;
    const bool is_done = run(to_it, *workspace, state, options).status == run_status::done;
    return is_done ? std::optional(result) : std::nullopt;
  }
  S target = start.time;
  for (std::size_t part = 0; result.end.time != until;) {
    if (result.end.time == target) workspace->end_at(target = end_of_part(start.time, until, ++part, parts));
    phase_state<S> state = result.end;
    if (!workspace->advance(state)) return std::nullopt;
    result.reach(state, start);
  }
  return result;
}

}  // namespace

template <class S>
std::optional<motion_record> error_by_second_run(const integrator<S>& flow, const phase_state<S>& start,
                                                 const phase_state<S>& end, const motion_instants& instants) {
  // Where nothing happens for long, steps grow so long that they may leap over what happens then: these do not.
  constexpr std::size_t parts = 64;
  const double own = flow.options().accuracy;
  double accuracy = 0;
  std::optional<journey<S>> second;
  for (const double finer : {100.0, 10.0, 3.0}) {  // the finest of them may be beyond rounding
    accuracy = std::max(own / finer, least_chosen_accuracy<S>());
    if (accuracy > own / 2) accuracy = coarser * own;  // finer steps would be the same: rounding shows beside these
    second = journey_with(flow, accuracy, start, end.time, instants, parts);
    if (second) break;
  }
  if (!second) return std::nullopt;
  motion_record result;
  result.position_error = difference_of(end.position, second->end.position).largest;
  result.momentum_error = difference_of(end.momentum, second->end.momentum).largest;
  result.estimated_error = std::max(result.position_error, result.momentum_error);
  result.relative_error = second->relative_difference(end);
  result.by = fmt::format("{} with steps to {:.1e}, at the end", flow.method().name, accuracy);
  if (!(result.relative_error < too_large_error)) result.exceeds_after = to_double(start.time);
  return result;
}

template <class S>
std::optional<phase_state<S>> state_at(const integrator<S>& flow, const phase_state<S>& start, const S& until) {
  const auto there = journey_with(flow, flow.options().accuracy, start, until, {});
  return there ? std::optional(there->end) : std::nullopt;
}

template <class S>
settled_steps settled_accuracy(const integrator<S>& flow, const phase_state<S>& start, const S& until, double asked,
                               const motion_instants& instants) {
  constexpr int most_runs = 12;
  double accuracy = std::max(asked, least_chosen_accuracy<S>());
  auto now = journey_with(flow, accuracy, start, until, instants);
  for (int k = 0; k < most_runs && accuracy > 2 * least_chosen_accuracy<S>(); ++k) {
    const double next = std::max(accuracy / 10, least_chosen_accuracy<S>());
    auto better = journey_with(flow, next, start, until, instants);
    const double error = now && better ? better->relative_difference(now->end) : 1;
    if (error <= asked / 2) return {accuracy, error};
    const double wanted = next * std::clamp(10 * asked / (4 * error), 1e-3, 1.0);
    accuracy = std::max(wanted, least_chosen_accuracy<S>());
    now = accuracy == next ? std::move(better) : journey_with(flow, accuracy, start, until, instants);
  }
  const auto beside = journey_with(flow, coarser * accuracy, start, until, instants);
  return {accuracy, now && beside ? now->relative_difference(beside->end) : 1};
}

template <class S>
std::optional<uneven_cost> evaluations_needed(const integrator<S>& flow, const phase_state<S>& start, const S& until,
                                              double most) {
  using std::abs;
  const auto workspace = flow.make_workspace();
  phase_state<S> state = start;
  workspace->end_at(until);
  uneven_cost cost;
  double shortest = to_double(S(abs(S(until - start.time)))), steps = 0;
  constexpr double first_steps = 5;  // which find the length
  const double span = shortest;
  while (state.time != until) {
    const S before = state.time;
    const step_status status = workspace->advance(state);
    cost.chosen += status.iterations;
    if (!status) return std::nullopt;
    ++steps;
    const double length = to_double(S(abs(S(state.time - before))));
    if (steps <= first_steps) cost.length = length;
    else if (state.time != until) shortest = std::min(shortest, length);
    if (cost.chosen > most) break;
  }
  cost.seen = to_double(S(abs(S(state.time - start.time)))) / span;
  cost.equal = span / shortest * cost.chosen / std::max(steps, 1.0);
  cost.chosen /= cost.seen;
  cost.steps = steps / cost.seen;
  return cost;
}

#define ACTIO_INSTANTIATE(S)                                                                                       \
  template std::optional<motion_record> error_by_second_run<S>(const integrator<S>&, const phase_state<S>&,        \
                                                               const phase_state<S>&, const motion_instants&);     \
  template std::optional<phase_state<S>> state_at<S>(const integrator<S>&, const phase_state<S>&, const S&);       \
  template settled_steps settled_accuracy<S>(const integrator<S>&, const phase_state<S>&, const S&, double,        \
                                             const motion_instants&);                                              \
  template std::optional<uneven_cost> evaluations_needed<S>(const integrator<S>&, const phase_state<S>&, const S&, \
                                                            double);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
