#include "actio/analysis/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "actio/simulate/companion.hpp"
#include "actio/simulate/difference.hpp"

namespace actio {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double accepted = 0.35;  // of the accuracy: what may still be off by a factor of three
constexpr double aim = 0.12;       // of the accuracy
constexpr double lost = 0.3;       // a relative error of a motion that is another one
constexpr double lawful = 0.02;    // errors below it tell how many steps are needed
constexpr double shorter = 1.4;    // times as many steps: enough to tell an order
constexpr double fallen = 0.5;     // of the declared order: errors that fall more slowly are no longer the method's
constexpr double as_fast = 0.35;   // of the growth of errors: a motion that grows with them
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
  bool motion_grows = false;  // as fast as errors, or not much less
  motion_record motion;
  solver_effort effort;
  bool has_failed = false;  // a step could not be taken
  std::string reason = {};  // for which a run as it would be has ended
};

// The logarithm of what errors grew by from the first quarter of a course to its last one, exponentially; 0 where they
// do not grow like that.
double exponential_growth(const error_course& course) {
  const double end = course.end();
  const double late = course.largest(0.75 * end, end), middle = course.largest(0.35 * end, 0.5 * end),
               early = course.largest(0.1 * end, 0.25 * end);
  if (!(early > 0) || !(middle > early) || !(late > middle)) return 0;
  // A power of the time would multiply errors much less from the middle to the end than before, an encounter much more.
  const double first = std::log(middle / early), then = std::log(late / middle);
  if (first + then < 6 || then < 0.5 * first || then > 5 * first) return 0;
  return first + then;
}

// Whether what is measured along a course grew so much over the same time.
bool grows_by(const error_course& sizes, double logarithm) {
  const double end = sizes.end();
  return sizes.largest(0.75 * end, end) > std::exp(logarithm) * sizes.largest(0.1 * end, 0.25 * end);
}

// The size of a state beside that of the motion at its beginning.
template <class S>
double relative_size(const phase_state<S>& state, const motion_size& beginning) {
  motion_size now;
  now.cover(state);
  const auto beside = [](double part, double whole) { return whole > 0 ? part / whole : part; };
  return std::max(beside(now.position, beginning.position), beside(now.momentum, beginning.momentum));
}

// What is seen of a run beside its reference.
class pair_record {
 public:
  template <class S>
  void add(const phase_state<S>& judged, const phase_state<S>& reference, const motion_size& size, bool keeps) {
    const double error = relative_distance(judged, reference, size);
    position_ = std::max(position_, difference_of(judged.position, reference.position).largest);
    momentum_ = std::max(momentum_, difference_of(judged.momentum, reference.momentum).largest);
    if (!(error <= largest_)) largest_ = error;
    time_ = to_double(judged.time);
    is_lost_ = is_lost_ || !(error < lost);
    if (!keeps) return;
    course_.samples.push_back({time_, error});
    sizes_.samples.push_back({time_, relative_size(judged, size)});
  }
  bool is_lost() const { return is_lost_; }

  attempt concluded(std::size_t steps, bool has_failed, double factor, const solver_effort& effort,
                    std::string by) const {
    attempt result{.steps = steps, .time = time_, .motion = {}, .effort = effort, .has_failed = has_failed};
    if (!has_failed && !is_lost_) result.error = factor * course_.largest(0.97 * course_.end(), course_.end());
    if (const double growth = exponential_growth(course_); growth > 0) {
      result.growth_time = 0.7 * course_.end() / growth;
      result.motion_grows = grows_by(sizes_, as_fast * growth);
    }
    result.motion.position_error = factor * position_;
    result.motion.momentum_error = factor * momentum_;
    result.motion.estimated_error = std::max(result.motion.position_error, result.motion.momentum_error);
    result.motion.relative_error = factor * largest_;
    result.motion.by = std::move(by);
    return result;
  }

 private:
  error_course course_, sizes_;
  double position_ = 0, momentum_ = 0, largest_ = 0, time_ = 0;
  bool is_lost_ = false;
};

