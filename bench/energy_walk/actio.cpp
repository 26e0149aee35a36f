// Rounding makes the energy error a random walk, which grows like the square root of time; a bias would make it grow
// like time. One walk says little about its growth: the mean is taken over several steps h, and over all that a walk
// has passed within each window of time.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <thread>

#include "actio/base/parallel.hpp"
#include "actio/simulate/run.hpp"
#include "common/studies.hpp"
#include "problems/problem.hpp"

namespace actio::bench {

study energy_walk(bool quick) {
  const model m = load_model("kepler");
  const std::size_t last = quick ? 100'000 : 10'000'000, every = 10;
  constexpr std::size_t runs = 24;
  std::vector<double> ends;
  for (double end = static_cast<double>(last) / 100; end < 1.01 * static_cast<double>(last);
       end *= std::pow(10, 0.25)) {
    ends.push_back(std::round(end));
  }
  std::vector<std::vector<double>> squares(runs, std::vector<double>(ends.size(), 0.0)), counts = squares;
  in_parallel(runs, std::thread::hardware_concurrency(), [&](std::size_t run) {
    const double h = 0.096 + 0.0003 * static_cast<double>(run);
    const integrator<double> flow(m.system, {.method = "gauss-8", .step = h});
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    phase_point<double> point(flow.space());
    point.measure(state.time, state.position.value, state.momentum.value);
    const double start = point.energy();
    for (std::size_t window = 0; window < ends.size(); ++window) {
      while (static_cast<double>(state.index) < ends[window]) {
        if (!workspace->advance(state)) throw std::runtime_error("the Kepler problem cannot be integrated");
        if (state.index % every != 0) continue;
        point.measure(state.time, state.position.value, state.momentum.value);
        const double error = (point.energy() - start) / start;
        squares[run][window] += error * error;
        ++counts[run][window];
      }
    }
  });
  study s{
      .id = "energy_walk",
      .title = fmt::format("Energy error of the Kepler problem, gauss-8, steps of about 0.1, mean of {} runs", runs),
      .columns = {"steps", "energy error"},
      .rows = {}};
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    double sum = 0, count = 0;
    for (std::size_t run = 0; run < runs; ++run) sum += squares[run][k], count += counts[run][k];
    const double error = std::sqrt(sum / count), a = std::log(ends[k]), b = std::log(error);
    s.rows.push_back({ends[k], error});
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  s.value = (n * xy - x * y) / (n * xx - x * x);
  s.conclusion = fmt::format("It grows like t^{:.2f} over these two decades.", s.value);
  return s;
}

}  // namespace actio::bench
