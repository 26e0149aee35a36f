// A control loop: a torque, chosen before each step from what is measured, holds a pendulum upright.
#include <actio/actio.hpp>
#include <cmath>
#include <cstdio>

using namespace actio;

int main() {
  const model pendulum = model_builder("upright pendulum")
                             .coordinate("q")  // 0 is upright
                             .parameter("torque", 0)
                             .lagrangian("q'^2/2 - cos(q)")
                             .force("q", "torque")
                             .initial_position({0.4})
                             .initial_velocity({0})
                             .build();
  const integrator<double> flow(pendulum.system, {.method = "simpson", .step = 0.02});
  phase_state<double> state = flow.at_start(pendulum);
  const auto workspace = flow.make_workspace();

  double largest_torque = 0;
  run_options<double> options{.steps = 1000};
  options.control = [&](const phase_state<double>& now, const phase_point<double>& point,
                        std::span<double> parameters) {
    parameters[0] = -3 * now.position[0] - 2 * point.velocity()[0];
    largest_torque = std::max(largest_torque, std::abs(parameters[0]));
  };
  const run_report<double> report = run(flow, *workspace, state, options);

  std::printf("after %.0f the pendulum is %.1e off upright; the torque was at most %.3f\n", report.time,
              std::abs(state.position[0]), largest_torque);
  std::printf("it did work of %.6f, and the ledger of energy is right to %.1e\n", report.energy.work,
              report.energy.max_relative_error);
  return std::abs(state.position[0]) < 1e-6 && report.energy.max_relative_error < 1e-7 ? 0 : 1;
}
