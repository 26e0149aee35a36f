#include "actio/simulate/time_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_set>

#include "actio/backend/compiled_function.hpp"
#include "actio/base/interruption.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/switching.hpp"
#include "actio/program/program.hpp"

namespace actio {

namespace {

constexpr std::size_t points = 131'071;
constexpr double golden = 0.618'033'988'749'894'9;
constexpr std::size_t zoom = 512;  // points that are looked at around the fastest change
constexpr int most_zooms = 4;

// The largest parts of the expressions that contain t and nothing else that varies.
std::vector<expr> functions_of_time(const lagrangian_system& system) {
  const std::vector<expr> roots = system.laws();
  std::unordered_set<expr> moving(system.coordinates.begin(), system.coordinates.end());
  for (const expr& v : system.velocities()) moving.insert(v);
  for (const expr& p : system.momenta()) moving.insert(p);
  enum class kind : char { constant, timed, moving };
  expr_map<kind> kinds;
  std::vector<expr> found;
  std::unordered_set<expr> taken;
  const auto take = [&](const expr& e) {
    if (e.op() != operation::symbol && taken.insert(e).second) found.push_back(e);
  };
  for (const expr& node : topological_order(roots)) {
    kind k = node == time_symbol() ? kind::timed : moving.contains(node) ? kind::moving : kind::constant;
    for (const expr& operand : node.operands()) k = std::max(k, kinds.at(operand));
    kinds.emplace(node, k);
    if (k != kind::moving) continue;
    for (const expr& operand : node.operands()) {
      if (kinds.at(operand) == kind::timed) take(operand);
    }
  }
  for (const expr& root : roots) {
    if (kinds.at(root) == kind::timed) take(root);
  }
  return found;
}

// Values of all functions at times that are spaced nearly equally, one row a function. Nearly: a drive of any frequency
// would look constant at times that it is in step with.
class time_table {
 public:
  time_table(const lagrangian_system& system, const std::vector<double>& parameters, const std::vector<expr>& functions)
      : functions_(functions.size()) {
    const std::vector<expr> variables{time_symbol()};
    function_ = compile<double>(lower(functions, system.parameter_symbols(), variables));
    evaluation_ = function_->evaluate_at(1);
    evaluation_->set_parameters(parameters);
    in_.assign(function_->inputs() * evaluation_->stride(), 0.0);
    out_.assign(function_->outputs() * evaluation_->stride(), 0.0);
  }

  std::vector<std::vector<double>> at(double from, double to, std::size_t count) {
    std::vector<std::vector<double>> rows(functions_, std::vector<double>(count));
    for (std::size_t k = 0; k < count; ++k) {
      const double place = static_cast<double>(k) * golden, shift = k + 1 < count ? place - std::floor(place) : 0;
      in_[0] = from + (to - from) * ((static_cast<double>(k) + 0.9 * shift) / static_cast<double>(count - 1));
      (*evaluation_)(in_.data(), out_.data());
      for (std::size_t f = 0; f < functions_; ++f) rows[f][k] = out_[f * evaluation_->stride()];
    }
    return rows;
  }

 private:
  std::size_t functions_;
  std::shared_ptr<const compiled_function<double>> function_;
  std::unique_ptr<evaluation<double>> evaluation_;
  std::vector<double> in_, out_;
};

double range_of(const std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const double x : values) {
    if (!std::isfinite(x)) continue;
    least = std::min(least, x);
    most = std::max(most, x);
  }
  return most > least ? most - least : 0;
}

// The fewest intervals between two values that differ by `change`, and where the first of them starts.
struct fastest_change {
  std::size_t intervals = 0, at = 0;
};

fastest_change fastest(std::span<const double> values, double change) {
  for (std::size_t apart = 1; apart < values.size(); apart = apart < 16 ? apart + 1 : apart + apart / 8) {
    for (std::size_t k = 0; k + apart < values.size(); ++k) {
      if (std::abs(values[k + apart] - values[k]) >= change) return {apart, k};
    }
  }
  return {values.size(), 0};
}

// Values of t alone whose zeros are kinks or jumps.
std::vector<expr> switching_in_time(const lagrangian_system& system) {
  std::vector<expr> moving = system.coordinates;
  for (const expr& v : system.velocities()) moving.push_back(v);
  std::vector<expr> found;
  for (const switching_value& s : switching_values(system)) {
    if (!depends_on_any(s.value, moving)) found.push_back(s.value);
  }
  return found;
}

// Points between two changes of sign of any of these values.
struct piece {
  std::size_t begin = 0, size = 0;
};

std::vector<piece> pieces_between(std::span<const std::vector<double>> switching) {
  std::vector<piece> pieces{{0, 1}};
  for (std::size_t k = 1; k < points; ++k) {
    const bool is_split = std::ranges::any_of(
        switching, [k](const std::vector<double>& s) { return (s[k - 1] > 0) != (s[k] > 0) || s[k] == 0; });
    if (is_split) pieces.push_back({k, 0});
    ++pieces.back().size;
  }
  return pieces;
}

struct time_window {
  double from, to, spacing;
};

// The shortest change of function f by half its range, looked at more closely as long as it is as short as the spacing.
double zoomed(time_table& table, std::size_t f, double range, fastest_change seen, const time_window& within) {
  double from = within.from, spacing = within.spacing;
  for (int k = 0; k < most_zooms && seen.intervals <= 2; ++k) {
    const double begin = std::max(within.from, from + spacing * (static_cast<double>(seen.at) - 2)),
                 until = std::min(within.to, begin + spacing * 6);
    const auto closer = table.at(begin, until, zoom);
    range = std::max(range, range_of(closer[f]));
    from = begin;
    spacing = (until - begin) / static_cast<double>(zoom - 1);
    seen = fastest(closer[f], range / 2);
  }
  return spacing * static_cast<double>(seen.intervals);
}

}  // namespace

