#include "actio/analysis/scaled_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "actio/analysis/candidates.hpp"
#include "actio/analysis/step_cost.hpp"
#include "actio/analysis/trial.hpp"
#include "actio/base/interruption.hpp"
#include "actio/integrate/transformed_step.hpp"
#include "actio/mechanics/time_transformation.hpp"
#include "actio/simulate/difference.hpp"
#include "actio/simulate/time_scale.hpp"

namespace actio {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double finer_part = 0.8;  // times the length of the other run
constexpr double lawful = 0.02;     // errors beyond it say nothing of shorter steps
constexpr double accepted = 0.35;   // of the accuracy
constexpr double aim = 0.15;        // of the accuracy
constexpr double too_low = 0.01;    // of the accuracy: longer steps would do
constexpr double dear = 2.5;        // times the least work so far: a method that is not looked at further
constexpr double floor_share = 1e-4, most_gain = 4;  // errors far below a target may be rounding and tell no law
constexpr int most_trials = 7;
constexpr double few_by_newton = 2, rarely = 0.06;  // steps, and part of all
constexpr int most_refused = 3;                     // methods, the most promising first, without any that would do

template <class S>
struct arrival {
  phase_state<S> end;
  motion_size size;
  solver_effort effort;
};

// Of steps that Newton's method had to solve, among so many.
bool are_many(double by_newton, double steps) { return by_newton > few_by_newton + rarely * steps; }

// Where steps in τ lead to; nothing where one fails or they become more than `most`, nor, with `by_iteration`, where
// many are beyond what iterations solve: each then costs as much as many shorter ones.
template <class S>
std::optional<arrival<S>> arrive(const integrator<S>& flow, const phase_state<S>& start, const S& until, double most,
                                 bool by_iteration) {
  const auto workspace = flow.make_workspace();
  arrival<S> result{start, {}, {}};
  result.size.cover(start);
  workspace->end_at(until);
  while (result.end.time != until) {
    pass_interruption_point();
    const step_status status = workspace->advance(result.end);
    if (!status || static_cast<double>(result.end.index) > most) return std::nullopt;
    result.effort.iterations += status.iterations;
    result.effort.newton_share += status.by_newton ? 1 : 0;
    if (by_iteration && are_many(result.effort.newton_share, static_cast<double>(result.end.index)))
      return std::nullopt;
    result.size.cover(result.end);
  }
  const double steps = std::max(1.0, static_cast<double>(result.end.index));
  result.effort.iterations /= steps;
  result.effort.newton_share /= steps;
  return result;
}

struct measured {
  std::size_t steps = 0;
  double error = infinite;
  motion_record motion = {};
  solver_effort effort = {};
};

// A run and one with shorter steps.
template <class S>
struct arrivals {
  arrival<S> run, better;
};

template <class S>
std::optional<arrivals<S>> arrive_twice(const integrator<S>& flow, const integrator<S>& finer,
                                        const phase_state<S>& start, const S& until, double most, bool by_iteration) {
  auto run = arrive(flow, start, until, most, by_iteration);
  if (!run) return std::nullopt;
  auto better = arrive(finer, start, until, 2 * most, by_iteration);
  if (!better) return std::nullopt;
  return arrivals<S>{std::move(*run), std::move(*better)};
}

// The same where kinks, events and controls divide steps: as runs go.
template <class S>
std::optional<arrivals<S>> arrive_divided(const integrator<S>& flow, const integrator<S>& finer,
                                          const phase_state<S>& start, const S& until, double most, bool by_iteration,
                                          const motion_instants& instants) {
  constexpr double most_counted = 1e15;
  const auto limit = static_cast<std::size_t>(std::min(most, most_counted));
  const divided_run<S> run = run_through(flow, start, until, {}, instants, limit);
  const auto steps = static_cast<double>(run.steps);
  const bool is_slow = by_iteration && are_many(run.effort.newton_share * steps, steps);
  if (run.failed || is_slow) return std::nullopt;
  const divided_run<S> better = run_through_finer(run, finer, start, until, {}, instants);
  if (better.failed) return std::nullopt;
  motion_size size;
  for (const phase_state<S>* state : {&start, &run.end, &better.end}) size.cover(*state);
  return arrivals<S>{{run.end, size, run.effort}, {better.end, size, better.effort}};
}

// What a measurement needs to know of the motion besides its start.
struct course_to_measure {
  double most = infinite;  // steps
  const motion_instants* instants = nullptr;
  bool by_iteration = false;
};

template <class S>
std::optional<measured> measure(const integrator<S>& flow, const phase_state<S>& start, const S& until,
                                const course_to_measure& course) {
  const integrator<S> finer = flow.with_method(flow.method(), S(flow.step() * S(4) / S(5)));
  const auto both = course.instants->any()
                        ? arrive_divided(flow, finer, start, until, course.most, course.by_iteration, *course.instants)
                        : arrive_twice(flow, finer, start, until, course.most, course.by_iteration);
  if (!both) return std::nullopt;
  const auto& [run, better] = *both;
  const double factor = 1 / (1 - std::pow(finer_part, promises_on(flow.method(), flow.space().system()).order));
  measured result{.steps = run.end.index, .effort = run.effort};
  result.error = factor * relative_distance(run.end, better.end, better.size);
  result.motion.position_error = factor * difference_of(run.end.position, better.end.position).largest;
  result.motion.momentum_error = factor * difference_of(run.end.momentum, better.end.momentum).largest;
  result.motion.estimated_error = std::max(result.motion.position_error, result.motion.momentum_error);
  result.motion.relative_error = result.error;
  result.motion.by = fmt::format("{} with 4/5 of the step, at the end", flow.method().name);
  return result;
}

// What a step costs with a scale of time.
class scaled_cost {
 public:
  template <class S>
  explicit scaled_cost(const phase_space<S>& space) : code_(space.code()) {}

