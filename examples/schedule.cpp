// Parameters that change between steps: a pendulum whose gravity is turned up slowly keeps its action E/ω.
#include <actio/actio.hpp>
#include <cmath>
#include <cstdio>

using namespace actio;

int main() {
  const model pendulum = model_builder("pendulum")
                             .coordinate("q")
                             .parameter("g", 1)
                             .lagrangian("q'^2/2 - g*(1 - cos(q))")
                             .initial_position({0.02})
                             .initial_velocity({0})
                             .build();
  const integrator<double> flow(pendulum.system, {.method = "gauss-3", .step = 0.05});
  phase_state<double> state = flow.at_start(pendulum);
  const auto workspace = flow.make_workspace();

  // Nothing is derived or compiled anew: a change of parameters costs less than a step.
  constexpr int steps = 40'000;
  double g = 1, first = 0, largest_change = 0;
  for (int k = 0; k < steps; ++k) {
    g = 1 + 3.0 * k / steps;
    workspace->set_parameters(std::vector{g});
    if (!workspace->advance(state)) return 1;
    const double q = state.position[0], p = state.momentum[0];
    const double action = (p * p / 2 + g * (1 - std::cos(q))) / std::sqrt(g);
    if (k == 0) first = action;
    largest_change = std::max(largest_change, std::abs(action / first - 1));
    if (k % 10'000 == 0) std::printf("  t = %4.0f  g = %.2f  action %.6e\n", state.time, g, action);
  }
  std::printf("gravity grew to %.2f, the action changed by %.1e of itself\n", g, largest_change);
  return largest_change < 2e-3 ? 0 : 1;
}
