#include "actio/simulate/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "actio/backend/backend.hpp"
#include "actio/expr/branches.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/mechanics/switching.hpp"
#include "actio/simulate/advice.hpp"
#include "actio/simulate/certificate_meter.hpp"
#include "actio/simulate/constraint_start.hpp"

namespace actio {

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

// Rows of ∂g/∂q nearer to one another than this make equations that were regular before singular.
constexpr double nearly_dependent = 1e-3;

// Whether momenta may jump with a velocity: L has |v| in it.
bool has_kinks_in_velocities(const lagrangian_system& system) {
  const std::vector<expr> velocities = system.velocities();
  return !with_free_signs(gradient(system.lagrangian, velocities), velocities).jumps.empty();
}

// A constraint that a control moves does work of which nobody keeps account.
template <class S>
void require_still_constraints(const phase_space<S>& space, std::span<const S> parameters) {
  const lagrangian_system& system = space.system();
  for (std::size_t k = 0; k < parameters.size() && system.is_constrained(); ++k) {
    if (parameters[k] == space.parameters()[k]) continue;
    for (const named_expr& g : system.constraints) {
      if (!depends_on(g.value, expr::symbol(system.parameters[k].name))) continue;
      throw input_error("parameters-unsuited",
                        fmt::format("a control changes '{}', on which the constraint '{}' depends, and the work of a "
                                    "constraint that moves so is not known",
                                    system.parameters[k].name, g.name),
                        g.place, "write the constraint as a function of t");
    }
  }
}

template <class S>
std::string reason_for(step_code code, const phase_state<S>& state, const step_status& status,
                       const phase_space<S>& space) {
  const lagrangian_system& system = space.system();
  const std::size_t step = state.index + 1;
  const double time = to_double(state.time);
  const std::string where = fmt::format("step {} at t = {:.6g}", step, time);
  const bool has_lagrangian = !system.is_first_order();
  switch (code) {
    case step_code::no_convergence:
      return fmt::format("{} {} (the last update was {:.1e} of the step after {} iterations)", where,
                         system.is_constrained() ? "could not reach the constraints" : "could not be solved",
                         status.update, status.iterations);
    case step_code::singular: {
      const bool by_constraints = system.is_constrained() && constraint_start<S>(space).are_nearly_dependent(
                                                                 state.position.value, S(nearly_dependent));
      return fmt::format("{} has singular equations{}", where,
                         by_constraints ? ": the constraints depend on one another near there" : "");
    }
    case step_code::left_domain: {
      std::string signals;
      for (const switching_times& s : switching_times_of(system)) {
        signals += fmt::format("; the signal '{}' is known from {} to {}", s.signal,
                               to_brief(from_rational<double>(s.times.front()), 8),
                               to_brief(from_rational<double>(s.times.back()), 8));
      }
      return fmt::format("{} leaves the domain of the {} (a value there is not finite{})", where,
                         has_lagrangian ? "Lagrangian" : "equations", signals);
    }
    case step_code::too_long:
      return fmt::format("{} is too long for the method: its equations have no solution that the state leads to",
                         where);
    case step_code::mass_singular:
      return fmt::format("{}: {}, and no motion goes on from this state", where,
                         has_kinks_in_velocities(system)
                             ? "the Lagrangian has a kink in a velocity there, or a singular mass matrix"
                             : "the mass matrix, the second derivatives of the Lagrangian by the velocities, becomes "
                               "singular there");
    case step_code::ok: break;
  }
  return "";
}

// Those of the first observer that wants the run to end.
template <class S>
std::string words_to_end(const std::vector<observer<S>*>& observers) {
  for (const observer<S>* o : observers) {
    if (std::string words = o->reason_to_end(); !words.empty()) return words;
  }
  return "";
}

}  // namespace

