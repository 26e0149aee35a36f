// Built-in problems of any size, and what a step of one takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "actio/simulate/integrator.hpp"
#include "common/measure.hpp"
#include "common/studies.hpp"
#include "problems/problem.hpp"

namespace actio::bench {

// The least CPU time of `once`, in nanoseconds.
template <class Once>
double nanoseconds(bool quick, Once&& once) {
  double least = 1e300;
  const double start = cpu_seconds();
  for (std::size_t times = 1; cpu_seconds() - start < (quick ? 0.02 : 0.5);) {
    const double before = cpu_seconds();
    for (std::size_t k = 0; k < times; ++k) once();
    const double taken = cpu_seconds() - before;
    if (taken < 2e-4) times *= 2;
    else least = std::min(least, taken / static_cast<double>(times));
  }
  return 1e9 * least;
}

inline model sized(const char* problem, std::size_t n) {
  model m = load_model(problem);
  set_parameter(m, {"n=" + std::to_string(n), {}, ""});
  return m;
}

inline double of_actio(const model& m, const std::string& method, double h, bool quick) {
  const integrator<double> flow(m.system, {.method = method, .step = h});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  return nanoseconds(quick, [&] {
    if (!workspace->advance(state)) throw std::runtime_error("a step failed: " + method);
  });
}

}  // namespace actio::bench