  template <class S>
  double operator()(const method& m, const solver_effort& effort) {
    if (is_transformed(m, code_->system())) {
      if (!extended_) extended_.emplace(extended_code(*code_), false);
      return extended_->operator()<S>(m, effort);
    }
    if (!plain_) plain_.emplace(code_, false);
    return plain_->operator()<S>(m, effort) + plain_->of_pace();
  }

 private:
  std::shared_ptr<const system_code> code_;
  std::optional<step_cost> plain_, extended_;
};

// A length in τ with which the error over a span is near a target.
struct length_law {
  const method* m = nullptr;
  double length = 0;
  measured seen;
  double work = infinite;  // over the span

  double order() const { return m->traits.order; }
  double length_for(double target) const { return length * std::pow(target / seen.error, 1 / order()); }
};

class law_search {
 public:
  law_search(const model& m, const scaled_plan& plan, double target, const integrator<double>& flow,
             const motion_instants& instants, bool splits_at_kinks)
      : plan_(plan), target_(target), flow_(flow), start_(flow.at_start(m)), instants_(instants), cost_(flow.space()) {
    const double begin = to_double(start_.time);
    finest_ =
        finest_time_scale(m.system, parameter_values<double>(m.system), begin, begin + plan.span, splits_at_kinks);
  }

  // Nothing where no length that was tried is good enough, or where it costs much more than `best`.
  std::optional<length_law> of(const method& m, double length, double best) {
    std::optional<length_law> found;
    const double fewest = fewest_steps(m);
    double too_long = infinite, order = m.traits.order;
    for (int k = 0; k < most_trials; ++k) {
      const auto now = measure(flow_.with_method(m, length), start_, plan_.span,
                               {plan_.most, &instants_, m.solver == step_solver::fixed_point});
      if (!now && found) break;
      if (!now || now->error > lawful) {
        too_long = std::min(too_long, length);
        length /= now ? 2 : 4;
        continue;
      }
      if (const auto steps = static_cast<double>(now->steps); steps < fewest) {
        too_long = std::min(too_long, length);
        length *= 0.8 * steps / fewest;
        continue;
      }
      const double work = static_cast<double>(now->steps) * cost_.operator()<double>(m, now->effort);
      const double called_for = std::pow(aim * target_ / std::max(now->error, 1e-300), 1 / order);
      const double factor = std::clamp(called_for, 0.2, 2.5);
      const bool is_fine = now->error <= accepted * target_;
      if (is_fine && (!found || work < found->work)) found = length_law{&m, length, *now, work};
      if (is_fine && (now->error >= too_low * target_ || length * 1.2 >= too_long)) break;
      const double gain = now->error < floor_share * target_ ? std::max(called_for, most_gain) : called_for;
      if (work / gain > std::min(dear * best, plan_.work)) break;
      if (!is_fine) too_long = std::min(too_long, length);
      const double next = length * factor;
      length = next < 0.95 * too_long ? next : std::sqrt(length * too_long);
      if (!is_fine && length >= too_long) length = 0.6 * too_long;
    }
    return found;
  }