std::optional<double> finest_time_scale(const lagrangian_system& system, const std::vector<double>& parameters,
                                        double start, double end, bool splits_at_kinks) {
  if (!system.is_time_dependent() || start == end) return std::nullopt;
  const double first = std::min(start, end), last = std::max(start, end);
  std::vector<expr> functions = functions_of_time(system);
  if (functions.empty()) return std::nullopt;
  const std::size_t count = functions.size();
  if (splits_at_kinks) {
    for (const expr& value : switching_in_time(system)) functions.push_back(value);
  }
  time_table table(system, parameters, functions);
  const auto rows = table.at(first, last, points);
  const std::vector<piece> pieces = pieces_between(std::span(rows).subspan(count));
  const double spacing = (last - first) / static_cast<double>(points - 1);
  std::optional<double> finest;
  for (std::size_t f = 0; f < count; ++f) {
    const double range = range_of(rows[f]);
    for (std::size_t k = 0; k < pieces.size() && range > 0; ++k) {
      const auto [begin, size] = pieces[k];
      const fastest_change seen = fastest(std::span(rows[f]).subspan(begin, size), range / 2);
      if (seen.intervals >= size && pieces.size() > 1) continue;
      const double from = first + spacing * static_cast<double>(begin);
      const double scale =
          zoomed(table, f, range, seen, {from, from + spacing * static_cast<double>(size - 1), spacing});
      finest = finest ? std::min(*finest, scale) : scale;
    }
  }
  return finest;
}

std::optional<double> finest_path_scale(const integrator<double>& flow, const phase_state<double>& start,
                                        std::size_t steps) {
  constexpr double matters = 1e-6;  // of the momentum: what forces give in all
  constexpr double varies = 1e-3;   // of their size: less may be an error of the motion where they are constant
  const phase_space<double>& space = flow.space();
  constexpr std::size_t work = 1 << 21;  // places times coordinates
  const std::size_t most = space.system().applied_force ? 4096 : 32'768;  // where a force is asked, it may take long
  const std::size_t places = std::min(most, work / space.size());
  if (space.system().time_scale) return std::nullopt;                       // steps follow the motion
  if (steps == 0 || steps > places / 4 || !space.has_jet() || !is_smooth(space.system())) return std::nullopt;
  const std::size_t parts = places / steps, n = space.size();
  const auto workspace = flow.make_workspace();
  jet_evaluation<double> jet = space.jet().at(1, space.parameters());
  phase_state<double> state = start;
  std::vector<double> position = start.position.value, last = position, forces;
  double momentum = 0;
  const double part = flow.step() / static_cast<double>(parts);
  for (std::size_t k = 0; k < steps; ++k) {
    const double time = state.time;
    pass_interruption_point();
    if (!workspace->advance(state)) break;
    for (std::size_t j = 1; j <= parts; ++j) {
      workspace->interpolate(static_cast<double>(j) / static_cast<double>(parts), position);
      double force = 0;
      for (std::size_t i = 0; i < n; ++i) {
        *jet.position(i) = position[i];
        *jet.velocity(i) = (position[i] - last[i]) / part;
      }
      *jet.time() = time + static_cast<double>(j) * part;
      jet.evaluate_first();
      for (std::size_t i = 0; i < n; ++i) force += std::abs(*jet.force(i));
      forces.push_back(force);
      std::swap(position, last);
    }
    for (const double p : state.momentum.value) momentum = std::max(momentum, std::abs(p));
  }
  const double range = range_of(forces);
  if (!(range * std::abs(part) * static_cast<double>(forces.size()) > matters * momentum)) return std::nullopt;
  if (!(range > varies * *std::ranges::max_element(forces))) return std::nullopt;
  return std::abs(part) * static_cast<double>(fastest(forces, range / 2).intervals);
}

}  // namespace actio
