#include "actio/analysis/scaled_verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/base/interruption.hpp"
#include "actio/base/largest.hpp"
#include "actio/integrate/transformed_step.hpp"
#include "actio/mechanics/affine_symmetries.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double step = 0.1;  // of τ

constexpr const char* eccentric_orbit = R"toml(
name = "eccentric orbit in scaled time"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) + 1/r"
[definitions]
r = "sqrt(x^2 + y^2)"
[time]
scale = "r^(3/2)"
[initial.position]
x = 1.6
y = 0
[initial.velocity]
x = 0
y = 0.5
)toml";

constexpr const char* attracted_point = R"toml(
name = "attracted point on a sphere in scaled time"
coordinates = ["x", "y", "z"]
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) + 1/d"
[definitions]
d = "sqrt(x^2 + y^2 + (z - 1.3)^2)"
[constraints]
sphere = "x^2 + y^2 + z^2 - 1"
[time]
scale = "d^(3/2)"
[initial.position]
x = 0.8
y = 0
z = -0.6
[initial.velocity]
x = 0.3
y = 0.3
z = 0.4
)toml";

template <class S>
integrator<S> flow_of(const method& m, const model& system, double length) {
  return integrator<S>(system.system, {.method = m.name, .step = S(length)});
}

// The largest defect of the steps of a motion in the extended phase space.
template <class S>
double extended_defect(const method& m, const model& system, std::size_t steps) {
  const integrator<S> flow = flow_of<S>(m, system, step);
  phase_state<S> state = flow.at_start(system);
  const auto workspace = flow.make_workspace();
  auto* transformed = dynamic_cast<transformed_step<S>*>(workspace.get());
  if (transformed == nullptr) return not_a_number;
  S worst(0);
  for (std::size_t k = 0; k < steps; ++k) {
    pass_interruption_point();
    raise_to(worst, symplectic_defect(transformed->extended_tangent_map(state)));
    if (!workspace->advance(state)) return not_a_number;
  }
  return to_double(worst);
}

// Forth with ε, back with −ε, by the steps that were taken: those of (q, p) and of what goes along with them, E or ρ.
double way_back(const method& m, const model& system) {
  constexpr std::size_t steps = 20;
  const integrator<double> flow = flow_of<double>(m, system, step);
  const phase_state<double> start = flow.at_start(system);
  phase_state<double> state = start;
  const auto forth = flow.make_workspace(), back = flow_of<double>(m, system, -step).make_workspace();
  for (std::size_t k = 0; k < steps; ++k) {
    if (!forth->advance(state)) return not_a_number;
  }
  if (is_transformed(m, system.system)) {
    back->restore_history(forth->history());
  } else {  // ρ goes on by half a step before it turns, and by half a step after
    phase_state<double> beyond = state;
    if (!forth->advance(beyond)) return not_a_number;
    std::vector<double> turned = back->history();
    turned.at(0) = forth->history().at(0);
    back->restore_history(turned);
  }
  for (std::size_t k = 0; k < steps; ++k) {
    if (!back->advance(state)) return not_a_number;
  }
  double worst = std::abs(state.time - start.time);
  for (std::size_t i = 0; i < start.position.size(); ++i) {
    raise_to(worst, std::abs(state.position[i] - start.position[i]));
    raise_to(worst, std::abs(state.momentum[i] - start.momentum[i]));
  }
  return worst;
}

struct drift_row {
  double rise = not_a_number, limit = 0;
};

// What a line through the relative error of the energy rises by over the whole motion, with twice its uncertainty; the
// limit is a fifth of the largest error, or rounding.
drift_row energy_rise(const method& m, const model& system) {
  constexpr std::size_t steps = 6000;
  constexpr double to_rounding = 1e-12;
  const integrator<double> flow = flow_of<double>(m, system, step);
  phase_state<double> state = flow.at_start(system);
  const run_report<double> report = run(flow, state, steps);
  drift_row result{.limit = std::max(to_rounding, report.energy.max_relative_error / 5)};
  if (report.status != run_status::done) return result;
  const drift_estimate& drift = report.energy.drift;
  result.rise = (std::abs(drift.per_time) + 2 * drift.uncertainty) * state.time;
  return result;
}

bool takes(const method& m, const model& system) {
  if (m.chooses_steps || !suits(m, system.system)) return false;
  try {
    flow_of<double>(m, system, step).make_workspace();
    return true;
  } catch (const input_error&) {
    return false;
  }
}

}  // namespace

const std::vector<model>& scaled_verification_systems() {
  static const std::vector<model> systems = [] {
    std::vector<model> all;
    for (const char* text : {eccentric_orbit, attracted_point}) {
      all.push_back(parse_model(text, "verification system"));
      all.back().system.found = find_affine_symmetries(all.back().system).found;
    }
    return all;
  }();
  return systems;
}

std::vector<verification_row> scaled_rows(const method& m, unsigned digits) {
  std::vector<verification_row> rows;
  const auto add = [&](const model& system, std::string property, std::string declared, double measured, double limit,
                       std::string precision, bool is_below = true) {
    rows.push_back({m.name, std::move(property), system.system.name, std::move(declared), measured,
                    fmt::format("{} {:.0e}", is_below ? "below" : "above", limit), std::move(precision),
                    is_below ? measured < limit : measured > limit});
  };
  for (const model& system : scaled_verification_systems()) {
    if (!takes(m, system)) continue;
    const method_traits promises = promises_on(m, system.system);
    if (is_transformed(m, system.system)) {
      add(system, "symplectic", "in (q, t; p, -E)", extended_defect<double>(m, system, 60), 1e-11, "double");
      if (m.computes_in<multi>()) {
        add(system, "symplectic", "in (q, t; p, -E)", extended_defect<multi>(m, system, 3),
            std::pow(10.0, 9 - static_cast<double>(digits)), fmt::format("{} digits", digits));
      }
    }
    add(system, "reversible", promises.symmetric ? "yes" : "no", way_back(m, system), 1e-10, "double",
        promises.symmetric);
    if (!promises.symmetric) continue;
    const drift_row energy = energy_rise(m, system);
    add(system, "energy", "no drift", energy.rise, energy.limit, "double");
  }
  return rows;
}

}  // namespace actio
