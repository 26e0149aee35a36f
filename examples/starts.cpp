// An ensemble: one pendulum let go at a list of angles, eight at a time in the lanes of the processor.
#include <actio/actio.hpp>
#include <cmath>
#include <cstdio>

using namespace actio;

int main() {
  const model pendulum = model_builder("pendulum")
                             .coordinate("q")
                             .lagrangian("q'^2/2 + cos(q)")
                             .initial_position({0})
                             .initial_velocity({0})
                             .option("method", "gauss-4")
                             .option("step", 0.05)
                             .option("until", 20)
                             .build();

  ensemble_simulation_options options;
  options.sweeps.push_back(sweep_over("q", std::vector{0.1, 0.5, 1.0, 2.0, 3.0, 3.14}));
  std::vector<trajectory_result> motions;
  options.collect = [&motions](const trajectory_result& motion) { motions.push_back(motion); };
  const ensemble_report report = simulate_ensemble(pendulum, options).report;

  // Each of them is what a run of its own would be.
  const integrator<double> flow(pendulum.system, {.method = "gauss-4", .step = 0.05});
  double farthest = 0;
  for (const trajectory_result& motion : motions) {
    phase_state<double> state = flow.at_velocity({motion.start.values[0]}, {0});
    run(flow, state, motion.steps);
    farthest = std::max(farthest, std::abs(state.position[0] - motion.position[0]));
    std::printf("  from %.4f to %+.6f, energy error %.1e\n", motion.start.values[0], motion.position[0],
                motion.energy_error);
  }
  std::printf("%zu of %zu are done; beside runs of their own they differ by %.1e\n", report.done(), report.planned,
              farthest);
  return report.done() == 6 && farthest < 1e-9 ? 0 : 1;
}
