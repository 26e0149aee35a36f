#include <algorithm>
#include <limits>

#include "common/actio_competitor.hpp"
#include "common/contests.hpp"
#include "common/measure.hpp"
#include "pendulum_grid/actio.hpp"

namespace actio::bench {

namespace {

using namespace pendulum_grid;
using double_pendulum::state;

using method_list = std::vector<competitor> (*)(const state& start);

std::vector<state> starts() {
  std::vector<state> all;
  const auto angle = [](std::size_t which, std::size_t k) {
    return first_angles[which] +
           (last_angles[which] - first_angles[which]) * static_cast<double>(k) / static_cast<double>(side - 1);
  };
  for (std::size_t i = 0; i < side; i += stride) {
    for (std::size_t j = 0; j < side; j += stride) all.push_back({angle(0, i), angle(1, j), 0, 0});
  }
  return all;
}

// The methods of a program for one start, one start after the other.
std::vector<competitor> on_grid(method_list methods) {
  std::vector<competitor> all = methods(double_pendulum::start);
  for (std::size_t which = 0; which < all.size(); ++which) {
    all[which].prepare = {};
    all[which].measure_elsewhere = [methods, which](const std::vector<double>& settings) {
      const std::vector<state> from = starts();
      const auto count = static_cast<double>(from.size());
      std::vector<measured_attempt> results;
      for (const double setting : settings) {
        measured_attempt& m = results.emplace_back(measured_attempt{setting, 0, 0, {}});
        for (const state& start : from) {
          const prepared_run run = methods(start)[which].prepare(setting);
          const double before = cpu_seconds();
          const attempt one = run();
          m.seconds += (cpu_seconds() - before) / count;
          m.result.steps += one.steps;
          if (one.end.size() == start.size()) m.result.end.insert(m.result.end.end(), one.end.begin(), one.end.end());
          else m.result.end.insert(m.result.end.end(), start.size(), std::numeric_limits<double>::infinity());
        }
        m.result.steps /= from.size();
      }
      return results;
    };
  }
  return all;
}

// Of the trajectories that all programs move.
double ninth_decile(const std::vector<quad>& exact, const std::vector<double>& ends) {
  const std::size_t apart = ends.size() == exact.size() ? 1 : stride, on_side = side / stride * apart;
  std::vector<double> errors;
  for (std::size_t i = 0; i < on_side; i += apart) {
    for (std::size_t j = 0; j < on_side; j += apart) {
      double error = 0;
      for (std::size_t c = 0; c < 4; ++c) {
        const quad difference = quad(ends[4 * (i * on_side + j) + c]) - exact[4 * errors.size() + c];
        error = std::max(error, std::abs(to_double(difference)));
      }
      errors.push_back(error);
    }
  }
  std::ranges::sort(errors);
  return errors[errors.size() * 9 / 10];
}

}  // namespace

contest pendulum_grid_contest() {
  contest c{.id = "pendulum-grid",
            .title = "Double pendulums of a grid",
            .statement =
                "m = l = 1, g = 9.81, q1 = 0.3 … 1.2 and q2 = π/6 … π/3 in 64 steps each, at rest; to t = 10; times "
                "are those of a trajectory, actio's with certificates; what it sets up is the choice of steps",
            .error_means = "ninth decile of the trajectories' largest errors of angles and momenta at t = 10",
            .targets = {1e-6, 1e-8, 1e-10, 1e-12},
            .reference =
                [] {
                  const quad_ends exact = quad_ends_of(starts());
                  return reference_answer{[ends = exact.ends](const attempt& a) { return ninth_decile(ends, a.end); },
                                          exact.uncertainty, "actio gauss-10 at quad precision, 160 and 240 steps"};
                },
            .competitors = {actio_ensemble()}};
  append(c.competitors, on_grid(odeint_from));
#ifdef ACTIO_BENCH_SUNDIALS
  append(c.competitors, on_grid(sundials_from));
#endif
  return c;
}

}  // namespace actio::bench
