#include "actio/simulate/run_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "actio/base/option_naming.hpp"
#include "actio/base/parallel.hpp"
#include "actio/mechanics/time_transformation.hpp"
#include "actio/simulate/run.hpp"
#include "actio/simulate/section.hpp"

namespace actio {

namespace {

constexpr std::string_view automatic_method = "auto";
constexpr std::size_t fewest_digits = 17, most_digits = 100'000;

// The whole number that `text` writes, or nothing; numbers beyond `most_steps` do not count.
std::optional<std::size_t> whole_number(const std::string& text) {
  try {
    const expr value = decimal(text);
    const rational& number = value.number();
    if (denominator(number) != 1 || number < 0 || number > rational(most_steps)) return std::nullopt;
    return static_cast<std::size_t>(numerator(number));
  } catch (const input_error&) {
    return std::nullopt;
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ');
  return begin == text.size() ? std::string_view() : text.substr(begin, end + 1 - begin);
}

void refuse_both_lengths(const option_values& options) {
  if (!options.has("until") || !options.has("steps")) return;
  throw input_error("conflicting-options", "both the time to reach (until) and the number of steps (steps) are given",
                    whole_place(*options.find("steps")), "give one of the two");
}

constexpr double usual_chosen_accuracy = 1e-8;
constexpr std::string_view choosing_method = "extrapolation";

bool is_automatic(const option_values& options) {
  return options.has("method") && options.find("method")->text == automatic_method;
}

void refuse_accuracy_with_step(const option_values& options) {
  if (!options.has("accuracy")) return;
  if (steps_are_chosen(options)) {
    if (!options.has("steps")) return;
    throw input_error("conflicting-options", "the number of steps is given, but they are to be chosen one by one",
                      whole_place(*options.find("steps")), "give @until=T instead");
  }
  for (const char* other : {"step", "steps"}) {
    if (!options.has(other)) continue;
    throw input_error("conflicting-options", fmt::format("both an accuracy and {} are given", other),
                      whole_place(*options.find("accuracy")),
                      "an accuracy chooses the step: give one of the two, and @until for the length");
  }
}

// What the file says of the length of a run, without its step: so many steps become a time.
void keep_length_without_step(option_values& file) {
  if (file.has("steps") && file.has("step")) {
    const source_text steps = *file.find("steps"), step = *file.find("step");
    const std::string start = file.has("start") ? fmt::format("({}) + ", file.find("start")->text) : "";
    file.set("until", {fmt::format("{}{}*({})", start, steps.text, step.text), step.origin, "until"});
    file.erase("steps");
  }
  file.erase("step");
}

source_text required(const model& m, const option_values& options, std::string_view key, std::string_view what,
                     std::string cure) {
  if (const auto found = options.find(key)) return *found;
  throw input_error("missing-key", fmt::format("the run has no {}", what), {m.file, 0, 0}, std::move(cure));
}

}  // namespace

bool steps_are_chosen(const option_values& options) {
  return options.has("step") && options.find("step")->text == "auto";
}

void apply_time_scale(model& m, const option_values& options) {
  const auto typed = options.find("time-scale");
  if (!typed) return;
  if (typed->text == "none") return m.system.time_scale.reset();
  if (m.system.is_first_order()) {
    throw input_error("needs-lagrangian", "a scale of time has no meaning beside [equations]", whole_place(*typed),
                      "multiply the right-hand sides by the scale, and add an equation for t");
  }
  const bool is_automatic = typed->text == "auto";
  m.system.time_scale = named_expr{is_automatic ? "auto" : "scale", expr(1), whole_place(*typed)};
  m.system.time_scale->value = is_automatic ? automatic_time_scale(m) : parse_measurement(m.system, *typed);
}

precision precision_from(const source_text& typed) {
  if (typed.text == "double") return precision::of_double();
  if (typed.text == "quad") return precision::of_quad();
  const auto digits = whole_number(typed.text);
  if (digits && *digits >= fewest_digits && *digits <= most_digits) {
    if (has_mpfr) return precision::of_digits(static_cast<unsigned>(*digits));
    throw input_error("bad-precision", fmt::format("this build has no MPFR: it cannot compute with {} digits", *digits),
                      whole_place(typed), "give double or quad, or build actio with MPFR");
  }
  throw input_error(
      "bad-precision", fmt::format("'{}' is no precision", typed.text), whole_place(typed),
      fmt::format("give double, quad or a number of decimal digits from {} to {}", fewest_digits, most_digits));
}

std::size_t count_from(const source_text& typed, std::size_t least) {
  const auto number = whole_number(typed.text);
  if (number && *number >= least) return *number;
  throw input_error("bad-count", fmt::format("'{}' is no count", typed.text), whole_place(typed),
                    fmt::format("give a whole number from {} to {:g}", least, static_cast<double>(most_steps)));
}

unsigned threads_from(const option_values& options) {
  constexpr std::size_t most_threads = 1024;
  const auto typed = options.find("threads");
  if (!typed) return available_threads();
  return static_cast<unsigned>(std::min(count_from(*typed, 1), most_threads));
}

std::vector<source_text> list_from(const source_text& typed) {
  std::vector<source_text> parts;
  const std::string_view text = typed.text;
  const auto end_of_part = [&](std::size_t at) {  // commas inside brackets belong to q[1,2] and atan2(y, x)
    for (int depth = 0; at < text.size(); ++at) {
      if (text[at] == '[' || text[at] == '(') ++depth;
      if ((text[at] == ']' || text[at] == ')') && depth > 0) --depth;
      if (text[at] == ',' && depth == 0) break;
    }
    return at;
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = end_of_part(begin);
    const std::string_view part = trimmed(text.substr(begin, end - begin));
    if (!part.empty()) {
      const auto offset = static_cast<std::size_t>(part.data() - text.data());
      parts.push_back({std::string(part), typed.place_at(offset), typed.role});
    }
    begin = end + 1;
  }
  return parts;
}

bool has_newmark_parameters(const option_values& options) { return options.has("beta") || options.has("gamma"); }

source_text with_newmark_parameters(const source_text& method, const option_values& options) {
  if (!has_newmark_parameters(options)) return method;
  const actio::method* named = family_named(method.text);
  if (named == nullptr) {
    const source_text given = *options.find(options.has("beta") ? "beta" : "gamma");
    throw input_error("conflicting-options", fmt::format("method '{}' has no beta and no gamma", method.text),
                      whole_place(given), "choose @method=newmark, or leave @beta and @gamma out");
  }
  std::vector<rational> values;
  for (const auto& [name, usual] : named->family->parameters) {
    const auto typed = options.find(name);
    const auto number = typed ? family_number(typed->text) : usual;
    if (!number) {
      throw input_error("bad-number", fmt::format("Newmark's {} is '{}'", name, typed->text), whole_place(*typed),
                        "give a number that is not negative, such as 0.25 or 1/12");
    }
    values.push_back(*number);
  }
  return {named->family->member(values).name, method.origin, method.role};
}

option_values merged_options(const model& m, const option_values& typed) {
  refuse_both_lengths(m.run);
  refuse_both_lengths(typed);
  refuse_accuracy_with_step(m.run);
  refuse_accuracy_with_step(typed);
  option_values merged = m.run;
  const bool chooses = steps_are_chosen(typed) || (steps_are_chosen(merged) && !typed.has("step"));
  if (chooses && !typed.has("method")) merged.erase("method");
  if (steps_are_chosen(typed)) keep_length_without_step(merged);
  if (typed.has("accuracy")) merged.erase("method");
  if (chooses) merged.set("step", {"auto", {}, "step"});
  else if (typed.has("accuracy") || (is_automatic(typed) && !typed.has("step"))) keep_length_without_step(merged);
  if (typed.has("step") && !chooses) merged.erase("accuracy");
  if (typed.has("method") || typed.has("accuracy")) {
    merged.erase("beta");
    merged.erase("gamma");
  }
  if (typed.has("steps")) merged.erase("until");
  if (typed.has("until")) merged.erase("steps");
  merged.override_with(typed);
  if (chooses) {
    if (!merged.has("method") || is_automatic(merged)) {
      merged.set("method", {std::string(choosing_method), {}, "method"});
    }
    refuse_accuracy_with_step(merged);
  } else if (merged.has("accuracy") && !merged.has("method")) {
    merged.set("method", {std::string(automatic_method), {}, "method"});
  }
  if (leaves_choice(merged) && merged.has("steps") && !merged.has("step")) {
    throw input_error("conflicting-options", "the number of steps is given, but their length is to be chosen",
                      whole_place(*merged.find("steps")), "give @until=T instead, or @step=H as well");
  }
  if (!m.system.has_lagrangian() && !merged.has("method")) {
    merged.set("method", {std::string(default_method(m.system)), {}, "method"});
  }
  if (has_newmark_parameters(merged)) {
    merged.set("method", with_newmark_parameters(*merged.find("method"), merged));
    merged.erase("beta");
    merged.erase("gamma");
  }
  return merged;
}

bool leaves_choice(const option_values& merged) {
  return !steps_are_chosen(merged) && (merged.has("accuracy") || is_automatic(merged));
}

double accuracy_from(const model& m, const source_text& typed) {
  const auto accuracy = quantity_value<double>(m.system, parse_quantity(m, typed));
  if (accuracy > 0 && accuracy < 1) return accuracy;
  throw input_error("bad-accuracy", fmt::format("the accuracy is '{}', but it must lie between 0 and 1", typed.text),
                    whole_place(typed), "give the error that is allowed at the end, such as 1e-8");
}

backend backend_from(const source_text& typed, const precision& numbers, bool machine_code_available) {
  for (const backend choice : {backend::automatic, backend::interpreter}) {
    if (typed.text == to_text(choice)) return choice;
  }
  if (typed.text != to_text(backend::machine_code)) {
    throw input_error("unknown-option-value", fmt::format("'{}' is no backend", typed.text), whole_place(typed),
                      "give auto, interpreter or machine-code");
  }
  if (!(numbers == precision::of_double())) {
    throw input_error("backend-unavailable",
                      fmt::format("machine code computes in double, not in {} precision", to_text(numbers)),
                      whole_place(typed), "leave @backend out: other numbers are interpreted");
  }
  if (!machine_code_available) {
    throw input_error("backend-unavailable", "this build or this processor has no machine code", whole_place(typed),
                      "leave @backend out, or build actio with LLVM for a processor with AVX2");
  }
  return backend::machine_code;
}

void set_backend_from(const option_values& options) {
  const auto numbers = precision_from(*options.find("precision"));
  set_default_backend(backend_from(*options.find("backend"), numbers, machine_code_is_available()));
}

template <class S>
S step_from(const model& m, const source_text& typed) {
  const S step = quantity_value<S>(m.system, parse_quantity(m, typed));
  if (is_finite(step) && step > S(0)) return step;
  throw input_error("bad-step", fmt::format("the step is {}, but it must be a positive number", to_brief(step, 6)),
                    whole_place(typed), "give a positive step such as 0.01");
}

template <class S>
S time_from(const model& m, const source_text& typed) {
  const S time = quantity_value<S>(m.system, parse_quantity(m, typed));
  if (is_finite(time)) return time;
  throw input_error("bad-number", fmt::format("the time '{}' is {}", typed.text, to_brief(time, 6)), whole_place(typed),
                    "give a finite time, such as 10");
}

template <class S>
S start_from(const model& m, const option_values& options) {
  const auto typed = options.find("start");
  return typed ? time_from<S>(m, *typed) : S(0);
}

template <class S>
S end_from(const model& m, const option_values& options) {
  return time_from<S>(
      m, required(m, options, "until", "end", "add @until=T or @steps=N, or a line until = T or steps = N to [run]"));
}

template <class S>
std::size_t steps_from(const model& m, const option_values& options, const S& step) {
  if (options.has("steps")) return count_from(*options.find("steps"), 0);
  using std::abs;
  const S length = abs(S(end_from<S>(m, options) - start_from<S>(m, options))), one = abs(step);
  if (length / one > S(static_cast<double>(most_steps))) {
    throw input_error("bad-count", fmt::format("the run would have {} steps", to_brief(S(length / one), 3)),
                      whole_place(*options.find("until")),
                      fmt::format("at most {:g} are possible", static_cast<double>(most_steps)));
  }
  return steps_until(length, one);
}

bool flag_from(const option_values& options, std::string_view name) {
  const auto given = options.find(name);
  return given && given->text == "true";
}

bool has_velocity_state(const option_values& options) {
  const source_text state = *options.find("state");
  if (state.text == "momentum" || state.text == "velocity") return state.text == "velocity";
  throw input_error("unknown-option-value", fmt::format("'{}' is no kind of state", state.text), whole_place(state),
                    "give momentum or velocity");
}

first_guess guess_from(const option_values& options, std::span<const method* const> methods) {
  const source_text typed = *options.find("guess");
  if (typed.text == "extrapolation") return first_guess::extrapolation;
  if (typed.text != "state" && typed.text != "velocity") {
    throw input_error("unknown-option-value", fmt::format("'{}' is no first guess", typed.text), whole_place(typed),
                      "give state, velocity or extrapolation");
  }
  if (!methods.empty() && std::ranges::none_of(methods, &method::takes_guess)) {
    throw input_error("conflicting-options",
                      fmt::format("method '{}' does not solve its steps by Newton's method from a guess of this kind",
                                  methods.front()->name),
                      whole_place(typed), "leave @guess out, or choose a method such as simpson");
  }
  return typed.text == "state" ? first_guess::state : first_guess::velocity;
}

bool is_intrinsic(const option_values& options) {
  const source_text formulation = *options.find("formulation");
  if (formulation.text == "constrained" || formulation.text == "intrinsic") return formulation.text == "intrinsic";
  throw input_error("unknown-option-value", fmt::format("'{}' is no formulation", formulation.text),
                    whole_place(formulation), "give constrained or intrinsic");
}

template <class S>
integrator_options<S> integrator_options_from(const model& m, const option_values& options) {
  const source_text name = with_newmark_parameters(*options.find("method"), options);
  if (leaves_choice(options)) {
    throw input_error("conflicting-options", "method and step are to be chosen, which only @{run} does",
                      whole_place(name), "take the method and the step that @{run} chooses");
  }
  const method& chosen = method_named(name);
  require_suited(chosen, m.system, whole_place(name));
  const bool velocity_state = has_velocity_state(options);
  const source_text step = required(m, options, "step", "step", "add @step=H, or a line step = H to [run]");
  const S start = start_from<S>(m, options);
  const bool goes_back = options.has("until") && end_from<S>(m, options) < start;
  const bool chooses = steps_are_chosen(options);
  if (chooses && !chosen.chooses_steps) {
    throw input_error("conflicting-options", fmt::format("method '{}' does not choose its steps", chosen.name),
                      whole_place(step), fmt::format("leave @method out, or choose @method={}", choosing_method));
  }
  const S length = chooses ? S((end_from<S>(m, options) - start) / S(1024)) : step_from<S>(m, step);
  const auto accuracy = options.find("accuracy");
  return {.method = chosen.name,
          .step = goes_back && !chooses ? S(-length) : length,
          .start = start,
          .accuracy = !chooses   ? 0
                      : accuracy ? accuracy_from(m, *accuracy)
                                 : usual_chosen_accuracy,
          .velocity_state = velocity_state,
          .allow_unstable = flag_from(options, "allow-unstable"),
          .project = flag_from(options, "project"),
          .guess = guess_from(options, std::array{&chosen}),
          .step_place = whole_place(step)};
}

namespace {

template <class S>
void check_length(const model& m, const option_values& options) {
  if (options.has("steps")) count_from(*options.find("steps"), 0);
  if (options.has("until")) time_from<S>(m, *options.find("until"));
  start_from<S>(m, options);
  if (!options.has("step") || steps_are_chosen(options)) return;
  const S step = step_from<S>(m, *options.find("step"));
  if (options.has("steps") || options.has("until")) steps_from<S>(m, options, step);
  if (leaves_choice(options) || is_intrinsic(options)) return;
  const integrator<S> refuses_what_does_not_suit(m.system, integrator_options_from<S>(m, options));
}

}  // namespace

void check_run(const model& m) {
  const option_values options = merged_options(m, {});
  const precision numbers = precision_from(*options.find("precision"));
  backend_from(*options.find("backend"), numbers, machine_code_is_available());
  count_from(*options.find("every"), 1);
  has_velocity_state(options);
  guess_from(options, {});
  if (const auto accuracy = options.find("accuracy")) accuracy_from(m, *accuracy);
  if (!is_automatic(options)) {
    const source_text name = *options.find("method");
    const method& chosen = method_named(name);
    if (!is_intrinsic(options)) require_suited(chosen, m.system, whole_place(name));
  }
  with_scalar(numbers, [&]<class S>() { check_length<S>(m, options); });
}

#define ACTIO_INSTANTIATE(S)                                                        \
  template S step_from<S>(const model&, const source_text&);                        \
  template S time_from<S>(const model&, const source_text&);                        \
  template S start_from<S>(const model&, const option_values&);                     \
  template S end_from<S>(const model&, const option_values&);                       \
  template std::size_t steps_from<S>(const model&, const option_values&, const S&); \
  template integrator_options<S> integrator_options_from<S>(const model&, const option_values&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
