#include "actio/api/settled_choice.hpp"

#include <fmt/format.h>

#include <optional>

#include "actio/analysis/choice.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/mechanics/shifted_model.hpp"
#include "actio/simulate/run_settings.hpp"
#include "actio/simulate/second_run.hpp"

namespace actio {

namespace {

template <class S>
accuracy_request<S> request_from(const model& m, const option_values& options) {
  accuracy_request<S> request{.accuracy = usual_accuracy<S>()};
  if (const auto typed = options.find("accuracy")) {
    request.accuracy = accuracy_from(m, *typed);
    request.place = whole_place(*typed);
  }
  const source_text name = *options.find("method");
  if (name.text != "auto") request.kept_method = &method_named(name);
  if (const auto step = options.find("step")) request.kept_step = step_from<S>(m, *step);
  request.velocity_state = options.find("state")->text == "velocity";
  request.project = flag_from(options, "project");
  if (options.has("steps")) {
    request.until = *request.kept_step * S(static_cast<double>(steps_from<S>(m, options, *request.kept_step)));
  } else {
    using std::abs;
    request.until = abs(S(end_from<S>(m, options) - start_from<S>(m, options)));
  }
  return request;
}

// Steps of their own length are for motions so uneven that they save most of the work, or that cannot be had otherwise:
// then `is_last` and nothing else is asked.
template <class S>
std::optional<choice_record> uneven_choice(const model& m, const accuracy_request<S>& request, bool is_last) {
  constexpr double saving = 30, quick = 3e5, most = 2e7;
  const method* by = find_method("extrapolation");
  const bool is_open = request.kept_method == nullptr && !request.kept_step && request.until > S(0);
  if (!is_open || m.system.time_scale || by == nullptr || !suits(*by, m.system)) return std::nullopt;
  const integrator<S> flow(
      m.system,
      {.method = by->name, .step = request.until / S(1024), .accuracy = request.accuracy, .project = request.project});
  const auto needed = evaluations_needed<S>(flow, flow.at_start(m), request.until, is_last ? most : quick);
  if (!needed || (!is_last && needed->equal < saving * needed->chosen)) return std::nullopt;
  if (is_last) {  // it must be measured that these reach it
    integrator_options<S> finer = flow.options();
    finer.accuracy = settled_accuracy<S>(flow, flow.at_start(m), request.until, request.accuracy);
    const integrator<S> settled(m.system, finer);
    const auto end = state_at<S>(settled, settled.at_start(m), request.until);
    const auto error = end ? error_by_second_run<S>(settled, settled.at_start(m), *end) : std::nullopt;
    if (!error || !(error->relative_error <= request.accuracy)) return std::nullopt;
  }
  const std::string why =
      is_last ? std::string("no step of one length reaches this accuracy, steps that are chosen one by one do")
              : fmt::format(
                    "the motion is uneven: steps that are chosen one by one need {:.2g} evaluations of its "
                    "equations, those of its shortest step all the way {:.2g}",
                    needed->chosen, needed->equal);
  return choice_record{.method = by->name,
                       .step = "auto",
                       .accuracy = request.accuracy,
                       .estimated_error = request.accuracy,
                       .motion = {},
                       .reason = why,
                       .command = {}};
}

template <class S>
choice_record chosen(const model& m, option_values& options) {
  const accuracy_request<S> request = request_from<S>(m, options);
  const auto start = options.find("start");
  const bool goes_back = options.has("until") && end_from<S>(m, options) < start_from<S>(m, options);
  const bool as_it_is = !goes_back && (!start || !m.system.is_time_dependent());
  const model moved = as_it_is ? m : shifted_model(m, start ? parse_quantity(m, *start) : expr(0), goes_back);
  std::optional<method_choice<S>> choice;
  std::optional<choice_record> uneven = uneven_choice<S>(moved, request, false);
  try {
    if (!uneven) choice = choose<S>(moved, request);
  } catch (const input_error& error) {
    if (error.id() == "accuracy-unreachable") uneven = uneven_choice<S>(moved, request, true);
    if (!uneven) throw;
  }
  if (uneven) {
    options.set("method", {uneven->method, {}, "method"});
    options.set("step", {uneven->step, {}, "step"});
    return *uneven;
  }
  options.set("method", {choice->method->name, {}, "method"});
  if (!request.kept_step) options.set("step", {to_digits(choice->step), {}, "step"});
  options.erase("accuracy");
  return {.method = choice->method->name,
          .step = options.find("step")->text,
          .accuracy = request.accuracy,
          .estimated_error = choice->estimated_error,
          .motion = choice->motion,
          .reason = choice->reason,
          .command = {}};
}

}  // namespace

choice_record settle_choice(const model& m, option_values& options) {
  return with_scalar(precision_from(*options.find("precision")), [&]<class S>() { return chosen<S>(m, options); });
}

}  // namespace actio
