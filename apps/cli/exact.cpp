// actio exact: the exact motion of a model at given times, with all digits of the precision.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "actio/simulate/run_settings.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/model_argument.hpp"
#include "problems/problem.hpp"

namespace actio::cli {

namespace {

using json = nlohmann::ordered_json;

// Digits beyond those printed. Near a separatrix, at late times or near a zero the motion makes much of a rounding
// error; and what starts within rounding of another kind of motion is only seen with the digits that tell them apart.
constexpr unsigned guard_digits = 640;

// As many decimal digits as asked for, rounded once; of double and quad what reads as the nearest such number.
std::string digits_of(const multi& value, const precision& asked) {
  switch (asked.type) {
    case precision::kind::in_double: return to_digits(to_double(value));
    case precision::kind::in_quad: return to_digits(from_digits<quad>(to_digits(value)));
    case precision::kind::in_digits: break;
  }
  return to_brief(value, static_cast<int>(asked.digits));
}

struct exact_sample {
  multi time;
  exact_point<multi> point;
};

struct exact_table {
  std::vector<exact_sample> samples;
  std::optional<multi> period = {};
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

exact_sample sample_at(const model& m, const exact_motion<multi>& motion, const source_text& typed) {
  const multi time = quantity_value<multi>(m.system, parse_quantity(m, typed));
  if (actio::is_finite(time)) {
    exact_sample sample{time, motion(time)};
    if (is_finite(sample.point)) return sample;
  }
  throw input_error("bad-number", fmt::format("the motion has no finite value at the time '{}'", typed.text),
                    typed.origin, "give times such as 0.5,1,2*pi");
}

exact_table table_of(const command_input& input, const model& m) {
  const std::vector<source_text> times = requested_times(input);
  const exact_answer<multi> answer = known_answer(input, m);
  exact_table table{.samples = {}, .period = answer.period, .repeats = answer.repeats};
  for (const source_text& typed : times) table.samples.push_back(sample_at(m, answer.motion, typed));
  return table;
}

std::vector<multi*> values_in(exact_table& table) {
  std::vector<multi*> values;
  for (exact_sample& sample : table.samples) {
    values.push_back(&sample.time);
    for (multi& q : sample.point.position) values.push_back(&q);
    for (multi& p : sample.point.momentum) values.push_back(&p);
  }
  if (table.period) values.push_back(&*table.period);
  return values;
}

// Whether fewer digits gave the same number, to two digits more than are printed.
bool is_settled(const multi& before, const multi& now, const precision& asked) {
  return abs(multi(now - before)) <= pow(multi(10), -static_cast<int>(asked.digits) - 2) * abs(now);
}

// Computed twice, with more digits the second time: what is printed must not depend on them. Zero cannot be told from a
// number that is too small for the digits; what is below half of them is taken to be zero. Throws bad-number. The
// precision stays in `scope` for printing.
exact_table settled_table(const command_input& input, const model& m, const precision& asked,
                          std::optional<precision_scope>& scope) {
  scope.emplace(asked.digits + guard_digits);
  exact_table rough = table_of(input, m);
  scope.emplace(asked.digits + 2 * guard_digits);
  exact_table table = table_of(input, m);
  const std::vector<multi*> before = values_in(rough), values = values_in(table);
  const multi tiny = sqrt(epsilon<multi>());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (abs(*values[k]) < tiny) *values[k] = 0;
    else if (before.size() != values.size() || !is_settled(*before[k], *values[k], asked)) {
      throw input_error(
          "bad-number", fmt::format("{} digits do not suffice to compute the motion", asked.digits + guard_digits),
          {"--times", 0, 0}, "give earlier times, or a start that is not so near to another kind of motion");
    }
  }
  return table;
}

std::string to_text(const model& m, const exact_table& table, const precision& asked) {
  std::size_t width = 0;
  for (const std::string& name : m.system.coordinate_names()) width = std::max(width, name.size() + 2);
  std::string text;
  const auto add = [&](const std::string& name, const multi& value) {
    text += fmt::format("  {:<{}} = {}\n", name, width, digits_of(value, asked));
  };
  for (const exact_sample& sample : table.samples) {
    text += fmt::format("t = {}\n", digits_of(sample.time, asked));
    for (std::size_t i = 0; i < m.system.size(); ++i) add(m.system.coordinates[i].name(), sample.point.position[i]);
    for (std::size_t i = 0; i < m.system.size(); ++i) {
      add("p_" + m.system.coordinates[i].name(), sample.point.momentum[i]);
    }
  }
  return table.period ? text + fmt::format("period = {} ({})\n", digits_of(*table.period, asked), table.repeats) : text;
}

json number(const multi& value, const precision& asked) {
  if (asked.type == precision::kind::in_double) return to_double(value);
  return digits_of(value, asked);
}

json by_name(const model& m, const std::vector<multi>& values, const precision& asked) {
  json object = json::object();
  for (std::size_t i = 0; i < values.size(); ++i) object[m.system.coordinates[i].name()] = number(values[i], asked);
  return object;
}

std::string to_json(const model& m, const exact_table& table, const precision& asked) {
  json states = json::array();
  for (const exact_sample& sample : table.samples) {
    states.push_back({{"time", number(sample.time, asked)},
                      {"position", by_name(m, sample.point.position, asked)},
                      {"momentum", by_name(m, sample.point.momentum, asked)}});
  }
  json object = {{"model", m.system.name}, {"states", states}, {"period", nullptr}};
  if (table.period) object["period"] = {{"value", number(*table.period, asked)}, {"of", table.repeats}};
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

int exact_command(const command_input& input) {
  const model m = requested_model(input);
  const precision asked = precision_from(*merged_options(m, input.options).find("precision"));
  std::optional<precision_scope> scope;
  const exact_table table = settled_table(input, m, asked, scope);
  print_text(input.has_flag("json") ? to_json(m, table, asked) : to_text(m, table, asked));
  return exit_done;
}

}  // namespace actio::cli
