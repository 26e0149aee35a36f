#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/io/ensemble_page.hpp"

namespace actio {

namespace {

constexpr std::size_t most_points = 2000;       // along a side of a map
constexpr std::size_t most_quantities = 8;      // positions and momenta that have maps
constexpr std::size_t most_crossings = 20'000;  // kept

}  // namespace

ensemble_recorder::ensemble_recorder(const ensemble_plan& plan, const ensemble_options& options)
    : plan_(plan),
      statistics_(plan, options),
      positions_(plan.base().system.size()),
      momenta_(plan.base().system.momenta().size()) {
  choose_axes();
  choose_maps(options);
}

// The last two sides of the grid; of others, and of several draws at a point, the first.
void ensemble_recorder::choose_axes() {
  const auto& sweeps = plan_.variation().sweeps;
  for (std::size_t s = sweeps.size(); s-- > 0 && axes_.size() < 2;) {
    if (sweeps[s].beside || sweeps[s].count < 2) continue;
    const std::size_t stride = (sweeps[s].count + most_points - 1) / most_points;
    axes_.insert(axes_.begin(), {&sweeps[s], s, stride, (sweeps[s].count + stride - 1) / stride});
  }
}

void ensemble_recorder::choose_maps(const ensemble_options& options) {
  const lagrangian_system& system = plan_.base().system;
  const auto add = [&](std::string name, bool logarithmic = false) {
    maps_.push_back({.name = std::move(name), .logarithmic = logarithmic});
  };
  if (axes_.empty()) return;
  if (options.lyapunov) add("Lyapunov exponent");
  if (!plan_.base().events.empty()) {
    add("ended by");
    maps_.back().categories = {"no event"};
    for (const model_event& event : plan_.base().events) maps_.back().categories.push_back(event.name);
  }
  std::size_t room = most_quantities;
  for (const std::string& name : system.coordinate_names()) {
    if (room > 0) add(name), --room;
  }
  for (const expr& p : system.momenta()) {
    if (room > 0) add(p.name()), --room;
  }
  if (!system.is_first_order()) add("energy error", true);
  add("status");
  for (std::size_t k = 0; k < trajectory_statuses; ++k) {
    maps_.back().categories.push_back(to_text(static_cast<trajectory_status>(k)));
  }
  std::size_t points = 1;
  for (const axis& a : axes_) points *= a.count;
  for (ensemble_map& map : maps_) map.values.assign(points, std::numeric_limits<float>::quiet_NaN());
}

// False where the trajectory is at no point that is kept.
bool ensemble_recorder::place_of(std::size_t trajectory, std::size_t& place) const {
  const ensemble_variation& v = plan_.variation();
  if (axes_.empty() || trajectory % v.count != 0) return false;
  std::size_t point = trajectory / v.count, at = axes_.size();
  place = 0;
  for (std::size_t s = v.sweeps.size(); s-- > 0;) {
    if (v.sweeps[s].beside) continue;
    const std::size_t i = point % v.sweeps[s].count;
    point /= v.sweeps[s].count;
    if (at > 0 && axes_[at - 1].sweep == s) {
      const axis& a = axes_[--at];
      if (i % a.stride != 0) return false;
      // Rows are values of the last side, from its first value on; columns those of the one before.
      place += i / a.stride * (axes_.size() == 2 && at == 1 ? axes_[0].count : 1);
    } else if (i != 0) {
      return false;
    }
  }
  return true;
}

void ensemble_recorder::see(const trajectory_result& result) {
  statistics_.see(result);
  keep_crossings(result);
  std::size_t place = 0;
  if (!place_of(result.index, place)) return;
  const bool is_done = result.status == trajectory_status::done;
  for (ensemble_map& map : maps_) {
    const std::size_t m = static_cast<std::size_t>(&map - maps_.data());
    double value = std::numeric_limits<double>::quiet_NaN();
    if (map.name == "status") {
      value = static_cast<double>(result.status);
    } else if (map.name == "ended by") {
      const std::size_t happened = result.events.size();
      const auto& names = map.categories;
      value = happened == 0
                  ? 0
                  : static_cast<double>(std::ranges::find(names, result.events.name(happened - 1)) - names.begin());
    } else if (!is_done) {
      continue;
    } else if (map.name == "Lyapunov exponent") {
      value = result.lyapunov;
    } else if (map.logarithmic) {
      value = result.energy_error;
    } else {
      const std::size_t first = static_cast<std::size_t>(
          std::ranges::find(maps_, plan_.base().system.coordinate_names().front(), &ensemble_map::name) -
          maps_.begin());
      const std::size_t k = m - first;
      value = k < positions_ ? result.position[k] : result.momentum[k - positions_];
    }
    map.values[place] = static_cast<float>(value);
  }
}

void ensemble_recorder::keep_crossings(const trajectory_result& result) {
  const std::size_t a_crossing = 1 + positions_ + momenta_;
  for (std::size_t k = 0; k + a_crossing <= result.crossings.size(); k += a_crossing) {
    if (crossings_seen_++ % crossing_stride_ != 0) continue;
    crossings_.emplace_back(result.crossings.begin() + static_cast<std::ptrdiff_t>(k + 1),
                            result.crossings.begin() + static_cast<std::ptrdiff_t>(k + a_crossing));
    if (crossings_.size() < most_crossings) continue;
    for (std::size_t i = 0; 2 * i < crossings_.size(); ++i) crossings_[i] = std::move(crossings_[2 * i]);
    crossings_.resize((crossings_.size() + 1) / 2);
    crossing_stride_ *= 2;
  }
}

}  // namespace actio
