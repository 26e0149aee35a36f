#include "actio/analysis/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "actio/analysis/accuracy_refusal.hpp"
#include "actio/analysis/candidates.hpp"
#include "actio/analysis/confirmation.hpp"
#include "actio/analysis/error_scan.hpp"
#include "actio/analysis/model_facts.hpp"
#include "actio/analysis/step_cost.hpp"
#include "actio/simulate/time_scale.hpp"

namespace actio {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double aim = 0.2;           // of the accuracy: estimates are good to a factor of two or three
constexpr double low_enough = 0.5;    // of the accuracy: an estimate that is accepted
constexpr double too_low = 0.04;      // of the accuracy: a longer step would do
constexpr double still_cheap = 1.15;  // times the cost of another method: not worth another trial
constexpr int most_attempts = 8;
constexpr double dear = 5;                // times the cheapest so far: a method that is not looked at further
constexpr double reference_share = 0.01;  // of an error that the reference may have itself
constexpr double lawful = 0.05;           // errors beyond it say nothing of shorter steps

const method& highest_order(const std::vector<const method*>& candidates) {
  return **std::ranges::max_element(candidates, {}, [](const method* m) { return m->traits.order; });
}

// What a trial may cost: some part of the run, but never next to nothing and never very much. Beyond double, where
// growth is known from double, little is enough.
template <class S>
double affordable(double run_cost, bool knows_growth) {
  constexpr double least = 3e7, most = 1e9, share = 0.1;
  if (std::same_as<S, double> || knows_growth) {
    return std::clamp(share * run_cost, std::same_as<S, double> ? least : 10 * least, most);
  }
  return std::clamp(run_cost, 10 * least, 5 * most);
}

struct offer {
  const method* m = nullptr;
  error_law law;
  double steps = 0, cost = infinite;  // of the whole run
  solver_effort effort;
};

// What is expected at the end of a run of which a trial has seen the first part.
struct outlook {
  double error = infinite;
  double seen = 0;          // part of the run
  std::string growth = "";  // in words, where errors had to be extrapolated
};

// `lawful_error`: what the law of the method says of the error at the end of the course. `longer`: a course over more
// of the same motion.
outlook outlook_from(const error_course& course, double until, double lawful_error, const error_course* longer) {
  outlook result;
  const double end = course.end();
  if (course.failed || course.samples.empty()) return result;
  result.seen = end / until;
  const double late = course.largest(0.5 * end, end);
  if (result.seen > 0.9) {
    result.error = std::max(course.largest(0.75 * end, end), course.samples.back().error) * (until / end);
    result.seen = 1;
    return result;
  }
  const double known = longer != nullptr && longer->end() > 2 * end ? longer->largest(0, end) : 0;
  if (known > 0) {
    const double grown = longer->largest(0.75 * longer->end(), longer->end()) / known;
    result.error = late * grown * (until / longer->end());
    result.growth = fmt::format("errors grow {:.2g} times from there, as a run in double shows", grown);
    return result;
  }
  // Windows that double in length show a power of the time; what grows by orders of magnitude in them is chaotic.
  const double early = course.largest(0.25 * end, 0.5 * end), first = course.largest(0.125 * end, 0.25 * end);
  const double ratio = early > 0 ? late / early : 2, earlier = first > 0 && early > 0 ? early / first : 2;
  if (ratio > 6 && ratio * earlier > 300) {
    const double rate = std::log(ratio) / (0.5 * end);
    result.error = late * std::exp(std::min(700.0, rate * (until - end)));
    result.growth = fmt::format("errors grow like exp({:.2g} t)", rate);
  } else {
    // Methods that keep the structure of a motion let errors grow with the time; the drift of rounding adds up twice.
    const double least = late > 3 * lawful_error ? 2 : 1.5;
    const double power = std::max(least, 0.5 * std::log2(ratio * earlier));
    result.error = late * std::pow(until / end, power);
    result.growth = fmt::format("errors grow like t^{:.2g}", power);
  }
  return result;
}

struct attempt {
  offer taken;
  outlook seen;
  error_course course;
};

bool is_better(const attempt& a, bool a_is_fine, const attempt& b, bool b_is_fine) {
  if (a_is_fine != b_is_fine) return a_is_fine;
  return a_is_fine ? a.taken.cost < b.taken.cost : a.seen.error < b.seen.error;
}

// Scans in double; looks at what a run in S would do.
class chooser {
 public:
  chooser(const model& m, double until, bool velocity_state, bool project, const method* kept)
      : model_(m),
        reference_(kept && m.system.is_first_order() ? *kept : highest_order(candidates_for(m.system, false))),
        flow_(m.system, {.method = reference_.name, .step = until, .allow_unstable = true, .project = project}),
        candidates_(kept ? std::vector<const method*>{kept} : candidates_for(m.system, flow_.linear() != nullptr)),
        start_(flow_.at_start(m)),
        until_(until),
        velocity_state_(velocity_state),
        cost_(flow_.space().code(), flow_.linear() != nullptr) {}