  scaled_cost& cost() { return cost_; }

 private:
  // As many as it takes to see what changes with the time by itself.
  double fewest_steps(const method& m) const {
    return finest_ ? 2 * plan_.span / std::max(1.0, m.traits.order / 2.0) / *finest_ : 0;
  }

  scaled_plan plan_;
  double target_;
  integrator<double> flow_;
  phase_state<double> start_;
  const motion_instants& instants_;
  std::optional<double> finest_;  // time within which the model changes
  scaled_cost cost_;
};

bool takes_scale(const method& m, const lagrangian_system& system) {
  if (m.chooses_steps || !promises_on(m, system).symmetric) return false;
  return is_transformed(m, system) || m.scheme || m.solver == step_solver::splitting;
}

std::vector<const method*> scaled_candidates(const model& m, const method* kept) {
  if (kept != nullptr) return {kept};
  std::vector<const method*> all = candidates_for(m.system, false);
  std::erase_if(all, [&](const method* each) { return !takes_scale(*each, m.system) || each->traits.order < 4; });
  return all;
}

template <class S>
method_choice<S> chosen(const method& m, const S& step, const measured& seen, double work, const std::string& why) {
  return {&m,
          step,
          seen.steps,
          seen.error,
          seen.motion,
          fmt::format("{}; error at the end {:.1e}, measured over the whole run beside {}", why, seen.error,
                      seen.motion.by),
          work};
}

template <class S>
integrator<S> first_flow(const model& m, const accuracy_request<S>& request, const method& by, const S& step) {
  return integrator<S>(m.system, {.method = by.name, .step = step, .allow_unstable = true, .project = request.project});
}

// With the length that is given: the least work below the accuracy, else the smallest error.
template <class S>
std::optional<method_choice<S>> with_step(const model& m, const accuracy_request<S>& request,
                                          const motion_instants& instants) {
  const std::vector<const method*> candidates = scaled_candidates(m, request.kept_method);
  const integrator<S> flow = first_flow(m, request, *candidates.front(), *request.kept_step);
  const phase_state<S> start = flow.at_start(m);
  scaled_cost cost(flow.space());
  std::optional<method_choice<S>> best;
  const auto is_fine = [&](const method_choice<S>& c) { return c.estimated_error <= request.accuracy; };
  for (const method* candidate : candidates) {
    const auto seen =
        measure<S>(flow.with_method(*candidate, *request.kept_step), start, request.until, {.instants = &instants});
    if (!seen) continue;
    const double work = static_cast<double>(seen->steps) * cost.operator()<S>(*candidate, seen->effort);
    method_choice<S> now = chosen(*candidate, *request.kept_step, *seen, work, "");
    const bool is_better = !best || (is_fine(now) != is_fine(*best) ? is_fine(now)
                                     : is_fine(now)                 ? now.work < best->work
                                                                    : now.estimated_error < best->estimated_error);
    if (is_better) best = std::move(now);
  }
  if (best) {
    best->reason = fmt::format("the {} of {} methods with this step of tau{}",
                               is_fine(*best) ? "least work" : "smallest error", candidates.size(), best->reason);
  }
  return best;
}

// The whole run in S, with shorter lengths until its error is small enough.
template <class S>
std::optional<method_choice<S>> confirmed(const integrator<S>& flow, const phase_state<S>& start,
                                          const accuracy_request<S>& request, const length_law& law, double length,
                                          scaled_cost& cost, const std::string& why, const motion_instants& instants) {
  constexpr int most_runs = 6;
  double before = infinite;
  for (int k = 0; k < most_runs; ++k) {
    const S step(length);
    const auto seen = measure<S>(flow.with_method(*law.m, step), start, request.until, {.instants = &instants});
    if (seen && seen->error <= accepted * request.accuracy) {
      return chosen(*law.m, step, *seen, static_cast<double>(seen->steps) * cost.operator()<S>(*law.m, seen->effort),
                    why);
    }
    const double error = seen ? seen->error : 1;
    if (k > 1 && error > before / 2) return std::nullopt;  // shorter steps do not help: rounding, or chaos
    before = error;
    length *= std::clamp(std::pow(aim * request.accuracy / error, 1 / law.order()), 0.3, 0.85);
  }
  return std::nullopt;
}

std::string why_text(const std::vector<length_law>& laws, const length_law& best, std::size_t candidates) {
  if (candidates == 1) return fmt::format("the longest step of tau of {}", best.m->name);
  std::string text = fmt::format("the least work of {} methods with steps of tau", candidates);
  const length_law* second = nullptr;
  for (const length_law& each : laws) {
    if (each.m != best.m && (second == nullptr || each.work < second->work)) second = &each;
  }
  return second == nullptr
             ? text
             : text + fmt::format(" (then {}: {:.1f} times)", second->m->name, std::max(1.0, second->work / best.work));
}

}  // namespace

