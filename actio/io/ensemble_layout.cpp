#include "actio/io/ensemble_layout.hpp"

#include <algorithm>
#include <cmath>

namespace actio {

namespace {

// Places among the values that vary at which parameters stand; the others are initial data and have their own columns.
std::vector<std::size_t> varied_parameters(const ensemble_plan& plan) {
  std::vector<std::size_t> places;
  const auto& parameters = plan.base().system.parameters;
  for (std::size_t v = 0; v < plan.names().size(); ++v) {
    if (std::ranges::find(parameters, plan.names()[v], &named_expr::name) != parameters.end()) places.push_back(v);
  }
  return places;
}

std::vector<std::string> state_columns(const lagrangian_system& system, const char* suffix = "") {
  std::vector<std::string> columns;
  for (const std::string& name : system.coordinate_names()) columns.push_back(name + suffix);
  for (const expr& p : system.momenta()) columns.push_back(p.name() + suffix);
  return columns;
}

std::vector<std::string> result_columns(const ensemble_plan& plan, bool with_lyapunov) {
  const lagrangian_system& system = plan.base().system;
  std::vector<std::string> columns{"trajectory"};
  for (const std::size_t v : varied_parameters(plan)) columns.push_back(plan.names()[v]);
  for (const char* suffix : {"(0)", ""}) {
    for (std::string& name : state_columns(system, suffix)) columns.push_back(std::move(name));
  }
  if (!system.is_first_order()) {
    columns.emplace_back("energy_error");
    for (const conserved_momentum& m : conserved_momenta(system)) columns.push_back("error(" + m.name + ")");
  }
  if (with_lyapunov) columns.emplace_back("lyapunov");
  columns.emplace_back("steps");
  columns.emplace_back("status");
  return columns;
}

std::vector<std::string> crossing_columns_of(const ensemble_plan& plan) {
  std::vector<std::string> columns{"trajectory", "t"};
  for (std::string& name : state_columns(plan.base().system)) columns.push_back(std::move(name));
  return columns;
}

// A whole number from 0 to `most`.
bool is_count(double x, double most) { return x >= 0 && x <= most && x == std::floor(x); }

}  // namespace

ensemble_layout ensemble_layout::of(const ensemble_plan& plan, const ensemble_options& options) {
  const lagrangian_system& system = plan.base().system;
  ensemble_layout layout{.columns = result_columns(plan, options.lyapunov),
                         .crossing_columns = options.poincare ? crossing_columns_of(plan) : std::vector<std::string>(),
                         .positions = system.size(),
                         .momenta = system.momenta().size(),
                         .errors = 0,
                         .has_energy = !system.is_first_order(),
                         .has_lyapunov = options.lyapunov,
                         .varied = varied_parameters(plan)};
  const std::size_t others = 3 + layout.varied.size() + 2 * (layout.positions + layout.momenta) +
                             (layout.has_energy ? 1 : 0) + (layout.has_lyapunov ? 1 : 0);
  layout.errors = layout.columns.size() - others;
  for (const model_event& event : plan.base().events) layout.events.push_back(event.name);
  if (layout.events.empty()) return layout;
  layout.event_columns = crossing_columns_of(plan);
  layout.event_columns.insert(layout.event_columns.begin() + 1, "event");
  return layout;
}

std::vector<sink_table> ensemble_layout::more_tables(std::size_t keep_crossings, std::size_t keep_events) const {
  std::vector<sink_table> tables;
  if (has_crossings()) tables.push_back({crossing_table, crossing_columns, keep_crossings});
  if (has_events()) tables.push_back({event_table, event_columns, keep_events});
  return tables;
}

void ensemble_layout::write_event(const trajectory_result& result, std::size_t k, std::vector<double>& row) const {
  const auto event = std::ranges::find(events, result.events.name(k)) - events.begin();
  row.assign({static_cast<double>(result.index), static_cast<double>(event), result.events.times()[k]});
  for (const auto part : {result.events.position(k), result.events.momentum(k)}) {
    row.insert(row.end(), part.begin(), part.end());
  }
}

bool ensemble_layout::read_event(std::span<const double> row, trajectory_result& result) const {
  if (!is_count(row[1], static_cast<double>(events.size()) - 1)) return false;
  result.events.append(events[static_cast<std::size_t>(row[1])], row[2], row.subspan(3, positions),
                       row.subspan(3 + positions, momenta));
  return true;
}

void ensemble_layout::write(const trajectory_result& result, std::vector<double>& row) const {
  row.assign(1, static_cast<double>(result.index));
  for (const std::size_t v : varied) row.push_back(result.start.values[v]);
  for (const auto* part : {&result.start.position, &result.start.momentum, &result.position, &result.momentum}) {
    row.insert(row.end(), part->begin(), part->end());
  }
  if (has_energy) {
    row.push_back(result.energy_error);
    row.insert(row.end(), result.momentum_errors.begin(), result.momentum_errors.end());
  }
  if (has_lyapunov) row.push_back(result.lyapunov);
  row.push_back(static_cast<double>(result.steps));
  row.push_back(static_cast<double>(result.status));
}

bool ensemble_layout::read(std::span<const double> row, trajectory_result& result) const {
  constexpr double most_steps = 0x1p53;
  const double steps = row[row.size() - 2], status = row.back();
  if (!is_count(row[0], static_cast<double>(most_trajectories)) || !is_count(steps, most_steps) ||
      !is_count(status, trajectory_statuses - 1)) {
    return false;
  }
  result.begin(static_cast<std::size_t>(row[0]));
  auto at = row.begin() + 1;
  const auto take = [&](std::vector<double>& to, std::size_t count) {
    to.assign(at, at + static_cast<std::ptrdiff_t>(count));
    at += static_cast<std::ptrdiff_t>(count);
  };
  result.start.values.resize(varied.empty() ? 0 : std::ranges::max(varied) + 1);
  for (const std::size_t v : varied) result.start.values[v] = *at++;
  take(result.start.position, positions);
  take(result.start.momentum, momenta);
  take(result.position, positions);
  take(result.momentum, momenta);
  if (has_energy) {
    result.energy_error = *at++;
    take(result.momentum_errors, errors);
  }
  if (has_lyapunov) result.lyapunov = *at++;
  result.steps = static_cast<std::size_t>(steps);
  result.status = static_cast<trajectory_status>(static_cast<int>(status));
  return true;
}

}  // namespace actio