  // The cheapest choice whose error at the end is expected to be below `accuracy`, with the outlook of a trial; the
  // best that was reached where none is. `longer`: a course in double over more of the run than S can afford.
  template <class S>
  attempt settle(const integrator<S>& flow, const S& until, double accuracy, double& growth,
                 const error_course* longer) {
    std::vector<attempt> attempts;
    for (int k = 0; k < most_attempts; ++k) {
      const double target = std::max(aim * accuracy / growth, least_accuracy);
      const offer taken = cheapest<S>(flow, target, attempts.empty() ? nullptr : &attempts.back().taken);
      const auto was_tried = [&](const attempt& a) {
        return a.taken.m == taken.m && std::abs(a.taken.steps - taken.steps) <= 0.02 * taken.steps;
      };
      if (taken.m == nullptr || std::ranges::any_of(attempts, was_tried)) break;
      attempt now = tried<S>(flow, until, taken, target, longer);
      const double expected = taken.law.error_at(until_ / taken.steps);
      const double error = now.seen.error;
      attempts.push_back(std::move(now));
      const bool settled = error <= low_enough * accuracy && (error >= too_low * accuracy || taken.steps == 1);
      if (settled && attempts.back().taken.cost <= still_cheap * second_cost(*taken.m)) break;
      growth = error > 0 && error < lawful ? error / expected : 30 * growth;
    }
    return best_of(std::move(attempts), accuracy);
  }

  // The outlook of a method with the step until/steps.
  template <class S>
  attempt tried(const integrator<S>& flow, const S& until, offer taken, double target, const error_course* longer) {
    const S step = until / S(taken.steps);
    const double h = to_double(step);
    double reference_step = h / 2;
    if (const auto law = law_of(reference_, target)) {
      const double share = std::max(reference_share * target, std::same_as<S, double> ? scan_->floor() : 0.0);
      reference_step = std::min(law->step_for(share), law->longest) / 2;  // what it judges may go further than the scan
    }
    trial_plan plan;
    if (&reference_ == taken.m) reference_step = std::min(reference_step, h / 2);
    if (reference_step >= h) {
      plan.judged_steps =
          static_cast<std::size_t>(std::min(std::floor(reference_step / h), std::ceil(taken.steps / 8)));
    } else {
      plan.reference_steps = static_cast<std::size_t>(std::ceil(std::min(h / reference_step, 64.0)));
    }
    const double rounds = std::floor(taken.steps / static_cast<double>(plan.judged_steps));
    const double round_cost = static_cast<double>(plan.judged_steps) * cost_.operator()<S>(*taken.m, taken.effort) +
                              static_cast<double>(plan.reference_steps) * cost_.operator()<S>(reference_, taken.effort);
    const double budget = affordable<S>(operation_cost<S>() * taken.cost, longer != nullptr) / operation_cost<S>();
    plan.rounds = static_cast<std::size_t>(std::min(rounds, std::max(8.0, std::floor(budget / round_cost))));
    const S other_step =
        step * S(static_cast<double>(plan.judged_steps)) / S(static_cast<double>(plan.reference_steps));
    attempt result{taken, {}, {}};
    result.course = follow<S>(judged<S>(flow, *taken.m, step), flow.with_method(reference_, other_step),
                              flow.at_start(model_), scan_->size(), plan);
    result.seen =
        outlook_from(result.course, until_, taken.law.error_at(h) * result.course.end() / scan_->span(), longer);
    if (!result.course.failed) {
      result.taken.effort = result.course.effort;
      result.taken.cost = taken.steps * cost_.operator()<S>(*taken.m, result.course.effort);
      if constexpr (std::same_as<S, double>) seen_.insert_or_assign(taken.m, std::pair(h, result.course.effort));
    }
    return result;
  }

