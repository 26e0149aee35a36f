#include "actio/simulate/ensemble_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "actio/backend/backend.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/affine_symmetries.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/program/program_builder.hpp"
#include "actio/simulate/run_settings.hpp"

namespace actio {

namespace {

constexpr const char* sweep_example = "write NAME=FROM:TO:COUNT or NAME=[A,B,C], as in q1=0:pi:100";
constexpr const char* sample_example = "write NAME=normal(MEAN,DEVIATION) or NAME=uniform(FROM,TO)";

// The part of `typed` from `begin` to `end` without the blanks around it, at its own place.
source_text part_of(const source_text& typed, std::size_t begin, std::size_t end) {
  while (begin < end && typed.text[begin] == ' ') ++begin;
  while (end > begin && typed.text[end - 1] == ' ') --end;
  return {typed.text.substr(begin, end - begin), typed.place_at(begin), typed.role};
}

// Where the parts between separators that stand outside parentheses begin and end.
std::vector<std::pair<std::size_t, std::size_t>> split_places(const std::string& text, std::size_t begin,
                                                              std::size_t end, char separator) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  int depth = 0;
  for (std::size_t at = begin; at <= end; ++at) {
    const char c = at < end ? text[at] : separator;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != separator || (depth > 0 && at < end)) continue;
    places.emplace_back(begin, at);
    begin = at + 1;
  }
  return places;
}

std::vector<source_text> split(const source_text& typed, std::size_t begin, std::size_t end, char separator) {
  std::vector<source_text> parts;
  for (const auto& [first, last] : split_places(typed.text, begin, end, separator)) {
    parts.push_back(part_of(typed, first, last));
  }
  return parts;
}

double number_from(const model& m, const source_text& typed) {
  const double value = quantity_value<double>(m.system, parse_quantity(m, typed));
  if (std::isfinite(value)) return value;
  throw input_error("bad-number", fmt::format("'{}' is {}", typed.text, value), typed.origin, "give a finite number");
}

// The values of "[A,B,C]". Lists may be long: numbers that are written plainly are read at once, and places are found
// for expressions only.
std::vector<double> list_values(const model& m, const source_text& typed, std::size_t begin, std::size_t end) {
  std::vector<double> values;
  for (const auto& [first, last] : split_places(typed.text, begin, end, ',')) {
    const char* const stop = typed.text.data() + last;
    double plain = 0;
    const auto [read, error] = std::from_chars(typed.text.data() + first, stop, plain);
    const bool is_plain = read == stop && error == std::errc() && std::isfinite(plain);
    values.push_back(is_plain ? plain : number_from(m, part_of(typed, first, last)));
  }
  return values;
}

// SplitMix64's output function: a bijection of 64 bits in which every bit of the result depends on every bit.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

// FNV-1a: the same on every machine, which std::hash does not promise.
std::uint64_t key_of(const std::string& name) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

// The `draw`-th number of a variable in trajectory k, in (0, 1): the middle of one of 2^52 equal parts.
double uniform_number(std::uint64_t seed, std::uint64_t k, std::uint64_t key, std::uint64_t draw) {
  const std::uint64_t bits = mixed(mixed(mixed(mixed(seed) ^ k) ^ key) ^ draw);
  return (static_cast<double>(bits >> 12U) + 0.5) * 0x1p-52;
}

double drawn(const random_variable& variable, std::uint64_t seed, std::uint64_t k, std::uint64_t key) {
  const double u = uniform_number(seed, k, key, 0);
  if (variable.kind == distribution::uniform) return std::lerp(variable.first, variable.second, u);
  const double angle = 2 * std::numbers::pi * uniform_number(seed, k, key, 1);
  return variable.first + variable.second * (std::sqrt(-2 * std::log(u)) * std::cos(angle));
}

double value_of(const swept_variable& s, std::size_t i) {
  if (!s.values.empty()) return s.values[i];
  const double fraction = s.count > 1 ? static_cast<double>(i) / static_cast<double>(s.count - 1) : 0;
  return std::lerp(s.from, s.to, fraction);  // which does not overflow, and ends at `to`
}

// Beyond so many deviations there are no samples: −2 log u is at most that of the smallest u.
constexpr double most_deviations = 9;

