#include "apps/cli/choice.hpp"

#include "actio/analysis/choice.hpp"
#include "actio/simulate/run_settings.hpp"

namespace actio::cli {

namespace {

// The command with the choice written out.
std::string repeated(const command_input& input, const option_values& options) {
  std::string text = "actio run " + shell_word(input.arguments.front().text);
  for (const char* name : {"method", "step"})
    text += " --" + std::string(name) + ' ' + shell_word(options.find(name)->text);
  for (const auto& [name, value] : input.options.all()) {
    const option_descriptor* option = find_option(name);
    if (name == "method" || name == "step" || name == "accuracy" || option->type == option_type::assignment) continue;
    if (!option->in_model || option->type == option_type::path) continue;
    text += " --" + name;
    if (option->type != option_type::flag) text += ' ' + shell_word(value.text);
  }
  for (const source_text& a : input.assignments) text += " --set " + shell_word(a.text);
  return text;
}

template <class S>
accuracy_request<S> request_from(const model& m, const option_values& options) {
  accuracy_request<S> request{.accuracy = usual_accuracy<S>()};
  if (const auto typed = options.find("accuracy")) {
    request.accuracy = accuracy_from(m, *typed);
    request.place = typed->origin.file.starts_with("--") ? source_place{typed->origin.file, 0, 0} : typed->origin;
  }
  const source_text name = *options.find("method");
  if (name.text != "auto") request.kept_method = &method_named(name);
  if (const auto step = options.find("step")) request.kept_step = step_from<S>(m, *step);
  request.velocity_state = options.find("state")->text == "velocity";
  request.project = flag_from(options, "project");
  if (options.has("steps")) {
    request.until = *request.kept_step * S(static_cast<double>(steps_from<S>(m, options, *request.kept_step)));
  } else {
    request.until = end_from<S>(m, options);
  }
  return request;
}

template <class S>
choice_record chosen(const command_input& input, const model& m, option_values& options) {
  const accuracy_request<S> request = request_from<S>(m, options);
  const method_choice<S> choice = choose<S>(m, request);
  options.set("method", {choice.method->name, {}, "method"});
  if (!request.kept_step) options.set("step", {to_digits(choice.step), {}, "step"});
  options.erase("accuracy");
  return {.method = choice.method->name,
          .step = options.find("step")->text,
          .accuracy = request.accuracy,
          .estimated_error = choice.estimated_error,
          .motion = choice.motion,
          .reason = choice.reason,
          .command = repeated(input, options)};
}

}  // namespace

choice_record settle_choice(const command_input& input, const model& m, option_values& options) {
  return with_scalar(precision_from(*options.find("precision")),
                     [&]<class S>() { return chosen<S>(input, m, options); });
}

}  // namespace actio::cli
