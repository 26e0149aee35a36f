// actio exact: the exact motion of a model at given times, with all digits of the precision.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/model_argument.hpp"
#include "problems/problem.hpp"

namespace actio::cli {

namespace {

using json = nlohmann::ordered_json;

// Computed with so many digits more than are printed that every digit printed is right, unless the motion itself makes
// more of a rounding error than this.
constexpr unsigned guard_digits = 20;

template <class S>
S rounded(const multi& value) {
  if constexpr (std::same_as<S, double>) {
    return to_double(value);
  } else if constexpr (std::same_as<S, quad>) {
    return from_digits<quad>(to_digits(value));
  } else {
    multi result(0);
    mpfr_set(result.backend().data(), value.backend().data(), MPFR_RNDN);
    return result;
  }
}

template <class S>
std::vector<S> rounded(const std::vector<multi>& values) {
  std::vector<S> result;
  for (const multi& value : values) result.push_back(rounded<S>(value));
  return result;
}

template <class S>
struct exact_sample {
  S time;
  exact_point<S> point;
};

template <class S>
struct exact_table {
  std::vector<exact_sample<S>> samples;
  std::optional<S> period = {};
  std::string repeats = {};
};

exact_answer<multi> known_answer(const command_input& input, const model& m) {
  exact_answer<multi> answer = exact_answer_of<multi>(input.arguments.front().text, m);
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

bool is_finite(const exact_point<multi>& point) {
  const auto finite = [](const multi& x) { return actio::is_finite(x); };
  return std::ranges::all_of(point.position, finite) && std::ranges::all_of(point.momentum, finite);
}

exact_sample<multi> sample_at(const model& m, const exact_motion<multi>& motion, const source_text& typed) {
  const multi time = quantity_value<multi>(m.system, parse_quantity(m, typed));
  if (actio::is_finite(time)) {
    exact_sample<multi> sample{time, motion(time)};
    if (is_finite(sample.point)) return sample;
  }
  throw input_error("bad-number", fmt::format("the motion has no finite value at the time '{}'", typed.text),
                    typed.origin, "give times such as 0.5,1,2*pi");
}

exact_table<multi> wide_table(const command_input& input, const model& m) {
  const std::vector<source_text> times = requested_times(input);
  const exact_answer<multi> answer = known_answer(input, m);
  exact_table<multi> table{.samples = {}, .period = answer.period, .repeats = answer.repeats};
  for (const source_text& typed : times) table.samples.push_back(sample_at(m, answer.motion, typed));
  return table;
}

template <class S>
exact_table<S> rounded(const exact_table<multi>& wide) {
  exact_table<S> table{.samples = {}, .repeats = wide.repeats};
  if (wide.period) table.period = rounded<S>(*wide.period);
  for (const exact_sample<multi>& sample : wide.samples) {
    table.samples.push_back(
        {rounded<S>(sample.time), {rounded<S>(sample.point.position), rounded<S>(sample.point.momentum)}});
  }
  return table;
}

template <class S>
std::string to_text(const model& m, const exact_table<S>& table) {
  std::size_t width = 0;
  for (const std::string& name : m.system.coordinate_names()) width = std::max(width, name.size() + 2);
  std::string text;
  for (const exact_sample<S>& sample : table.samples) {
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
  return table.period ? text + fmt::format("period = {} ({})\n", to_digits(*table.period), table.repeats) : text;
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
std::string to_json(const model& m, const exact_table<S>& table) {
  json states = json::array();
  for (const exact_sample<S>& sample : table.samples) {
    states.push_back({{"time", number(sample.time)},
                      {"position", by_name(m, sample.point.position)},
                      {"momentum", by_name(m, sample.point.momentum)}});
  }
  json object = {{"model", m.system.name}, {"states", states}, {"period", nullptr}};
  if (table.period) object["period"] = {{"value", number(*table.period)}, {"of", table.repeats}};
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

int exact_command(const command_input& input) {
  const model m = requested_model(input);
  const precision asked = precision_from(*merged_options(m, input.options).find("precision"));
  const exact_table<multi> wide = [&] {
    precision_scope scope(asked.digits + guard_digits);
    return wide_table(input, m);
  }();
  fmt::print("{}", with_scalar(asked, [&]<class S>() {
               const exact_table<S> table = rounded<S>(wide);
               return input.has_flag("json") ? to_json(m, table) : to_text(m, table);
             }));
  return exit_done;
}

}  // namespace actio::cli