template <class S>
run_report<S> run(const integrator<S>& integrator, step_workspace<S>& workspace, phase_state<S>& state,
                  const run_options<S>& options) {
  run_report<S> report;
  report.model = integrator.space().system().name;
  report.method = integrator.method().name;
  report.step = integrator.step();
  report.has_energy = integrator.space().has_energy();
  report.coordinates = integrator.space().system().coordinate_names();
  for (const named_expr& g : integrator.space().system().constraints) report.constraint_names.push_back(g.name);
  report.projection = options.projection;
  if constexpr (std::same_as<S, double>) report.precision = "double";
  else if constexpr (std::same_as<S, quad>) report.precision = "quad";
  else report.precision = std::to_string(multi::default_precision());
  report.backend = to_text(backend_in_use<S>());

  if (options.steps > state.index) {
    require_signals<S>(integrator.space().system(), state.time,
                       S(state.time + S(options.steps - state.index) * report.step));
  }
  phase_point<S> point(workspace.space());
  certificate_meter<S> fresh(integrator);
  certificate_meter<S>& meter = options.meter ? *options.meter : fresh;
  if (options.control) meter.expect_supply();
  std::vector<S> parameters = workspace.space().parameters().values();
  report.seconds = options.seconds;
  step_status status;
  const phase_state<S> first = state;
  phase_state<S> last_good = state;
  const auto look = [&] {
    for (observer<S>* o : options.observers) {
      o->observe({state, point, workspace, status.iterations, meter, report.seconds});
    }
    const std::string words = words_to_end(options.observers);
    if (words.empty()) return;
    report.status = run_status::interrupted;
    report.reason = fmt::format("an observer ended the run at step {}: {}", state.index, words);
  };
  const auto fail = [&](step_code code) {
    report.status = run_status::failed;
    report.failure = code;
    report.reason = reason_for(code, state, status, integrator.space());
    report.suggestion = code == step_code::mass_singular
                            ? "run up to an earlier time, or start with a velocity on another branch"
                        : options.control ? "shorten the step, or look at what the control asked for"
                                          : advice_after_failure(integrator, first, state);
  };

  const auto measure = [&] {
    return point.measure(state.time, state.position.value, state.momentum.value, state.velocity);
  };
  // False where the state is outside of what the new parameters allow.
  const auto control = [&] {
    options.control(state, point, parameters);
    if (std::ranges::equal(parameters, workspace.space().parameters())) return true;
    require_still_constraints<S>(workspace.space(), parameters);
    const S before = report.has_energy ? point.energy_change() : S(0);
    workspace.set_parameters(parameters);
    if (!measure()) return false;
    if (report.has_energy) meter.supply(point.energy_change() - before);
    return true;
  };

  if (!measure()) {
    fail(step_code::left_domain);
  } else if (!meter.started()) {
    meter.start(state, point);
    look();
  }
  while (report.status == run_status::done && state.index < options.steps) {
    last_good = state;
    if (options.control && !control()) {
      fail(step_code::left_domain);
      break;
    }
    const auto start = clock::now();
    status = workspace.advance(state);
    report.seconds += seconds_since(start);
    if (!status) {
      fail(status.code);
    } else if (!measure()) {
      state = last_good;  // a step into nowhere is not taken
      fail(step_code::left_domain);
    } else {
      meter.add(state, point, workspace, status);
      look();
      if (options.interrupted && options.interrupted()) report.status = run_status::interrupted;
    }
  }
  meter.fill(report);
  report.trust = trust_in(report);
  report.steps = state.index;
  report.time = state.time;
  report.position = state.position.value;
  report.momentum = state.momentum.value;
  return report;
}

template <class S>
run_report<S> run(const integrator<S>& integrator, phase_state<S>& state, std::size_t steps) {
  const auto start = clock::now();
  const auto workspace = integrator.make_workspace();
  const double setup = seconds_since(start);
  run_report<S> report = run(integrator, *workspace, state, run_options<S>{.steps = steps});
  report.setup_seconds = setup;
  return report;
}

template <class S>
std::size_t steps_until(const S& until, const S& step) {
  using std::floor;
  const S ratio = until / step;
  const S nearest = floor(ratio + S(0.5));
  const S slack = S(64) * epsilon<S>() * (ratio > S(1) ? ratio : S(1));
  S count = ratio - nearest <= slack ? nearest : S(nearest + S(1));
  return static_cast<std::size_t>(to_double(count));
}

#define ACTIO_INSTANTIATE(S)                                                                                       \
  template run_report<S> run<S>(const integrator<S>&, step_workspace<S>&, phase_state<S>&, const run_options<S>&); \
  template run_report<S> run<S>(const integrator<S>&, phase_state<S>&, std::size_t);                               \
  template std::size_t steps_until<S>(const S&, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
