#include "actio/api/settled_choice.hpp"

#include "actio/analysis/step_choice.hpp"
#include "actio/base/option_naming.hpp"
#include "actio/mechanics/shifted_model.hpp"
#include "actio/simulate/run_settings.hpp"
#include "actio/simulate/step_kinks.hpp"

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
  request.splits_at_kinks = splits_at_kinks(options);
  if (options.has("steps") && m.system.time_scale) {
    throw input_error("conflicting-options", "the number of steps in tau is given, but an accuracy belongs to a time t",
                      whole_place(*options.find("steps")), "give @until=T instead");
  }
  if (options.has("steps")) {
    request.until = *request.kept_step * S(static_cast<double>(steps_from<S>(m, options, *request.kept_step)));
  } else {
    using std::abs;
    request.until = abs(S(end_from<S>(m, options) - start_from<S>(m, options)));
  }
  return request;
}

template <class S>
choice_record chosen(const model& m, option_values& options) {
  const accuracy_request<S> request = request_from<S>(m, options);
  const auto start = options.find("start");
  const bool goes_back = options.has("until") && end_from<S>(m, options) < start_from<S>(m, options);
  const bool as_it_is = !goes_back && (!start || !m.system.is_time_dependent());
  const model moved = as_it_is ? m : shifted_model(m, start ? parse_quantity(m, *start) : expr(0), goes_back);
  const step_choice<S> choice = choose_steps<S>(moved, request);
  const bool is_adaptive = choice.kind == step_kind::adaptive;
  options.set("method", {choice.settled.method->name, {}, "method"});
  if (choice.adds_scale) options.set("time-scale", {"auto", {}, "time-scale"});
  if (!request.kept_step) {
    options.set("step", {is_adaptive ? std::string("auto") : to_digits(choice.settled.step), {}, "step"});
  }
  if (!is_adaptive) options.erase("accuracy");
  return {.method = choice.settled.method->name,
          .step = options.find("step")->text,
          .kind = std::string(to_text(choice.kind)),
          .accuracy = request.accuracy,
          .estimated_error = choice.settled.estimated_error,
          .motion = choice.settled.motion,
          .reason = choice.settled.reason,
          .work = choice.settled.work,
          .command = {}};
}

}  // namespace

choice_record settle_choice(const model& m, option_values& options) {
  return with_scalar(precision_from(*options.find("precision")), [&]<class S>() { return chosen<S>(m, options); });
}

}  // namespace actio