// Both as runs would be, looked at in some places: their steps are divided at different times.
template <class S>
attempt measure_divided(const integrator<S>& run, const integrator<S>& reference, const phase_state<S>& start,
                        const S& until, std::size_t steps, double factor, const std::string& by,
                        const confirmation_request& request) {
  constexpr std::size_t most_places = 64;
  const std::size_t places = std::min(steps, most_places);
  std::vector<S> times;
  for (std::size_t k = 1; k < places; ++k)
    times.push_back(until * S(static_cast<double>(k)) / S(static_cast<double>(places)));
  const divided_run<S> one = run_through(run, start, until, times, request.instants);
  const divided_run<S> other = run_through_finer(one, reference, start, until, times, request.instants);
  motion_size size = request.size;
  size.cover(start);
  for (const phase_state<S>& state : other.states) size.cover(state);
  size.cover(other.end);
  pair_record seen;
  const std::size_t common = std::min(one.states.size(), other.states.size());
  for (std::size_t k = 0; k < common; ++k) seen.add(one.states[k], other.states[k], size, true);
  seen.add(one.end, other.end, size, true);
  attempt result = seen.concluded(steps, one.failed || other.failed, factor, one.effort, by);
  result.reason = one.failed ? one.reason : other.reason;
  return result;
}

template <class S>
attempt measure(const integrator<S>& flow, const phase_state<S>& start, const method& m, const S& until,
                std::size_t steps, const confirmation_request& request) {
  const pairing pair = pairing_for(m.traits.order, request.is_smooth);
  const S step = until / S(static_cast<double>(steps));
  const S finer = step * S(static_cast<double>(pair.judged)) / S(static_cast<double>(pair.reference));
  const integrator<S> run = flow.with_method(m, step);
  const bool is_divided = request.instants.any();
  const method* other = is_divided ? nullptr : other_nodes(run);
  const method& by = other != nullptr ? *other : m;
  const double order = request.is_smooth ? m.traits.order : 1;
  const double factor =
      1 / (1 - std::pow(static_cast<double>(pair.judged) / static_cast<double>(pair.reference), order));
  const std::string name = fmt::format("{} with {}/{} of the step", by.name, pair.judged, pair.reference);
  if (is_divided) {
    return measure_divided(run, flow.with_method(m, finer), start, until, steps, factor, name, request);
  }
  traveller<S> judged(run, start), reference(flow.with_method(by, finer), start);
  pair_record seen;
  bool has_failed = false;
  const std::size_t rounds = steps / pair.judged, stride = std::max<std::size_t>(1, rounds / most_marks);
  for (std::size_t k = 1; k <= rounds && !has_failed && !seen.is_lost(); ++k) {
    has_failed = !judged.advance(pair.judged) || !reference.advance(pair.reference);
    if (!has_failed) seen.add(judged.state(), reference.state(), request.size, k % stride == 0 || k == rounds);
  }
  return seen.concluded(steps, has_failed, factor, judged.effort(), name);
}