void require_finite(const swept_variable& s) {
  for (const double value : s.values) {
    if (std::isfinite(value)) continue;
    throw input_error("bad-number", fmt::format("a value of '{}' is {}", s.name, value), s.place,
                      "give finite numbers");
  }
  if (std::isfinite(s.from) && std::isfinite(s.to)) return;
  throw input_error("bad-number", fmt::format("the sweep of '{}' goes from {} to {}", s.name, s.from, s.to), s.place,
                    "give finite numbers");
}

// A sweep beside another, `before`, has as many values.
void require_as_long(const swept_variable& s, const swept_variable* before) {
  if (before != nullptr && before->count == s.count) return;
  throw input_error("bad-count",
                    before == nullptr ? fmt::format("there is no sweep before '&{}'", s.name)
                                      : fmt::format("'{}' has {} values, but '{}' beside it has {}", s.name, s.count,
                                                    before->name, before->count),
                    s.place, "give as many values as the sweep before it has");
}

void require_finite(const random_variable& r) {
  const double reach = r.kind == distribution::normal ? most_deviations * r.second : 0;
  if (std::isfinite(r.first) && std::isfinite(r.second) && std::isfinite(std::abs(r.first) + std::abs(reach))) return;
  const char* kind = r.kind == distribution::normal ? "normal" : "uniform";
  throw input_error("bad-number",
                    fmt::format("samples of '{}' from {}({}, {}) need not be finite", r.name, kind, r.first, r.second),
                    r.place, "give numbers whose samples stay below 1e308");
}

}  // namespace

swept_variable sweep_from(const model& m, const source_text& typed) {
  const std::size_t equals = std::min(typed.text.find('='), typed.text.size());
  source_text name = part_of(typed, 0, equals);
  const bool is_beside = name.text.starts_with('&');
  if (is_beside) name = part_of(name, 1, name.text.size());
  const std::size_t open = typed.text.find('[', equals), close = typed.text.rfind(']');
  if (open < close && close != std::string::npos && part_of(typed, close + 1, typed.text.size()).text.empty()) {
    swept_variable result{
        .name = name.text, .place = name.origin, .values = list_values(m, typed, open + 1, close), .beside = is_beside};
    result.count = result.values.size();
    return result;
  }
  const std::vector<source_text> parts =
      equals == typed.text.size() ? std::vector<source_text>() : split(typed, equals + 1, typed.text.size(), ':');
  if (parts.size() != 3 || name.text.empty()) {
    throw input_error("expression-syntax", fmt::format("'{}' is no sweep", typed.text), typed.place_at(0),
                      sweep_example);
  }
  return {.name = name.text,
          .from = number_from(m, parts[0]),
          .to = number_from(m, parts[1]),
          .count = count_from(parts[2], 1),
          .place = name.origin,
          .beside = is_beside};
}

std::string to_text(const swept_variable& sweep) {
  const std::string name = (sweep.beside ? "&" : "") + sweep.name;
  if (!sweep.values.empty()) return fmt::format("{}=[{}]", name, fmt::join(sweep.values, ","));
  return fmt::format("{}={}:{}:{}", name, sweep.from, sweep.to, sweep.count);
}

random_variable sample_from(const model& m, const source_text& typed) {
  const std::size_t equals = typed.text.find('='), open = typed.text.find('('), close = typed.text.rfind(')');
  const bool has_parts = equals != std::string::npos && open != std::string::npos && close != std::string::npos &&
                         equals < open && open < close && part_of(typed, close + 1, typed.text.size()).text.empty();
  const std::vector<source_text> parts = has_parts ? split(typed, open + 1, close, ',') : std::vector<source_text>();
  const source_text name = part_of(typed, 0, has_parts ? equals : 0);
  if (parts.size() != 2 || name.text.empty()) {
    throw input_error("expression-syntax", fmt::format("'{}' is no sample", typed.text), typed.place_at(0),
                      sample_example);
  }
  const source_text kind = part_of(typed, equals + 1, open);
  if (kind.text != "normal" && kind.text != "uniform") {
    throw input_error("unknown-option-value", fmt::format("'{}' is no distribution", kind.text), kind.origin,
                      suggest(kind.text, {"normal", "uniform"}));
  }
  random_variable result{name.text, kind.text == "normal" ? distribution::normal : distribution::uniform,
                         number_from(m, parts[0]), number_from(m, parts[1]), name.origin};
  if (result.kind == distribution::normal && result.second < 0) {
    throw input_error("bad-number", fmt::format("the deviation of '{}' is {}", name.text, result.second),
                      parts[1].origin, "give a deviation that is not negative");
  }
  return result;
}

