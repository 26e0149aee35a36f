#include "actio/api/exact_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "actio/analysis/modal_motion.hpp"
#include "actio/base/interruption.hpp"
#include "actio/simulate/run_settings.hpp"

namespace actio {

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

template <class S>
exact_answer<S> known_answer(const exact_solution& exact, const model& m) {
  exact_answer<S> answer =
      exact ? exact.answer<S>(m)
            : exact_answer<S>{.motion = modal_motion_of<S>(m), .obstacle = "it is known for linear systems"};
  if (answer.motion) return answer;
  throw input_error("no-exact-motion", fmt::format("the exact motion of '{}' is not known", m.system.name),
                    {m.file, 0, 0}, answer.obstacle);
}

std::vector<source_text> requested_times(const option_values& given) {
  std::vector<source_text> times;
  if (const auto typed = given.find("times")) times = list_from(*typed);
  if (!times.empty()) return times;
  throw input_error("missing-argument", "the option @'times' is missing or empty", {"@exact", 0, 0},
                    "add @times=0.5,1,2*pi");
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
exact_table<S> table_of(const exact_states_options& options, const model& m) {
  const std::vector<source_text> times = requested_times(options.given);
  const exact_answer<S> answer = known_answer<S>(options.exact, m);
  exact_table<S> table{.samples = {}, .period = answer.period, .repeats = answer.repeats};
  for (const source_text& typed : times) {
    pass_interruption_point();
    table.samples.push_back(sample_at<S>(m, answer.motion, typed));
  }
  return table;
}

template <class S>
std::vector<S*> values_in(exact_table<S>& table) {
  std::vector<S*> values;
  for (exact_sample<S>& sample : table.samples) {
    values.push_back(&sample.time);
    for (S& q : sample.point.position) values.push_back(&q);
    for (S& p : sample.point.momentum) values.push_back(&p);
  }
  if (table.period) values.push_back(&*table.period);
  return values;
}

// Whether fewer digits gave the same number, to two digits more than are printed.
bool is_settled(const multi& before, const multi& now, const precision& asked) {
  return abs(multi(now - before)) <= pow(multi(10), -static_cast<int>(asked.digits) - 2) * abs(now);
}

// With fewer digits: of MPFR, and without it of quad.
using rough_real = std::conditional_t<has_mpfr, multi, quad>;

// Computed twice, with more digits the second time: what is printed must not depend on them. Zero cannot be told from a
// number that is too small for the digits; what is below half of them is taken to be zero. Throws bad-number. The
// precision stays in `scope` for printing.
exact_table<multi> settled_table(const exact_states_options& options, const model& m, const precision& asked,
                                 std::optional<precision_scope>& scope) {
  const unsigned rough_digits = has_mpfr ? asked.digits + guard_digits : precision::of_quad().digits;
  scope.emplace(rough_digits);
  exact_table<rough_real> rough = table_of<rough_real>(options, m);
  scope.emplace(asked.digits + 2 * guard_digits);
  exact_table<multi> table = table_of<multi>(options, m);
  const std::vector<rough_real*> before = values_in(rough);
  const std::vector<multi*> values = values_in(table);
  const multi tiny = sqrt(epsilon<multi>());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (abs(*values[k]) < tiny) *values[k] = 0;
    else if (before.size() != values.size() || !is_settled(multi(*before[k]), *values[k], asked)) {
      throw input_error("bad-number", fmt::format("{} digits do not suffice to compute the motion", rough_digits),
                        {"@times", 0, 0},
                        "give earlier times, or a start that is not so near to another kind of motion");
    }
  }
  return table;
}

exact_number rounded(const multi& value, const precision& asked) { return {to_double(value), digits_of(value, asked)}; }

std::vector<exact_number> rounded(const std::vector<multi>& values, const precision& asked) {
  std::vector<exact_number> result;
  for (const multi& value : values) result.push_back(rounded(value, asked));
  return result;
}

std::string to_text(const model& m, const exact_states_result& result) {
  std::size_t width = 0;
  for (const std::string& name : m.system.coordinate_names()) width = std::max(width, name.size() + 2);
  std::string text;
  const auto add = [&](const std::string& name, const exact_number& value) {
    text += fmt::format("  {:<{}} = {}\n", name, width, value.digits);
  };
  for (const exact_state& state : result.states) {
    text += fmt::format("t = {}\n", state.time.digits);
    for (std::size_t i = 0; i < m.system.size(); ++i) add(m.system.coordinates[i].name(), state.position[i]);
    for (std::size_t i = 0; i < m.system.size(); ++i) add("p_" + m.system.coordinates[i].name(), state.momentum[i]);
  }
  return result.period ? text + fmt::format("period = {} ({})\n", result.period->digits, result.repeats) : text;
}

json number(const exact_number& value, const precision& asked) {
  if (asked.type == precision::kind::in_double) return value.value;
  return value.digits;
}

json by_name(const model& m, const std::vector<exact_number>& values, const precision& asked) {
  json object = json::object();
  for (std::size_t i = 0; i < values.size(); ++i) object[m.system.coordinates[i].name()] = number(values[i], asked);
  return object;
}

std::string to_json(const model& m, const exact_states_result& result, const precision& asked) {
  json states = json::array();
  for (const exact_state& state : result.states) {
    states.push_back({{"time", number(state.time, asked)},
                      {"position", by_name(m, state.position, asked)},
                      {"momentum", by_name(m, state.momentum, asked)}});
  }
  json object = {{"model", m.system.name}, {"states", states}, {"period", nullptr}};
  if (result.period) object["period"] = {{"value", number(*result.period, asked)}, {"of", result.repeats}};
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

exact_states_result exact_states(const model& m, const exact_states_options& options) {
  const precision asked = precision_from(*merged_options(m, options.given).find("precision"));
  if (!has_mpfr && asked.type != precision::kind::in_double) {
    throw input_error("bad-precision", "this build has no MPFR: it knows exact motions in double only",
                      {"@precision", 0, 0}, "leave @precision out, or build actio with MPFR");
  }
  std::optional<precision_scope> scope;
  const exact_table<multi> table = settled_table(options, m, asked, scope);
  exact_states_result result{.states = {}, .repeats = table.repeats, .text = {}, .json = {}};
  for (const exact_sample<multi>& sample : table.samples) {
    result.states.push_back(
        {rounded(sample.time, asked), rounded(sample.point.position, asked), rounded(sample.point.momentum, asked)});
  }
  if (table.period) result.period = rounded(*table.period, asked);
  result.text = to_text(m, result);
  result.json = to_json(m, result, asked);
  return result;
}

}  // namespace actio