template <class S>
std::optional<method_choice<S>> scaled_choice(const model& m, const accuracy_request<S>& request,
                                              const scaled_plan& plan) {
  const motion_instants instants = instants_of(m, request.splits_at_kinks);
  if (request.kept_step) return with_step(m, request, instants);
  constexpr double least_in_double = 1e-9;
  const double until = to_double(request.until), share = plan.span / until;
  // Methods that keep the structure of a motion let errors grow with the time.
  const double target = request.accuracy * share, in_double = std::max(target, least_in_double);
  const std::vector<const method*> candidates = scaled_candidates(m, request.kept_method);
  scaled_plan within = plan;
  within.work *= share;
  const accuracy_request<double> rough{.project = request.project};
  const integrator<double> in_doubles = first_flow(m, rough, *candidates.front(), plan.length);
  law_search search(m, within, in_double, in_doubles, instants, request.splits_at_kinks);
  std::vector<length_law> laws;
  double length = plan.length, best = infinite;
  int refused = 0;
  for (const method* candidate : candidates) {
    const auto law = search.of(*candidate, length, best);
    if (!law && laws.empty() && ++refused == most_refused) break;
    if (!law) continue;
    laws.push_back(*law);
    if (law->work < best) length = law->length;
    best = std::min(best, law->work);
  }
  // Beyond double what counts is the work at the target, not where it was measured.
  const auto work_at_target = [&](const length_law& law) {
    return law.work * (target < in_double ? law.length / law.length_for(aim * target) : 1);
  };
  std::ranges::stable_sort(laws, {}, work_at_target);
  std::optional<integrator<S>> flow;
  std::optional<phase_state<S>> start;
  // What a run in S would take; whether it is worth measuring.
  const auto work_of_run = [&](const length_law& law, double length) {
    const double steps = static_cast<double>(law.seen.steps) / share * law.length / length;
    return steps * search.cost().template operator()<S>(*law.m, law.seen.effort);
  };
  constexpr int most_confirmed = 3;
  int confirmations = 0;
  for (const length_law& law : laws) {
    const std::string why = why_text(laws, law, candidates.size());
    if (std::same_as<S, double> && share == 1 && target == in_double) {
      return chosen(*law.m, S(law.length), law.seen, law.work, why);
    }
    const double first = target < in_double ? law.length_for(aim * target) : law.length;
    if (work_of_run(law, first) > plan.work) continue;
    if (++confirmations > most_confirmed) break;
    if (!flow) {
      if constexpr (std::same_as<S, double>) flow = in_doubles;
      else flow = first_flow(m, request, *law.m, S(first));
      start = flow->at_start(m);
    }
    if (auto found = confirmed(*flow, *start, request, law, first, search.cost(), why, instants)) return found;
  }
  return std::nullopt;
}

#define ACTIO_INSTANTIATE(S)                                                                          \
  template std::optional<method_choice<S>> scaled_choice<S>(const model&, const accuracy_request<S>&, \
                                                            const scaled_plan&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
