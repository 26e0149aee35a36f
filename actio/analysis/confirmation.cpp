#include "actio/analysis/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/simulate/companion.hpp"
#include "actio/simulate/difference.hpp"

namespace actio {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double accepted = 0.35;  // of the accuracy: what may still be off by a factor of three
constexpr double aim = 0.12;       // of the accuracy
constexpr double lost = 0.3;       // a relative error of a motion that is another one
constexpr double lawful = 0.02;    // errors below it tell how many steps are needed
constexpr double no_better = 0.5;  // of the error before: shorter steps did not help
constexpr double most_work = 5e9;  // of one attempt, in units of step_cost
constexpr int most_attempts = 24;
constexpr std::size_t most_marks = 1024;

// j steps of the run beside k of its reference.
struct pairing {
  std::size_t judged = 1, reference = 2;
};

// Kinks take effect at the same places in a step and in parts of it, unless nodes have nothing to do with one another.
pairing pairing_for(double order, bool is_smooth) {
  if (!is_smooth) return {1, 4};
  if (order >= 12) return {4, 5};
  if (order >= 6) return {2, 3};
  return {1, 2};
}

struct attempt {
  std::size_t steps = 0;
  double error = infinite;  // at the end
  double time = 0;          // reached
  double growth_time = infinite;
  motion_record motion;
  solver_effort effort;
  bool has_failed = false;  // a step could not be taken
};

// The time in which errors grew e-fold over the later part of a course; infinite where they do not grow like that.
double growth_time_of(const error_course& course) {
  const double end = course.end();
  const double late = course.largest(0.75 * end, end), middle = course.largest(0.35 * end, 0.5 * end),
               early = course.largest(0.1 * end, 0.25 * end);
  if (!(early > 0) || !(middle > early) || !(late > middle)) return infinite;
  // A power of the time would multiply errors much less from the middle to the end than before, an encounter much more.
  const double first = std::log(middle / early), then = std::log(late / middle);
  if (first + then < 6 || then < 0.5 * first || then > 5 * first) return infinite;
  return 0.7 * end / (first + then);
}

template <class S>
attempt measure(const integrator<S>& flow, const phase_state<S>& start, const method& m, const S& until,
                std::size_t steps, const confirmation_request& request) {
  const pairing pair = pairing_for(m.traits.order, request.is_smooth);
  const S step = until / S(static_cast<double>(steps));
  const S finer = step * S(static_cast<double>(pair.judged)) / S(static_cast<double>(pair.reference));
  const integrator<S> run = flow.with_method(m, step);
  const method* other = other_nodes(run);
  const method& by = other != nullptr ? *other : m;
  traveller<S> judged(run, start), reference(flow.with_method(by, finer), start);
  attempt result{.steps = steps, .motion = {}, .effort = {}};
  error_course course;
  const std::size_t rounds = steps / pair.judged, stride = std::max<std::size_t>(1, rounds / most_marks);
  double position = 0, momentum = 0, largest = 0;
  for (std::size_t k = 1; k <= rounds; ++k) {
    if (!judged.advance(pair.judged) || !reference.advance(pair.reference)) {
      result.has_failed = true;
      break;
    }
    const double error = relative_distance(judged.state(), reference.state(), request.size);
    position = std::max(position, difference_of(judged.state().position, reference.state().position).largest);
    momentum = std::max(momentum, difference_of(judged.state().momentum, reference.state().momentum).largest);
    if (!(error <= largest)) largest = error;
    result.time = to_double(judged.state().time);
    if (k % stride == 0 || k == rounds) course.samples.push_back({result.time, error});
    if (!(error < lost)) break;
  }
  const double order = request.is_smooth ? m.traits.order : 1;
  const double factor =
      1 / (1 - std::pow(static_cast<double>(pair.judged) / static_cast<double>(pair.reference), order));
  const bool has_ended = !result.has_failed && largest < lost;
  if (has_ended) result.error = factor * course.largest(0.97 * course.end(), course.end());
  result.growth_time = growth_time_of(course);
  result.effort = judged.effort();
  result.motion.position_error = factor * position;
  result.motion.momentum_error = factor * momentum;
  result.motion.estimated_error = std::max(result.motion.position_error, result.motion.momentum_error);
  result.motion.relative_error = factor * largest;
  result.motion.by = fmt::format("{} with {}/{} of the step", by.name, pair.judged, pair.reference);
  return result;
}

std::size_t rounded_up(double steps, std::size_t multiple) {
  const auto count = static_cast<double>(multiple);
  return static_cast<std::size_t>(std::max(1.0, std::ceil(steps / count * (1 - 1e-12)))) * multiple;
}

// Between an attempt and the one before it, with fewer steps.
double order_between(const attempt& before, const attempt& after) {
  if (!(before.error < infinite) || !(after.error < infinite) || after.error <= 0) return 0;
  return std::log(before.error / after.error) /
         std::log(static_cast<double>(after.steps) / static_cast<double>(before.steps));
}

// The steps that an error calls for. What is not lawful yet is made finer by a fixed factor.
double steps_called_for(const attempt& now, double order, double accuracy) {
  const double steps = static_cast<double>(now.steps);
  if (!(now.error < lawful)) return 2.5 * steps;
  return steps * std::max(1.15, std::pow(now.error / (aim * accuracy), 1 / order));
}

confirmation concluded(const attempt& best, obstacle met, double order) {
  return {.steps = best.steps,
          .error = best.error,
          .met = met,
          .growth_time = best.growth_time,
          .observed_order = order,
          .lost_at = best.time,
          .motion = best.motion,
          .effort = best.effort};
}

}  // namespace

