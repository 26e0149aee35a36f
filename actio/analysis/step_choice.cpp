#include "actio/analysis/step_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "actio/analysis/accuracy_refusal.hpp"
#include "actio/analysis/scaled_search.hpp"
#include "actio/analysis/step_cost.hpp"
#include "actio/mechanics/state_function.hpp"
#include "actio/mechanics/time_transformation.hpp"
#include "actio/simulate/second_run.hpp"

namespace actio {

namespace {

constexpr double quick = 3e5;      // evaluations that a look at a motion may take
constexpr double in_full = 2e7;    // the same of steps that reach the accuracy
constexpr double tightened = 2.5;  // times the work for the accuracy that is asked for: what the end may need
constexpr double for_laws = 2e4;   // evaluations of the part of a motion that laws of steps in τ are measured over

template <class S>
struct contest {
  std::vector<step_choice<S>> offers = {};
  double unevenness = 1;
  bool is_long = false;
  std::string bound = {};  // what is known of adaptive steps that were not measured
  std::optional<input_error> refusal = {};

  // Work, with what structure is worth where runs are long.
  double weighed(const step_choice<S>& c) const {
    return c.settled.work * (is_long && c.kind == step_kind::adaptive ? step_rule::worth : 1);
  }

  step_choice<S> winner() {
    std::ranges::stable_sort(offers, {}, [&](const step_choice<S>& c) { return weighed(c); });
    step_choice<S>& best = offers.front();
    std::string text;
    if (unevenness >= step_rule::even) {
      text = fmt::format("the motion is uneven: its shortest step all the way would be {:.2g} times the work; ",
                         unevenness);
    }
    if (refusal) text += "no step of one length in t reaches this accuracy; ";
    std::string others;
    const auto add = [&](const std::string& other) { others += (others.empty() ? "" : ", ") + other; };
    for (const step_choice<S>& c : offers) {
      if (c.kind == best.kind) continue;
      const double beside = c.settled.work / best.settled.work;
      add(fmt::format("{} steps: {:.2g} times the work{}", to_text(c.kind), beside,
                      beside < 1 ? ", but without what keeps long runs" : ""));
    }
    if (!bound.empty()) add(bound);
    best.settled.reason = text + fmt::format("{} steps{}: {}", to_text(best.kind),
                                             others.empty() ? "" : " (" + others + ")", best.settled.reason);
    return std::move(best);
  }
};

template <class S>
class kinds_of_steps {
 public:
  kinds_of_steps(const model& m, const accuracy_request<S>& request)
      : model_(m), request_(request), adaptive_method_(find_method("extrapolation")) {
    if (adaptive_method_ != nullptr && !suits(*adaptive_method_, m.system)) adaptive_method_ = nullptr;
  }

  std::optional<uneven_cost> look(double most) {
    if (adaptive_method_ == nullptr) return std::nullopt;
    const integrator<S> flow = adaptive_flow(request_.accuracy);
    return evaluations_needed<S>(flow, flow.at_start(model_), request_.until, most);
  }

  step_choice<S> fixed() const { return {step_kind::fixed, false, choose<S>(model_, request_)}; }

  // With the automatic scale, where there is one. `seen`: how adaptive steps fared, if they did.
  std::optional<step_choice<S>> scaled(const std::optional<uneven_cost>& seen) const {
    if (model_.system.is_first_order() || !is_smooth(model_.system)) return std::nullopt;
    model with = model_;
    try {
      with.system.time_scale = named_expr{"auto", automatic_time_scale(model_), {}};
    } catch (const input_error&) {
      return std::nullopt;
    }
    scaled_plan plan = plan_for(with, seen);
    if (seen) {
      const bool is_long = seen->steps > step_rule::long_run;
      plan.work = tightened * (is_long ? step_rule::worth : 1) * cost_of_evaluations(seen->chosen);
    }
    auto found = scaled_choice<S>(with, request_, plan);
    if (!found) return std::nullopt;
    return step_choice<S>{step_kind::scaled, true, std::move(*found)};
  }

  // Measured over the whole run, unless what is known of their work already shows that others are taken.
  void add_adaptive(const uneven_cost& seen, contest<S>& all) const {
    step_choice<S> result{step_kind::adaptive, false, {}};
    result.settled.method = adaptive_method_;
    result.settled.work = cost_of_evaluations(seen.chosen);
    const auto is_less = [&](const step_choice<S>& c) { return all.weighed(c) < all.weighed(result); };
    if (std::ranges::any_of(all.offers, is_less)) {
      all.bound = fmt::format("adaptive steps: at least {:.2g} times the work",
                              result.settled.work / all.offers.front().settled.work);
      return;
    }
    const integrator<S> flow = adaptive_flow(request_.accuracy);
    const phase_state<S> start = flow.at_start(model_);
    const settled_steps steps = settled_accuracy<S>(flow, start, request_.until, request_.accuracy);
    if (!(steps.error <= request_.accuracy)) return;
    const auto needed = evaluations_needed<S>(adaptive_flow(steps.accuracy), start, request_.until, in_full);
    if (!needed) return;
    result.settled.steps = static_cast<std::size_t>(needed->steps);
    result.settled.estimated_error = steps.error;
    result.settled.work = cost_of_evaluations(needed->chosen);
    result.settled.reason = fmt::format(
        "{:.2g} evaluations of its equations; error at the end {:.1e}, measured beside "
        "runs to other accuracies",
        needed->chosen, steps.error);
    all.offers.push_back(std::move(result));
  }