  // Comes first. False where no reference was found for the motion.
  bool scan(double target) {
    scan_.emplace(flow_, start_, until_, target);
    return scan_->succeeded();
  }

  // The integrator of a method, in the variables that were asked for.
  template <class S>
  integrator<S> judged(const integrator<S>& flow, const method& m, const S& step) const {
    if (!velocity_state_) return flow.with_method(m, step);
    return integrator<S>(model_.system,
                         {.method = m.name, .step = step, .velocity_state = true, .allow_unstable = true});
  }

  double span() const { return scan_->span(); }
  const motion_size& size() const { return scan_->size(); }
  const integrator<double>& flow() const { return flow_; }
  const method& reference() const { return reference_; }
  // Where no scan could tell one from another.
  const method& fallback() const { return *candidates_.front(); }
  const std::vector<const method*>& candidates() const { return candidates_; }
  const step_cost& cost() const { return cost_; }
  const std::vector<offer>& ranking() const { return ranking_; }

 private:
  std::optional<error_law> law_of(const method& m, double target) {
    return law_of(m, target, [](double, const solver_effort&) { return true; });
  }

  // A law that was measured near the target, or as near as rounding allows.
  template <class Predicate>
  std::optional<error_law> law_of(const method& m, double target, Predicate&& worthwhile) {
    const double wanted = std::max(target, 30 * scan_->floor());
    const auto known = laws_.find(&m);
    if (known != laws_.end() && known->second.error < 1e3 * wanted && known->second.error > wanted / 1e3) {
      return known->second;
    }
    const std::optional<error_law> found = scan_->law_of(m, target, std::forward<Predicate>(worthwhile));
    if (found) laws_.insert_or_assign(&m, *found);
    return found;
  }

  // Fills the ranking, the cheapest first. An earlier choice stays unless another is clearly cheaper: a choice that
  // goes to and fro between two equals would not settle.
  template <class S>
  offer cheapest(const integrator<S>& flow, double target, const offer* earlier) {
    ranking_.clear();
    double best = infinite;
    for (const method* m : candidates_) {
      const auto cost_with = [&](double step, const solver_effort& effort) {
        return std::ceil(until_ / step) * cost_.operator()<S>(*m, effort);
      };
      const auto worthwhile = [&](double step, const solver_effort& effort) {
        return !std::same_as<S, double> || cost_with(step, effort) <= dear * best;
      };
      const std::optional<error_law> law = law_of(*m, target, worthwhile);
      if (!law) continue;
      const double step = std::min({law->step_for(target), law->longest, until_});
      const double steps = std::ceil(until_ / step * (1 - 1e-12));
      const solver_effort effort =
          std::same_as<S, double> ? effort_near(*m, *law, step) : effort_in<S>(flow, *m, steps);
      ranking_.push_back({m, *law, steps, cost_with(step, effort), effort});
      best = std::min(best, ranking_.back().cost);
    }
    std::ranges::stable_sort(ranking_, {}, &offer::cost);
    if (ranking_.empty()) return {};
    if (earlier != nullptr) {
      for (const offer& o : ranking_) {
        if (o.m == earlier->m && o.cost <= 1.1 * ranking_.front().cost) return o;
      }
    }
    return ranking_.front();
  }

  // As a trial over much of the run saw it, where there was one with about this step.
  solver_effort effort_near(const method& m, const error_law& law, double step) const {
    const auto known = seen_.find(&m);
    const bool is_near = known != seen_.end() && std::abs(std::log(known->second.first / step)) < 0.1;
    return is_near ? known->second.second : law.effort;
  }