template <class S>
confirmation confirm(const integrator<S>& flow, const phase_state<S>& start, const method& m, const S& until,
                     const confirmation_request& request, const step_cost& cost) {
  const double declared = m.traits.order;
  const std::size_t multiple = pairing_for(declared, request.is_smooth).judged;
  const auto round = [&](double steps) {
    return rounded_up(std::max(steps, static_cast<double>(request.fewest_steps)), multiple);
  };
  std::size_t steps = request.only_once ? request.steps : round(static_cast<double>(request.steps));
  attempt best, before, first;  // `first`: of those whose errors follow a law
  double order = declared, slowest_growth = 0;
  int losses = 0;
  obstacle met = obstacle::cost;
  for (int k = 0; k < most_attempts; ++k) {
    const attempt now = measure(flow, start, m, until, steps, request);
    if (now.error <= accepted * request.accuracy || request.only_once) {
      const bool is_fine = now.error <= request.accuracy;
      return concluded(now, is_fine ? obstacle::none : obstacle::rounding, order);
    }
    if (now.error < best.error || best.error == infinite) best = now;
    const bool has_law = first.steps > 0 && now.error < lawful;
    // Kinks fall into steps as they will: order one is what is left, and single pairs of attempts tell nothing.
    if (has_law) order = std::clamp(order_between(request.is_smooth ? before : first, now), 1.0, declared);
    if (now.error < lawful && first.steps == 0) first = now;
    // What rounding alone becomes by the end, where errors grew exponentially in every attempt that lost the motion.
    if (now.error == infinite) slowest_growth = std::max(slowest_growth, now.growth_time), ++losses;
    const double floor = to_double(epsilon<S>()) * std::exp(std::min(700.0, to_double(until) / slowest_growth));
    if (losses >= 3 && floor > 10 * request.accuracy) {
      met = obstacle::chaos;
      break;
    }
    const bool is_shorter = static_cast<double>(now.steps) > 1.4 * static_cast<double>(before.steps);
    if (request.is_smooth && has_law && is_shorter && now.error > no_better * before.error) {
      met = std::min(now.growth_time, before.growth_time) < infinite ? obstacle::chaos : obstacle::rounding;
      break;
    }
    before = now;
    const double called_for = steps_called_for(now, has_law ? order : declared, request.accuracy);
    // One law is no reason to go to the end at once, but one to give up.
    steps = round(std::min(called_for, 16 * static_cast<double>(now.steps)));
    const double work =
        (has_law ? called_for : static_cast<double>(steps)) * cost.operator()<S>(m, now.effort) * operation_cost<S>();
    if (work > most_work) {
      met = request.is_smooth || !has_law ? obstacle::cost : obstacle::kink;
      break;
    }
  }
  if (best.error <= request.accuracy) met = obstacle::none;
  return concluded(best, met, order);
}

#define ACTIO_INSTANTIATE(S)                                                                             \
  template confirmation confirm<S>(const integrator<S>&, const phase_state<S>&, const method&, const S&, \
                                   const confirmation_request&, const step_cost&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
