#include <algorithm>
#include <cmath>

#include "actio/base/largest.hpp"
#include "papers/marsden1997/marsden1997.hpp"

namespace actio::papers {

namespace {

constexpr double shortest_between = 0.02;  // samples, in seconds

}  // namespace

void interval::include(double x) {
  if (is_empty) least = most = x;
  is_empty = false;
  double negative = -least;
  raise_to(negative, -x);
  raise_to(most, x);
  least = -negative;
}

curve observed_motion::component(std::size_t i, std::string name, curve_style style) const {
  curve c{std::move(name), style, t, {}};
  for (const std::vector<double>& q : position) c.y.push_back(q[i]);
  return c;
}

observed_motion observe(const integrator<double>& flow, phase_state<double> state, double until) {
  const auto steps = static_cast<std::size_t>(std::llround(until / flow.step())),
             between = std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(shortest_between / flow.step())));
  const std::size_t n = flow.space().size();
  const auto workspace = flow.make_workspace();
  phase_point<double> point(flow.space());
  jet_evaluation<double> middle = flow.space().jet().at(1, flow.space().parameters());
  observed_motion seen;
  seen.step = flow.step();
  seen.between = static_cast<double>(between) * flow.step();
  seen.momentum_range.resize(flow.space().momentum_names().size());
  double middle_energy = std::nan("");
  const auto look = [&] {
    if (!point.measure(state.time, state.position.value, state.momentum.value, state.velocity)) return false;
    seen.energy_range.include(point.energy());
    for (std::size_t k = 0; k < seen.momentum_range.size(); ++k) seen.momentum_range[k].include(point.momenta()[k]);
    raise_to(seen.violation, point.constraint_violation());
    if (state.index % between != 0) return true;
    seen.t.push_back(state.time);
    seen.energy.push_back(point.energy());
    seen.middle_energy.push_back(middle_energy);
    seen.position.push_back(state.position.value);
    seen.momenta.emplace_back(point.momenta().begin(), point.momenta().end());
    seen.multipliers.emplace_back(point.multipliers().begin(), point.multipliers().end());
    return true;
  };
  // The extremes of a part of a run are not those of the run.
  const auto incomplete = [&] {
    const double nothing = std::nan("");
    for (interval* range : {&seen.energy_range, &seen.middle_range}) range->include(nothing);
    for (interval& range : seen.momentum_range) range.include(nothing);
    seen.violation = nothing;
    return seen;
  };
  if (!look()) return incomplete();
  while (state.index < steps) {
    const phase_state<double> before = state;
    if (!workspace->advance(state)) return incomplete();
    for (std::size_t i = 0; i < n; ++i) {  // with the remainders: at short steps their digits count
      const double difference =
          (state.position[i] - before.position[i]) + (state.position.remainder[i] - before.position.remainder[i]);
      *middle.position(i) = before.position[i] + difference / 2;
      *middle.velocity(i) = difference / flow.step();
    }
    middle.evaluate_value();
    middle_energy = -*middle.lagrangian();
    middle.evaluate_first();
    for (std::size_t i = 0; i < n; ++i) middle_energy += *middle.velocity(i) * *middle.momentum(i);
    seen.middle_range.include(middle_energy);
    if (!look()) return incomplete();
  }
  seen.is_complete = true;
  return seen;
}

double mean_distance(const observed_motion& motion, const observed_motion& standard) {
  const auto stride = static_cast<std::size_t>(std::llround(motion.between / standard.between));
  if (!motion.is_complete || !standard.is_complete) return std::nan("");
  double sum = 0;
  for (std::size_t k = 0; k < motion.position.size(); ++k) {
    sum += distance<double>(motion.position[k], standard.position[k * stride]);
  }
  return sum / static_cast<double>(motion.position.size() * motion.position.front().size());
}

curve slope_of_order_2(const std::vector<double>& steps, const std::vector<double>& errors) {
  curve slope{"slope 2", curve_style::dashed, {steps[1], steps[3]}, {}};
  for (const double h : slope.x) slope.y.push_back(errors[1] / 2 * std::pow(h / steps[1], 2));
  return slope;
}

}  // namespace actio::papers
