// What a run knows before its first step: the head of its report, and the times at which steps must end.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "actio/backend/backend.hpp"
#include "actio/simulate/run.hpp"

namespace actio {

template <class S>
run_report<S> empty_report(const integrator<S>& integrator, const run_options<S>& options) {
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
  else report.precision = std::to_string(digits_in_use());
  report.backend = to_text(backend_in_use<S>());
  report.seconds = options.seconds;
  if (integrator.chooses_steps()) report.accuracy = integrator.options().accuracy;
  report.watches_events = std::ranges::any_of(options.events, [](const model_event& e) { return !e.ends_step; });
  return report;
}

// Times at which steps end because of kinks there. Slopes at a kink are those behind it: steps that go back end on both
// sides of it, so that nodes at their ends are each on their side.
template <class S>
std::vector<S> times_around(const std::vector<S>& kinks, const integrator<S>& flow) {
  using std::abs;
  constexpr double roundings = 512;
  if (flow.step() > S(0)) return kinks;
  std::vector<S> times;
  for (const S& t : kinks) {
    const S size = std::max<S>({S(abs(t)), S(abs(flow.options().start)), S(abs(flow.step()))});
    const S margin = S(roundings) * epsilon<S>() * size;
    times.push_back(t - margin);
    times.push_back(t + margin);
  }
  return times;
}

}  // namespace actio