  double second_cost(const method& first) const {
    for (const offer& o : ranking_) {
      if (o.m != &first) return o.cost;
    }
    return infinite;
  }

  // Of a few steps in the numbers of the run. Each method is tried once, near the step that it would have.
  template <class S>
  solver_effort effort_in(const integrator<S>& flow, const method& m, double steps) {
    const auto known = efforts_.find(&m);
    if (known != efforts_.end()) return known->second;
    traveller<S> way(flow.with_method(m, S(until_) / S(steps)), flow.at_start(model_));
    way.advance(static_cast<std::size_t>(std::min(steps, 8.0)));
    return efforts_[&m] = way.effort();
  }

  // The cheapest whose error is well below the accuracy; else the one with the smallest error.
  static attempt best_of(std::vector<attempt> attempts, double accuracy) {
    attempt* best = nullptr;
    const auto is_fine = [&](const attempt& a) { return a.seen.error <= low_enough * accuracy; };
    for (attempt& a : attempts) {
      if (best == nullptr || is_better(a, is_fine(a), *best, is_fine(*best))) best = &a;
    }
    return best ? std::move(*best) : attempt{};
  }

  const model& model_;
  const method& reference_;
  integrator<double> flow_;
  std::vector<const method*> candidates_;
  phase_state<double> start_;
  double until_;
  bool velocity_state_;
  step_cost cost_;
  std::optional<error_scan> scan_;
  std::map<const method*, error_law> laws_;
  std::map<const method*, solver_effort> efforts_;
  std::map<const method*, std::pair<double, solver_effort>> seen_;  // with the step of a trial
  std::vector<offer> ranking_;
};

std::string seen_text(const confirmation& c) {
  return fmt::format("error at the end {:.1e}, measured over the whole run beside {}", c.error, c.motion.by);
}

std::string work_text(const attempt& a, const chooser& c) {
  if (c.candidates().size() == 1) return fmt::format("the longest step of {}", a.taken.m->name);
  std::string text = fmt::format("the least work of {} methods", c.candidates().size());
  for (const offer& o : c.ranking()) {
    if (o.m == a.taken.m) continue;
    return text + fmt::format(" (then {}: {:.1f} times)", o.m->name, std::max(1.0, o.cost / a.taken.cost));
  }
  return text;
}

// What the measurement of a whole run begins with: steps enough for what changes with the time by itself.
template <class S>
confirmation_request first_request(const model& m, const accuracy_request<S>& request, const chooser& c,
                                   const method& taken, double steps) {
  constexpr double most_for_time = 1e7;
  const double until = to_double(request.until), nodes = std::max(1.0, taken.traits.order / 2.0);
  const auto scale = finest_time_scale(m.system, parameter_values<double>(m.system), 0, until);
  const double seeing = scale ? 2 * until / nodes / *scale : 1;
  if (seeing > most_for_time) {
    throw input_error(
        "accuracy-unreachable",
        fmt::format("the model changes with the time within {:.2g}: steps that follow it would be too many", *scale),
        request.place, "average what is so fast, run up to an earlier time, or give @method and @step");
  }
  return {.accuracy = request.accuracy,
          .steps = static_cast<std::size_t>(std::max(steps, seeing)),
          .fewest_steps = static_cast<std::size_t>(std::ceil(seeing)),
          .size = c.size(),
          .is_smooth = is_smooth(m.system),
          .may_be_chaotic = may_be_chaotic(m.system)};
}

// As many steps as it takes not to jump over what forces do along the motion with `steps` of them.
template <class S>
std::size_t steps_that_see(const integrator<S>& flow, const phase_state<S>& start, const method& taken, const S& until,
                           std::size_t steps) {
  if constexpr (std::same_as<S, double>) {
    constexpr double most = 1e6, jumped_over = 8;
    const double step = until / static_cast<double>(steps), nodes = std::max(1.0, taken.traits.order / 2.0);
    const auto scale = finest_path_scale(flow.with_method(taken, step), start, steps);
    if (!scale || 2 * step / nodes / *scale < jumped_over) return steps;
    return static_cast<std::size_t>(std::min(most, 2 * until / nodes / *scale));
  } else {
    return steps;
  }
}

// Where runs divide their steps, laws of errors do not reach over the places at which they do: methods are measured
// over the whole run, as it would be, as many as `most_divided` of them.
template <class S>
method_choice<S> choose_divided(const model& m, const accuracy_request<S>& request, motion_instants instants) {
  constexpr std::size_t most_divided = 3;
  constexpr double first_steps = 64;
  std::vector<const method*> candidates =
      request.kept_method ? std::vector<const method*>{request.kept_method} : candidates_for(m.system, false, true);
  candidates.resize(std::min(candidates.size(), most_divided));
  const S step = request.kept_step ? *request.kept_step : S(request.until / S(first_steps));
  const integrator<S> flow(m.system, {.method = candidates.front()->name,
                                      .step = step,
                                      .velocity_state = request.velocity_state,
                                      .allow_unstable = true,
                                      .project = request.project});
  const phase_state<S> start = flow.at_start(m);
  const step_cost cost(flow.space().code(), flow.linear() != nullptr);
  const confirmation_request whole_run{
      .accuracy = request.accuracy,
      .steps = static_cast<std::size_t>(std::max(1.0, std::ceil(to_double(S(request.until / step)) * (1 - 1e-12)))),
      .may_be_chaotic = may_be_chaotic(m.system),
      .only_once = request.kept_step.has_value(),
      .instants = std::move(instants)};
  struct measured {
    const method* m = nullptr;
    confirmation seen;
    double work = 0;

    bool is_fine() const { return seen.met == obstacle::none; }
    bool is_better_than(const measured& other) const {
      if (is_fine() != other.is_fine()) return is_fine();
      return is_fine() ? work < other.work : seen.error < other.seen.error;
    }
  };
  std::optional<measured> best;
  for (const method* candidate : candidates) {
    measured now{candidate, confirm<S>(flow, start, *candidate, request.until, whole_run, cost)};
    now.work = static_cast<double>(now.seen.steps) * cost.operator()<S>(*candidate, now.seen.effort);
    if (!best || now.is_better_than(*best)) best = std::move(now);
  }
  if (!best->is_fine() && !(request.kept_step && std::isfinite(best->seen.error))) refuse(request, best->seen);
  return {best->m,
          request.kept_step ? *request.kept_step : S(request.until / S(static_cast<double>(best->seen.steps))),
          best->seen.steps,
          best->seen.error,
          best->seen.motion,
          fmt::format("the {} of {} methods with steps that end where the motion is not smooth; {}",
                      best->is_fine() ? "least work" : "smallest error", candidates.size(), seen_text(best->seen)),
          best->work};
}

// With a step that is given, every method is measured with it.
template <class S>
method_choice<S> choose_with_step(const model& m, const accuracy_request<S>& request, const chooser& c,
                                  const integrator<S>& flow) {
  struct measured {
    const method* m = nullptr;
    confirmation seen;
    double cost = 0;
  };
  std::optional<measured> best;
  const double steps = std::max(1.0, std::round(to_double(S(request.until / *request.kept_step))));
  const auto is_fine = [&](const measured& x) { return x.seen.error <= request.accuracy; };
  for (const method* candidate : c.candidates()) {
    confirmation_request once = first_request(m, request, c, *candidate, steps);
    once.steps = static_cast<std::size_t>(steps);
    once.only_once = true;
    const integrator<S> judged = c.judged(flow, *candidate, *request.kept_step);
    measured now{candidate, confirm<S>(judged, flow.at_start(m), *candidate, request.until, once, c.cost()), 0};
    now.cost = c.cost().template operator()<S>(*candidate, now.seen.effort);
    const bool is_better = !best || (is_fine(now) != is_fine(*best) ? is_fine(now)
                                     : is_fine(now)                 ? now.cost < best->cost
                                                                    : now.seen.error < best->seen.error);
    if (is_better) best = now;
  }
  if (!best || !std::isfinite(best->seen.error)) {
    throw input_error("accuracy-unreachable", "no method gives a motion with this step", request.place,
                      "give a shorter step, or leave it out and it is chosen as well");
  }
  const std::string why = is_fine(*best)
                              ? fmt::format("the least work of {} methods with this step whose error is below {:.1e}",
                                            c.candidates().size(), request.accuracy)
                              : fmt::format("the smallest error of {} methods with this step", c.candidates().size());
  return {best->m,          *request.kept_step, best->seen.steps,
          best->seen.error, best->seen.motion,  fmt::format("{}; {}", why, seen_text(best->seen))};
}

}  // namespace