ensemble_plan::ensemble_plan(model m, ensemble_variation variation)
    : model_(std::move(m)), variation_(std::move(variation)) {
  refuse_two_point_start(model_, "an ensemble");
  const auto add = [&](const std::string& name, const source_place& place) {
    targets_.push_back(target_of(name, place));
    if (std::ranges::find(names_, name) != names_.end()) {
      throw input_error("duplicate-name", fmt::format("'{}' is varied twice", name), place, "vary it once");
    }
    names_.push_back(name);
    varies_parameters_ = varies_parameters_ || targets_.back().kind == target_kind::parameter;
  };
  const auto grow = [&](std::size_t factor, const source_place& place) {
    if (factor >= 1 && factor <= most_trajectories / size_) {
      size_ *= factor;
      return;
    }
    throw input_error("bad-count",
                      fmt::format("the ensemble would have {:g} trajectories",
                                  static_cast<double>(size_) * static_cast<double>(factor)),
                      place, fmt::format("from 1 to {:g} are possible", static_cast<double>(most_trajectories)));
  };
  const swept_variable* last = nullptr;
  for (const swept_variable& s : variation_.sweeps) {
    require_finite(s);
    add(s.name, s.place);
    if (!s.beside) grow(s.count, s.place);
    else require_as_long(s, last);
    last = &s;
  }
  for (const random_variable& r : variation_.samples) {
    require_finite(r);
    add(r.name, r.place);
    keys_.push_back(key_of(r.name));
  }
  grow(variation_.count, {"@count", 0, 0});
  if (model_.system.is_hamiltonian() && model_.initial.rate == rate_kind::velocity) {
    throw input_error("no-initial-momentum",
                      "an ensemble of a model with a Hamiltonian starts from momenta, but the model gives velocities",
                      {}, "give [initial.momentum] in the place of the velocity");
  }
  if (varies_parameters_) settle_symmetries();
  // Interpreted: the program is short, and runs once a trajectory.
  start_ = compile<double>(start_program(), backend::interpreter);
}

// All trajectories have the same momenta: those that every value of the varied parameters leaves conserved.
void ensemble_plan::settle_symmetries() {
  std::vector<std::size_t> varied;
  for (const target& t : targets_) {
    if (t.kind == target_kind::parameter) varied.push_back(t.index);
  }
  model_.system.found = find_affine_symmetries(model_.system, varied).found;
}

ensemble_plan::target ensemble_plan::target_of(const std::string& name, const source_place& place) const {
  const lagrangian_system& system = model_.system;
  std::vector<std::string> known;
  for (std::size_t k = 0; k < system.parameters.size(); ++k) {
    known.push_back(system.parameters[k].name);
    if (name == known.back()) return {target_kind::parameter, k};
  }
  const bool from_velocity = model_.initial.rate == rate_kind::velocity;
  for (std::size_t i = 0; i < system.size(); ++i) {
    const std::string coordinate = system.coordinates[i].name();
    known.push_back(coordinate);
    if (name == coordinate) return {target_kind::position, i};
    if (system.is_first_order()) continue;
    const std::string momentum = "p_" + coordinate, velocity = coordinate + "'";
    known.push_back(from_velocity ? velocity : momentum);
    if (name == known.back()) return {target_kind::rate, i};
    if (name == momentum || name == velocity) {
      throw input_error("unknown-name",
                        fmt::format("the model starts from {}, so that '{}' has no initial value of its own",
                                    from_velocity ? "velocities" : "momenta", name),
                        place, fmt::format("vary {}", known.back()));
    }
  }
  throw input_error("unknown-name", fmt::format("the model has no coordinate or parameter '{}'", name), place,
                    suggest(name, known));
}

namespace {

// L with those of its long sums written out that have momenta.
expr with_moving_sums(lagrangian_system system) {
  if (!system.sums) return system.lagrangian;
  std::vector<element_family> families = *system.sums;
  for (element_family& family : families) {
    if (!depends_on_any(family.body, family.velocities)) family.body = expr(0);
  }
  system.sums = std::make_shared<const std::vector<element_family>>(std::move(families));
  write_out_sums(system);
  return system.lagrangian;
}

}  // namespace

