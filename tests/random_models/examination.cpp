#include "tests/random_models/examination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/cli/program.hpp"

namespace actio::random_models {

namespace {

using nlohmann::json;

// Below this, errors may be roundings that a motion has amplified.
constexpr real rounding = 1e-9L;
// What is said may be wrong by this factor: estimates are estimates.
constexpr real leniency = 10;

double shown(real x) { return static_cast<double>(x); }

std::vector<real> values_of(const json& table, std::size_t coordinates) {
  std::vector<real> result;
  for (std::size_t k = 0; k < coordinates; ++k) {
    const json& value = table.at(fmt::format("q{}", k + 1));
    result.push_back(value.is_number() ? value.get<double>() : std::nanl(""));
  }
  return result;
}

struct claimed_state {
  std::vector<real> position, momentum;
};

bool has_numbers_only(const json& value) {
  if (value.is_structured()) return std::ranges::all_of(value, has_numbers_only);
  return !value.is_null();  // what nlohmann makes of NaN
}

// Without a verdict the energy has one, in words that people see.
bool is_trusted(const json& said) {
  if (said.contains("trust")) return said["trust"].at("verdict") == "trusted";
  return said.at("energy").at("max_relative_error") < 0.1 && said["energy"]["drift"]["grows"] == false;
}

std::optional<std::string> untrue_energy(const random_model& m, const json& said, const claimed_state& end,
                                         const reference& truth) {
  const real time = m.step * static_cast<real>(m.steps);
  const measured start = m.from_momentum ? at_momentum(m, m.position, m.rate, 0, std::vector<real>(m.coordinates, 0))
                                         : at_velocity(m, m.position, m.rate, 0);
  const measured final = at_momentum(m, end.position, end.momentum, time, truth.velocity);
  const real initial_said = said.at("initial").get<double>(), final_said = said.at("final").get<double>();
  const real scale = 1 + std::max(start.energy_scale, final.energy_scale);
  if (std::fabs(initial_said - start.energy) > rounding * scale) {
    return fmt::format("initial energy {:.12g} said, {:.12g} true", shown(initial_said), shown(start.energy));
  }
  if (final.good && std::fabs(final_said - final.energy) > rounding * scale) {
    return fmt::format("final energy {:.12g} said, {:.12g} of the printed state", shown(final_said),
                       shown(final.energy));
  }
  const real error_said = said.at("max_relative_error").get<double>();
  const real change = std::fabs(final.energy - start.energy), size = std::fabs(start.energy);
  if (m.conservative && final.good && size > scale / 100 && change > rounding * scale &&
      change > leniency * error_said * size) {
    return fmt::format("energy error {:.3g} said, {:.3g} true", shown(error_said), shown(change / size));
  }
  return std::nullopt;
}

real largest_difference(const std::vector<real>& a, const std::vector<real>& b) {
  real result = 0;
  for (std::size_t k = 0; k < a.size(); ++k) result = std::max(result, std::fabs(a[k] - b[k]));
  return result;
}

examination judged(const random_model& m, const json& said, const reference& truth) {
  examination result;
  const claimed_state end{values_of(said.at("position"), m.coordinates), values_of(said.at("momentum"), m.coordinates)};
  if (!has_numbers_only(said)) return {verdict::wrong, "something that is not a number is printed as a result", {}};
  if (!truth.arrives && truth.time < m.step * static_cast<real>(m.steps)) {
    // Where both integrations end alike, the motion ends; otherwise it is the reference that is at a loss.
    if (truth.uncertainty < 1e-3L || std::ranges::any_of(truth.position, [](real q) { return std::fabs(q) > 1e5L; })) {
      return {verdict::wrong, fmt::format("done, but the motion ends at t = {:.6g}", shown(truth.time)), {}};
    }
    return {verdict::undecided, fmt::format("no reference beyond t = {:.6g}", shown(truth.time)), {}};
  }
  if (const auto untrue = untrue_energy(m, said.at("energy"), end, truth)) return {verdict::wrong, *untrue, {}};

  const real off = largest_difference(end.position, truth.position),
             momentum_off = largest_difference(end.momentum, truth.momentum), error = std::max(off, momentum_off);
  const real size = 1 + std::max(truth.largest_position, truth.largest_momentum);
  if (truth.uncertainty > 1e-8L * size) {
    return {
        verdict::undecided, fmt::format("the reference itself is uncertain by {:.2g}", shown(truth.uncertainty)), {}};
  }
  const bool estimated = said.contains("motion") && said["motion"].contains("estimated_error") &&
                         said["motion"]["estimated_error"].is_number();
  if (estimated) {
    const real claim = said["motion"]["estimated_error"].get<double>();
    const bool untrue = error > leniency * claim + rounding * size + 10 * truth.uncertainty;
    return {untrue ? verdict::wrong : verdict::agrees,
            fmt::format("error {:.3g} said, {:.3g} true at the end", shown(claim), shown(error)),
            {}};
  }
  const bool another = off > 0.3L * (1 + truth.largest_position) || momentum_off > 0.3L * (1 + truth.largest_momentum);
  return {another ? verdict::far_off : verdict::agrees,
          fmt::format("no error said, {:.3g} true at the end", shown(error)),
          {}};
}

}  // namespace

const char* name_of(verdict v) {
  switch (v) {
    case verdict::agrees: return "agrees";
    case verdict::doubtful: return "doubtful";
    case verdict::failed: return "failed";
    case verdict::refused: return "refused";
    case verdict::undecided: return "undecided";
    case verdict::far_off: return "far off";
    case verdict::wrong: return "wrong";
  }
  return "";
}

examination examine(const random_model& m, const std::string& path) {
  std::ofstream(path) << m.text;
  const testing::outcome run = testing::actio_program({"run", path, "--json", "--quiet", "--backend", m.backend});
  examination result;
  result.printed = run.out + run.err;
  if (run.status == 2) {
    result.outcome = verdict::refused;
    result.reason = run.err;
    return result;
  }
  const json said = json::parse(run.out, nullptr, false);
  if (run.status > 2 || said.is_discarded()) {
    result.outcome = verdict::wrong;
    result.reason = fmt::format("exit status {}", run.status);
    return result;
  }
  if (said.at("status") != "done") {
    result.outcome = verdict::failed;
    result.reason = run.err;
    return result;
  }
  if (!is_trusted(said)) {
    result.outcome = verdict::doubtful;
    return result;
  }
  const reference truth = reference_motion(m);
  if (!truth.starts) {
    result.outcome = verdict::wrong;
    result.reason = "done, but the initial state is none";
    return result;
  }
  const examination judgement = judged(m, said, truth);
  result.outcome = judgement.outcome;
  result.reason = judgement.reason;
  return result;
}

}  // namespace actio::random_models