  // The part of the motion over which laws of steps in τ are measured, and a length to begin with.
  scaled_plan plan_for(const model& with, const std::optional<uneven_cost>& seen) const {
    const double until = to_double(request_.until);
    scaled_plan plan{.span = until, .length = until / 64, .most = 1e6};
    if (!seen) return plan;
    plan.span = seen->chosen > for_laws ? until * std::max(for_laws / seen->chosen, 0.001) : until;
    plan.most = 64 * std::max(64.0, seen->steps * plan.span / until);
    plan.length = seen->length / scale_at_start(with.system.time_scale->value);
    return plan;
  }

 private:
  // Everything is derived and compiled once.
  integrator<S> adaptive_flow(double accuracy) const {
    if (!adaptive_) {
      adaptive_.emplace(model_.system, integrator_options<S>{.method = adaptive_method_->name,
                                                             .step = request_.until / S(1024),
                                                             .accuracy = accuracy,
                                                             .project = request_.project});
    }
    return adaptive_->with_accuracy(accuracy);
  }

  double cost_of_evaluations(double evaluations) const {
    if (!cost_) cost_.emplace(adaptive_flow(request_.accuracy).space().code(), false);
    return cost_->of_evaluations(evaluations);
  }

  double scale_at_start(const expr& scale) const {
    const integrator<S> flow = adaptive_flow(request_.accuracy);
    const phase_state<S> start = flow.at_start(model_);
    state_function<S> value(flow.space(), std::array{scale});
    phase_point<S> point(flow.space());
    std::vector<S> velocity(flow.space().size(), S(0));
    if (!point.velocity_at(start.time, start.position.value, start.momentum.value, velocity, start.velocity)) return 1;
    value.evaluate(start.time, start.position.value, velocity, start.momentum.value);
    return value[0] > S(0) && is_finite(value[0]) ? to_double(value[0]) : 1;
  }

  const model& model_;
  const accuracy_request<S>& request_;
  const method* adaptive_method_;
  mutable std::optional<integrator<S>> adaptive_;
  mutable std::optional<step_cost> cost_;
};

// Steps in τ for a model that gives their scale.
template <class S>
step_choice<S> with_own_scale(const model& m, const accuracy_request<S>& request) {
  model plain = m;
  plain.system.time_scale.reset();
  kinds_of_steps<S> kinds(plain, request);
  const auto seen = kinds.look(quick);
  auto found = scaled_choice<S>(m, request, kinds.plan_for(m, seen));
  if (found) return {step_kind::scaled, false, std::move(*found)};
  throw input_error(
      "accuracy-unreachable",
      fmt::format("an error of {:.1e} at the end was not reached in {} precision with steps in the time of "
                  "[time]",
                  request.accuracy, precision_name<S>()),
      request.place,
      "ask for less, take more digits with " + more_digits<S>() + ", or leave [time] out: @time-scale=none");
}

template <class S>
[[noreturn]] void refuse_all(const lagrangian_system& system, const accuracy_request<S>& request) {
  const bool has_kinks = !is_smooth(system);
  throw input_error(
      "accuracy-unreachable",
      fmt::format("an error of {:.1e} at the end was not reached in {} precision, neither with steps in a scaled time "
                  "nor with steps chosen one by one, {}",
                  request.accuracy, precision_name<S>(),
                  has_kinks ? "which go over the kinks of the model"
                            : "and the motion is too uneven for steps of one length: what rounding makes grows along "
                              "the way"),
      request.place,
      has_kinks ? cure_for_kinks
                : "take more digits with " + more_digits<S>() + ", ask for less, or run up to an earlier time");
}

// What a choice does not ask for: to find what is conserved takes longer than a short run.
model without_measurements(const model& m) {
  model plain = m;
  plain.system.observables.clear();
  plain.system.invariants.clear();
  plain.system.symmetries.clear();
  plain.system.found.emplace();
  return plain;
}

template <class S>
step_choice<S> choose_steps_of(const model& m, const accuracy_request<S>& request) {
  const bool has_length = request.until > S(0) && request.accuracy >= to_double(epsilon<S>());
  if (m.system.time_scale && has_length) return with_own_scale(m, request);
  kinds_of_steps<S> kinds(m, request);
  const bool is_divided = instants_of(m, request.splits_at_kinks).any();
  if (request.kept_method != nullptr || request.kept_step || !has_length || is_divided) return kinds.fixed();
  const std::optional<uneven_cost> seen = kinds.look(quick);
  contest<S> all{.unevenness = seen ? seen->unevenness() : 1, .is_long = seen && seen->steps > step_rule::long_run};
  const bool is_even = all.unevenness < step_rule::even;
  const auto add_fixed = [&] {
    try {
      all.offers.push_back(kinds.fixed());
    } catch (const input_error& error) {
      if (error.id() != "accuracy-unreachable") throw;
      all.refusal = error;
    }
  };
  if (is_even) add_fixed();
  if (is_even && !all.offers.empty()) return std::move(all.offers.front());
  if (auto found = kinds.scaled(seen)) all.offers.push_back(std::move(*found));
  if (seen) kinds.add_adaptive(*seen, all);
  const bool may_be_fixed = all.unevenness < (all.offers.empty() ? step_rule::out_of_reach : step_rule::hopeless);
  if (!is_even && may_be_fixed) add_fixed();
  if (all.offers.empty() && all.refusal) throw *all.refusal;
  if (all.offers.empty()) refuse_all(m.system, request);
  return all.winner();
}

}  // namespace

std::string_view to_text(step_kind kind) {
  switch (kind) {
    case step_kind::fixed: return "fixed";
    case step_kind::scaled: return "scaled";
    case step_kind::adaptive: break;
  }
  return "adaptive";
}

template <class S>
step_choice<S> choose_steps(const model& m, const accuracy_request<S>& request) {
  return choose_steps_of(without_measurements(m), request);
}

#define ACTIO_INSTANTIATE(S) template step_choice<S> choose_steps<S>(const model&, const accuracy_request<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
