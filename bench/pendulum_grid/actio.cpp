#include "pendulum_grid/actio.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "actio/analysis/ensemble_choice.hpp"
#include "common/actio_competitor.hpp"
#include "common/measure.hpp"

namespace actio::bench::pendulum_grid {

namespace {

using double_pendulum::until;

attempt ends_of(const ensemble_plan& plan, const ensemble_options& options) {
  attempt result;
  std::size_t steps = 0;
  const ensemble_report report = run_ensemble(plan, options, [&](const trajectory_result& r) {
    result.end.insert(result.end.end(), r.position.begin(), r.position.end());
    result.end.insert(result.end.end(), r.momentum.begin(), r.momentum.end());
    steps += r.steps;
  });
  if (report.failed() > 0) throw std::runtime_error("trajectories of the grid failed");
  result.steps = steps / plan.size();
  return result;
}

ensemble_plan pendulums() {
  return {read_model(ACTIO_BENCH_DIR "/double_pendulum/model.toml"),
          {.sweeps = {{"q1", first_angles[0], last_angles[0], side}, {"q2", first_angles[1], last_angles[1], side}}}};
}

}  // namespace

quad_ends quad_ends_of(const std::vector<double_pendulum::state>& starts) {
  const model m = read_model(ACTIO_BENCH_DIR "/double_pendulum/model.toml");
  quad_ends result;
  for (const double_pendulum::state& start : starts) {
    std::vector<quad> last;
    for (const double count : {160, 240}) {
      const integrator<quad> flow(m.system, {.method = "gauss-10", .step = quad(until) / quad(count)});
      auto state = flow.at_momentum({quad(start[0]), quad(start[1])}, {quad(start[2]), quad(start[3])});
      const auto workspace = flow.make_workspace();
      while (state.index < static_cast<std::size_t>(count)) {
        if (!workspace->advance(state)) throw std::runtime_error("a reference of double pendulums was not reached");
      }
      std::vector<quad> end = state.position.value;
      end.insert(end.end(), state.momentum.value.begin(), state.momentum.value.end());
      for (std::size_t c = 0; c < last.size(); ++c) {
        result.uncertainty = std::max(result.uncertainty, std::abs(to_double(quad(end[c] - last[c]))));
      }
      last = std::move(end);
    }
    result.ends.insert(result.ends.end(), last.begin(), last.end());
  }
  return result;
}

competitor actio_ensemble() {
  return {.family = "actio",
          .name = "--accuracy",
          .knob = "accuracy",
          .settings = tolerances(-5, -12),
          .prepare = {},
          .measure_elsewhere = [](const std::vector<double>& accuracies) {
            constexpr int rounds = 3;
            const double infinity = std::numeric_limits<double>::infinity();
            const ensemble_plan plan = pendulums();
            const auto count = static_cast<double>(plan.size());
            std::vector<measured_attempt> all;
            for (const double accuracy : accuracies) {
              measured_attempt& m = all.emplace_back(measured_attempt{accuracy, infinity, 0, {}});
              ensemble_options options;
              const double before = cpu_seconds();
              choose_paces(plan, {.accuracy = accuracy, .until = until}, options);
              m.setup_seconds = (cpu_seconds() - before) / count;
              for (int round = 0; round < rounds; ++round) {
                const double begins = cpu_seconds();
                m.result = ends_of(plan, options);
                m.seconds = std::min(m.seconds, (cpu_seconds() - begins) / count);
              }
            }
            return all;
          }};
}

}  // namespace actio::bench::pendulum_grid