// Whether an error at the end is about what rounding makes along a motion: the motion beside one that starts apart by
// a little more than rounding shows how that grows. What is held by constraints cannot start apart: true there.
template <class S>
bool is_rounding(const integrator<S>& flow, const phase_state<S>& start, const method& m, const S& until,
                 const attempt& now, const confirmation_request& request) {
  if (flow.space().constraints() != nullptr) return true;
  constexpr double apart = 1000, spread = 30;  // in units of the last place
  const S step = until / S(static_cast<double>(now.steps));
  const integrator<S> run = flow.with_method(m, step);
  phase_state<S> other = start;
  const auto displace = [&](compensated_vector<S>& part, double size) {
    for (S& x : part.value) x += S(apart * (size > 0 ? size : 1)) * epsilon<S>();
  };
  displace(other.position, request.size.position);
  displace(other.momentum, request.size.momentum);
  const auto end_from = [&](const phase_state<S>& from) -> std::optional<phase_state<S>> {
    if (request.instants.any()) {
      const divided_run<S> there = run_through(run, from, until, {}, request.instants);
      return there.failed ? std::nullopt : std::optional(there.end);
    }
    traveller<S> way(run, from);
    return way.advance(now.steps) ? std::optional(way.state()) : std::nullopt;
  };
  const auto one = end_from(start), two = end_from(other);
  if (!one || !two) return false;
  motion_size size = request.size;
  if (request.instants.any()) size.cover(*one);
  const double grown = std::max(relative_distance(*one, *two, size) / apart, to_double(epsilon<S>()));
  return now.error <= spread * std::sqrt(static_cast<double>(now.steps)) * grown;
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

// What errors that grow exponentially tell of a motion.
obstacle growth_named(const attempt& now, const confirmation_request& request) {
  return request.may_be_chaotic && !now.motion_grows ? obstacle::chaos : obstacle::instability;
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
                     const confirmation_request& asked, const step_cost& cost) {
  const double declared = m.traits.order;
  confirmation_request request = asked;
  const auto round = [&](double steps) {
    return rounded_up(std::max(steps, static_cast<double>(request.fewest_steps)),
                      pairing_for(declared, request.is_smooth).judged);
  };
  const auto conclude = [&](const attempt& kept, obstacle met, double order) {
    confirmation result = concluded(kept, met, order);
    result.is_smooth = asked.is_smooth;
    return result;
  };
  std::size_t steps = request.only_once ? request.steps : round(static_cast<double>(request.steps));
  attempt best, before, first, loss;  // `first`: of those whose errors follow a law; `loss`: the last of the others
  double order = declared, slowest_growth = 0;
  int losses = 0, failures = 0;  // failures: in a row, at about the same time
  obstacle met = obstacle::cost;
  for (int k = 0; k < most_attempts; ++k) {
    const attempt now = measure(flow, start, m, until, steps, request);
    const bool is_shorter = static_cast<double>(now.steps) > shorter * static_cast<double>(before.steps);
    const bool falls_slowly = request.is_smooth && first.steps > 0 && is_shorter && now.error < lawful &&
                              order_between(before, now) < fallen * declared;
    const bool is_accepted = now.error <= accepted * request.accuracy;
    if (request.only_once || (is_accepted && !falls_slowly)) {
      return conclude(now, now.error <= request.accuracy ? obstacle::none : obstacle::rounding, order);
    }
    if (falls_slowly) {
      const bool rounds = is_rounding(flow, start, m, until, now, request);
      if (rounds && is_accepted) return conclude(now, obstacle::none, order);
      if (rounds) {
        if (now.error < best.error) best = now;
        const attempt& growing = now.growth_time < before.growth_time ? now : before;
        met = growing.growth_time < infinite ? growth_named(growing, request) : obstacle::rounding;
        break;
      }
      // Steps do not resolve something along the way: a kink that is not written as one, or what is as narrow. The
      // difference between two steps is then far less than their errors, unless one is much shorter.
      request.is_smooth = false;
      best = first = {};
      order = 1;
      steps = round(static_cast<double>(steps));
      continue;
    }
    constexpr int most_failures = 4;
    failures = now.reason.empty() ? 0 : std::abs(now.time - before.time) <= 0.01 * now.time ? failures + 1 : 1;
    if (failures == most_failures) {
      confirmation result = conclude(now, obstacle::cost, order);
      result.failure = now.reason;
      return result;
    }
    if (now.error < best.error || best.error == infinite) best = now;
    const bool has_law = first.steps > 0 && now.error < lawful;
    // Kinks fall into steps as they will: order one is what is left, and single pairs of attempts tell nothing.
    if (has_law) order = std::clamp(order_between(request.is_smooth ? before : first, now), 1.0, declared);
    if (now.error < lawful && first.steps == 0) first = now;
    // What rounding alone becomes by the end, where errors grew exponentially in every attempt that lost the motion.
    if (now.error == infinite) {
      slowest_growth = std::max(slowest_growth, now.growth_time);
      loss = now;
      ++losses;
    }
    const double floor = to_double(epsilon<S>()) * std::exp(std::min(700.0, to_double(until) / slowest_growth));
    if (losses >= 3 && floor > 10 * request.accuracy) {
      met = growth_named(loss, request);
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
  return conclude(best, met, order);
}

#define ACTIO_INSTANTIATE(S)                                                                             \
  template confirmation confirm<S>(const integrator<S>&, const phase_state<S>&, const method&, const S&, \
                                   const confirmation_request&, const step_cost&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