template <class S>
method_choice<S> choose(const model& m, const accuracy_request<S>& request) {
  const double until = to_double(request.until);
  if (!(until > 0)) {
    throw input_error("bad-number", "the run ends where it starts: there is nothing to choose", request.place,
                      "give a time @until above 0");
  }
  if (request.accuracy < to_double(epsilon<S>())) {
    throw input_error("accuracy-unreachable",
                      fmt::format("an error of {:.1e} is less than the rounding of {} precision", request.accuracy,
                                  precision_name<S>()),
                      request.place, "ask for less, or take more digits with @precision");
  }
  refuse_two_point_start(m, "the choice of a method or a step");
  if (motion_instants instants = instants_of(m, request.splits_at_kinks); instants.any()) {
    return choose_divided<S>(m, request, std::move(instants));
  }
  chooser c(m, until, request.velocity_state, request.project, request.kept_method);
  const integrator<S> flow = [&] {
    if constexpr (std::same_as<S, double>) return c.flow();
    else {
      return integrator<S>(
          m.system,
          {.method = c.reference().name, .step = request.until, .allow_unstable = true, .project = request.project});
    }
  }();
  const bool has_scan = c.scan(aim * request.accuracy);
  if (request.kept_step) return choose_with_step<S>(m, request, c, flow);
  double growth = std::max(1.0, until / c.span());
  error_course longer;
  if (!std::same_as<S, double> && has_scan) {
    // Growth does not depend on the precision, and in double the whole run can be looked at.
    constexpr double seen_in_double = 1e-6;
    double measured = growth;
    const double easy = std::max(request.accuracy, seen_in_double);
    attempt a = c.settle<double>(c.flow(), until, easy, measured, nullptr);
    if (a.seen.error > 0 && a.seen.error <= easy) {
      longer = std::move(a.course);
      growth = measured;
    }
  }
  attempt best;
  if (has_scan) {
    best = c.settle<S>(flow, request.until, request.accuracy, growth, longer.samples.empty() ? nullptr : &longer);
  }
  if (best.taken.m == nullptr) best.taken = {.m = &c.fallback(), .law = {}, .steps = 64, .effort = {}};
  const method& taken = *best.taken.m;
  const phase_state<S> start = flow.at_start(m);
  const integrator<S> judged = c.judged(flow, taken, S(request.until / S(best.taken.steps)));
  confirmation_request first = first_request(m, request, c, taken, best.taken.steps);
  confirmation seen = confirm<S>(judged, start, taken, request.until, first, c.cost());
  for (int k = 0; k < 3 && seen.met == obstacle::none; ++k) {
    const std::size_t enough = steps_that_see(judged, start, taken, request.until, seen.steps);
    if (enough <= seen.steps) break;
    first.steps = first.fewest_steps = enough;
    seen = confirm<S>(judged, start, taken, request.until, first, c.cost());
  }
  if (seen.met != obstacle::none) refuse(request, seen);
  return {
    &taken,
    S(request.until / S(static_cast<double>(seen.steps))),
    seen.steps,
    seen.error,
    seen.motion,
    fmt::format("{}; {}", work_text(best, c), seen_text(seen)),
    static_cast<double>(seen.steps) * c.cost().template operator()<S>(taken, seen.effort)
  };
}

template <class S>
double usual_accuracy() {
  return std::sqrt(to_double(epsilon<S>()));
}

#define ACTIO_INSTANTIATE(S)                                                     \
  template method_choice<S> choose<S>(const model&, const accuracy_request<S>&); \
  template double usual_accuracy<S>();
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
