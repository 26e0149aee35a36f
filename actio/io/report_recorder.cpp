#include "actio/io/report_recorder.hpp"

#include <algorithm>
#include <limits>

#include "actio/mechanics/coordinate_index.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/simulate/certificate_meter.hpp"

namespace actio {

namespace {

// A page stays below two megabytes: so many columns of a kind, and so many numbers in all.
constexpr std::size_t most_columns = 24;
constexpr std::size_t most_series_numbers = 80'000, most_phase_numbers = 40'000, most_view_numbers = 60'000;

void add_columns(std::vector<report_column>& columns, report_quantity quantity, const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < std::min(names.size(), most_columns); ++k) columns.push_back({quantity, k, names[k]});
}

std::vector<report_column> columns_of_phase(const lagrangian_system& system, const std::vector<std::size_t>& shown) {
  std::vector<report_column> columns;
  const auto drawn = std::span(shown).first(std::min(shown.size(), most_columns));
  for (const std::size_t i : drawn) {
    columns.push_back({report_quantity::coordinate, i, system.coordinates[i].name()});
  }
  for (const std::size_t i : drawn) {
    if (system.is_first_order()) break;
    columns.push_back({report_quantity::momentum, i, momentum_symbol(system.coordinates[i]).name()});
  }
  return columns;
}

template <class S>
std::vector<report_column> columns_of(const phase_space<S>& space, const std::vector<std::size_t>& shown,
                                      bool has_shadow) {
  using enum report_quantity;
  std::vector<report_column> columns = columns_of_phase(space.system(), shown);
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

std::vector<std::size_t> shown_coordinates(const lagrangian_system& system, const std::vector<source_text>& columns) {
  std::vector<std::size_t> shown;
  const bool are_many = system.size() > most_dense_coordinates;
  if (are_many && !columns.empty()) {
    const coordinate_index index(system.coordinates);
    for (const source_text& column : columns) {
      const auto found = index.find(expr::symbol(column.text));
      if (!found || shown.size() == most_columns || std::ranges::find(shown, found->number) != shown.end()) continue;
      shown.push_back(found->number);
    }
  }
  if (!shown.empty()) return shown;
  constexpr std::size_t some = 12;
  if (are_many) {
    for (std::size_t k = 0; k < some; ++k) shown.push_back(k * (system.size() - 1) / (some - 1));
  } else {
    for (std::size_t i = 0; i < system.size(); ++i) shown.push_back(i);
  }
  return shown;
}

template <class S>
report_recorder<S>::report_recorder(const phase_space<S>& space, const model_view& view, bool has_shadow,
                                    const std::vector<source_text>& columns)
    : shown_(shown_coordinates(space.system(), columns)),
      columns_(columns_of(space, shown_, has_shadow)),
      phase_columns_(columns_of_phase(space.system(), shown_)),
      series_(columns_.size(), std::min<std::size_t>(2000, most_series_numbers / 2 / columns_.size())),
      phase_points_(phase_columns_.size(), std::min<std::size_t>(4000, most_phase_numbers / phase_columns_.size())),
      fields_(fields_of(space.system().coordinate_names())),
      is_supplied_(space.has_power()) {
  if (view.is_empty()) return;
  std::vector<double> parameters;
  for (const S& p : space.parameters()) parameters.push_back(to_double(p));
  frames_.emplace(view, space.system(), parameters, most_view_numbers);
}

template <class S>
void report_recorder<S>::observe(const sample<S>& now) {
  if (is_empty()) {
    start_ = {now.state.index, now.state.time, S(0), {}, {}, {}, {}};
    for (const std::size_t i : shown_) {
      start_.position.push_back(now.state.position.value[i]);
      start_.velocity.push_back(now.point.velocity()[i]);
      if (now.state.momentum.size() > 0) start_.momentum.push_back(now.state.momentum.value[i]);
    }
    if (now.point.space().has_energy()) start_.energy = now.point.energy();
    start_.momenta.assign(now.point.momenta().begin(), now.point.momenta().end());
  } else if (is_supplied_) {
    work_.add(now.workspace.work());
  }
  row_.clear();
  for (const report_column& column : columns_) row_.push_back(to_double(value_of(column, now)));
  series_.add(to_double(now.state.time), row_);
  // Positions and momenta (where there are any) come first in both lists.
  phase_points_.add(std::span(row_).first(phase_columns_.size()));
  if (!frames_ && fields_.empty()) return;
  position_.clear();
  for (const S& q : now.state.position.value) position_.push_back(to_double(q));
  if (frames_) frames_->add(to_double(now.state.time), position_);
  for (coordinate_field& field : fields_) field.add(to_double(now.state.time), position_);
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