program ensemble_plan::start_program() const {
  using value = program_builder::value;
  const lagrangian_system& system = model_.system;
  program_builder build(0, std::max<std::size_t>(1, names_.size()));
  expr_map<value> symbols;
  const auto value_of = [&](target_kind kind, std::size_t index, const expr& otherwise) {
    for (std::size_t v = 0; v < targets_.size(); ++v) {
      if (targets_[v].kind == kind && targets_[v].index == index) return build.variable(v);
    }
    return build.evaluate(std::span(&otherwise, 1), symbols).front();
  };
  std::vector<value> outputs;
  const std::vector<expr> parameters = system.parameter_symbols();
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    outputs.push_back(value_of(target_kind::parameter, k, system.parameters[k].value));
    symbols.emplace(parameters[k], outputs.back());
  }
  std::vector<value> position, rates, velocity;
  for (std::size_t i = 0; i < system.size(); ++i) {
    position.push_back(value_of(target_kind::position, i, model_.initial.position[i].value));
  }
  for (std::size_t i = 0; i < model_.initial.rates.size(); ++i) {
    rates.push_back(value_of(target_kind::rate, i, model_.initial.rates[i].value));
  }
  if (!system.is_first_order() && model_.initial.rate == rate_kind::velocity) {
    const std::vector<expr> v = system.velocities();
    for (std::size_t i = 0; i < system.size(); ++i) {
      symbols.emplace(system.coordinates[i], position[i]);
      symbols.emplace(v[i], rates[i]);
    }
    symbols.emplace(time_symbol(), build.number(0));
    if (has_velocities()) velocity = rates;
    rates = build.evaluate(gradient(with_moving_sums(system), v), symbols);
  }
  for (const std::vector<value>* part : {&position, &rates, &velocity}) {
    outputs.insert(outputs.end(), part->begin(), part->end());
  }
  return build.finish(outputs);
}

bool ensemble_plan::has_velocities() const {
  return (model_.system.is_constrained() || !model_.system.is_quadratic_in_velocities()) &&
         model_.initial.rate == rate_kind::velocity;
}

void ensemble_plan::values(std::size_t k, std::span<double> result) const {
  std::size_t point = k / variation_.count, at = variation_.sweeps.size();
  while (at-- > 0) {
    const swept_variable& s = variation_.sweeps[at];
    const std::size_t i = point % s.count;
    if (!s.beside) point /= s.count;  // those beside a sweep come before it here, with the same place
    result[at] = value_of(s, i);
  }
  for (std::size_t r = 0; r < variation_.samples.size(); ++r) {
    result[variation_.sweeps.size() + r] = drawn(variation_.samples[r], variation_.seed, k, keys_[r]);
  }
}

start_maker::start_maker(const ensemble_plan& plan)
    : plan_(plan),
      evaluation_(plan.start_->evaluate_at(1)),
      in_(plan.start_->inputs() * evaluation_->stride(), 0.0),
      out_(plan.start_->outputs() * evaluation_->stride(), 0.0) {
  ACTIO_ASSERT(evaluation_->stride() == 1);
  evaluation_->set_parameters({});
}

void start_maker::make(std::size_t k, trajectory_start& start) {
  start.values.resize(plan_.names().size());
  plan_.values(k, start.values);
  std::ranges::copy(start.values, in_.begin());
  (*evaluation_)(in_.data(), out_.data());
  const std::size_t parameters = plan_.base().system.parameters.size(), n = plan_.base().system.size();
  const auto part = [&](std::size_t first, std::size_t count) {
    return std::span<const double>(out_).subspan(first, count);
  };
  const auto assign = [](std::vector<double>& to, std::span<const double> from) {
    to.assign(from.begin(), from.end());
  };
  assign(start.parameters, part(0, parameters));
  assign(start.position, part(parameters, n));
  const std::size_t momenta = plan_.base().system.is_first_order() ? 0 : n, last = parameters + n + momenta;
  assign(start.momentum, part(parameters + n, momenta));
  assign(start.velocity, part(last, out_.size() - last));
}

}  // namespace actio
