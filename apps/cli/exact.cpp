// actio exact: the exact motion of a model at given times, with all digits of the precision.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/model_argument.hpp"
#include "problems/problem.hpp"

namespace actio::cli {

namespace {

using json = nlohmann::ordered_json;

template <class S>
struct exact_sample {
  S time;
  exact_point<S> point;
};

template <class S>
exact_answer<S> known_answer(const command_input& input, const model& m) {
  exact_answer<S> answer = exact_answer_of<S>(input.arguments.front().text, m);
  if (answer.motion) return answer;
  throw input_error("no-exact-motion", fmt::format("the exact motion of '{}' is not known", m.system.name),
                    {m.file, 0, 0}, answer.obstacle);
}

std::vector<source_text> requested_times(const command_input& input) {
  std::vector<source_text> times;
  if (const auto typed = input.options.find("times")) times = list_from(*typed);
  if (!times.empty()) return times;
  throw input_error("missing-argument", "the option '--times' is missing or empty", {"actio exact", 0, 0},
                    "add --times 0.5,1,2*pi");
}

template <class S>
bool is_finite(const exact_point<S>& point) {
  const auto finite = [](const S& x) { return actio::is_finite(x); };
  return std::ranges::all_of(point.position, finite) && std::ranges::all_of(point.momentum, finite);
}

template <class S>
exact_sample<S> sample_at(const model& m, const exact_motion<S>& motion, const source_text& typed) {
  const S time = quantity_value<S>(m.system, parse_quantity(m, typed));
  if (actio::is_finite(time)) {
    exact_sample<S> sample{time, motion(time)};
    if (is_finite(sample.point)) return sample;
  }
  throw input_error("bad-number", fmt::format("the motion has no finite value at the time '{}'", typed.text),
                    typed.origin, "give times such as 0.5,1,2*pi");
}

template <class S>
std::string to_text(const model& m, const exact_answer<S>& answer, const std::vector<exact_sample<S>>& samples) {
  std::size_t width = 0;
  for (const std::string& name : m.system.coordinate_names()) width = std::max(width, name.size() + 2);
  std::string text;
  for (const exact_sample<S>& sample : samples) {
    text += fmt::format("t = {}\n", to_digits(sample.time));
    for (std::size_t i = 0; i < m.system.size(); ++i) {
      text +=
          fmt::format("  {:<{}} = {}\n", m.system.coordinates[i].name(), width, to_digits(sample.point.position[i]));
    }
    for (std::size_t i = 0; i < m.system.size(); ++i) {
      text += fmt::format("  {:<{}} = {}\n", "p_" + m.system.coordinates[i].name(), width,
                          to_digits(sample.point.momentum[i]));
    }
  }
  if (answer.period) text += fmt::format("period = {} ({})\n", to_digits(*answer.period), answer.repeats);
  return text;
}

template <class S>
json number(const S& value) {
  if constexpr (std::same_as<S, double>) return value;
  else return to_digits(value);
}

template <class S>
json by_name(const model& m, const std::vector<S>& values) {
  json object = json::object();
  for (std::size_t i = 0; i < values.size(); ++i) object[m.system.coordinates[i].name()] = number(values[i]);
  return object;
}

template <class S>
std::string to_json(const model& m, const exact_answer<S>& answer, const std::vector<exact_sample<S>>& samples) {
  json states = json::array();
  for (const exact_sample<S>& sample : samples) {
    states.push_back({{"time", number(sample.time)},
                      {"position", by_name(m, sample.point.position)},
                      {"momentum", by_name(m, sample.point.momentum)}});
  }
  json object = {{"model", m.system.name}, {"states", states}, {"period", nullptr}};
  if (answer.period) object["period"] = {{"value", number(*answer.period)}, {"of", answer.repeats}};
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

template <class S>
std::string exact_text(const command_input& input, const model& m) {
  const std::vector<source_text> times = requested_times(input);
  const exact_answer<S> answer = known_answer<S>(input, m);
  std::vector<exact_sample<S>> samples;
  for (const source_text& typed : times) samples.push_back(sample_at<S>(m, answer.motion, typed));
  return input.has_flag("json") ? to_json(m, answer, samples) : to_text(m, answer, samples);
}

}  // namespace

int exact_command(const command_input& input) {
  const model m = requested_model(input);
  const option_values options = merged_options(m, input.options);
  fmt::print("{}", with_scalar(precision_from(*options.find("precision")),
                               [&]<class S>() { return exact_text<S>(input, m); }));
  return exit_done;
}

}  // namespace actio::cli
