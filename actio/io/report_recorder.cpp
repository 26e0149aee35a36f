#include "actio/io/report_recorder.hpp"

#include <algorithm>
#include <limits>

#include "actio/simulate/certificate_meter.hpp"

namespace actio {

namespace {

// A page stays below two megabytes: so many columns of a kind, and so many numbers in all.
constexpr std::size_t most_columns = 24;
constexpr std::size_t most_series_numbers = 80'000, most_phase_numbers = 40'000, most_view_numbers = 60'000;

void add_columns(std::vector<report_column>& columns, report_quantity quantity, const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < std::min(names.size(), most_columns); ++k) columns.push_back({quantity, k, names[k]});
}

std::vector<report_column> columns_of_phase(const lagrangian_system& system) {
  std::vector<std::string> positions, momenta;  // no more than are shown
  for (std::size_t i = 0; i < std::min(system.size(), most_columns); ++i) {
    positions.push_back(system.coordinates[i].name());
    if (!system.is_first_order()) momenta.push_back(momentum_symbol(system.coordinates[i]).name());
  }
  std::vector<report_column> columns;
  add_columns(columns, report_quantity::coordinate, positions);
  add_columns(columns, report_quantity::momentum, momenta);
  return columns;
}

template <class S>
std::vector<report_column> columns_of(const phase_space<S>& space, bool has_shadow) {
  using enum report_quantity;
  std::vector<report_column> columns = columns_of_phase(space.system());
  if (space.has_power()) columns.insert(columns.end(), {{energy, 0, "energy"}, {work, 0, "work"}});
  if (space.has_energy()) columns.push_back({energy_error, 0, "energy error"});
  if (has_shadow) columns.push_back({shadow_error, 0, "shadow energy error"});
  add_columns(columns, conserved_error, space.momentum_names());
  add_columns(columns, observable, space.observable_names());
  add_columns(columns, multiplier, space.multiplier_names());
  if (space.constraints() != nullptr) {
    add_columns(columns, violation, {"largest constraint", "largest hidden constraint"});
  }
  columns.push_back({iterations, 0, "iterations"});
  return columns;
}

}  // namespace

template <class S>
report_recorder<S>::report_recorder(const phase_space<S>& space, const model_view& view, bool has_shadow)
    : columns_(columns_of(space, has_shadow)),
      phase_columns_(columns_of_phase(space.system())),
      series_(columns_.size(), std::min<std::size_t>(2000, most_series_numbers / 2 / columns_.size())),
      phase_points_(phase_columns_.size(), std::min<std::size_t>(4000, most_phase_numbers / phase_columns_.size())),
      is_supplied_(space.has_power()) {
  if (view.is_empty()) return;
  std::vector<double> parameters;
  for (const S& p : space.parameters()) parameters.push_back(to_double(p));
  frames_.emplace(view, space.system(), parameters, most_view_numbers);
}

template <class S>
void report_recorder<S>::observe(const sample<S>& now) {
  if (is_empty()) {
    start_ = {now.state.index, now.state.time, S(0), now.state.position.value, {}, now.state.momentum.value, {}};
    if (now.point.space().has_energy()) start_.energy = now.point.energy();
    start_.velocity.assign(now.point.velocity().begin(), now.point.velocity().end());
    start_.momenta.assign(now.point.momenta().begin(), now.point.momenta().end());
  } else if (is_supplied_) {
    work_.add(now.workspace.work());
  }
  row_.clear();
  for (const report_column& column : columns_) row_.push_back(to_double(value_of(column, now)));
  series_.add(to_double(now.state.time), row_);
  // Positions and momenta (where there are any) come first in both lists.
  phase_points_.add(std::span(row_).first(phase_columns_.size()));
  if (!frames_) return;
  position_.clear();
  for (const S& q : now.state.position.value) position_.push_back(to_double(q));
  frames_->add(to_double(now.state.time), position_);
}

template <class S>
S report_recorder<S>::value_of(const report_column& column, const sample<S>& now) const {
  const std::size_t k = column.index;
  switch (column.quantity) {
    case report_quantity::coordinate: return now.state.position.value[k];
    case report_quantity::momentum: return now.state.momentum.value[k];
    case report_quantity::energy: return now.point.energy();
    case report_quantity::work: return work_.value;
    case report_quantity::energy_error: return (now.point.energy() - start_.energy) - work_.value;
    case report_quantity::shadow_error: return now.meter.shadow()->deviation();
    case report_quantity::conserved_error: return now.point.momenta()[k] - start_.momenta[k];
    case report_quantity::observable: return now.point.observables()[k];
    case report_quantity::multiplier: return now.point.multipliers()[k];
    case report_quantity::violation: return k == 0 ? now.point.constraint_violation() : now.point.hidden_violation();
    case report_quantity::iterations: break;
  }
  // Nothing was solved before the first step, or by an explicit method.
  return now.iterations > 0 ? S(now.iterations) : S(std::numeric_limits<double>::quiet_NaN());
}

#define ACTIO_INSTANTIATE(S) template class report_recorder<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
