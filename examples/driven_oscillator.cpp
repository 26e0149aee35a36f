// A damped oscillator that is driven: where the energy comes from and goes to, and the amplitude it settles at.
#include <actio/actio.hpp>
#include <cmath>
#include <cstdio>

using namespace actio;

// The largest |q| over the last periods of the drive.
class swing_watch final : public observer<double> {
 public:
  void observe(const sample<double>& now) override {
    if (now.state.time > 150) amplitude = std::max(amplitude, std::abs(now.state.position[0]));
  }
  double amplitude = 0;
};

int main() {
  const model oscillator = model_builder("driven oscillator")
                               .coordinate("q")
                               .parameter("k", 4)
                               .parameter("c", 0.2)
                               .parameter("drive", 1.5)
                               .lagrangian("q'^2/2 - k*q^2/2")
                               .force("q",
                                      [](const model_symbols& s) {
                                        return cos(s.parameter("drive") * s.time()) - s.parameter("c") * s.velocity(0);
                                      })
                               .initial_position({1})
                               .initial_velocity({0})
                               .build();

  const integrator<double> flow(oscillator.system, {.method = "gauss-3", .step = 0.02});
  phase_state<double> state = flow.at_start(oscillator);
  const auto workspace = flow.make_workspace();
  swing_watch watch;
  const auto report = run(flow, *workspace, state, run_options<double>{.steps = 10'000, .observers = {&watch}});

  const auto& energy = report.energy;
  std::printf("energy %.6f at first, %.6f at last; forces did work of %.6f\n", energy.initial, energy.final,
              energy.work);
  std::printf("the ledger is right to %.1e\n", energy.max_relative_error);
  const double expected = 1 / std::hypot(4 - 1.5 * 1.5, 0.2 * 1.5);
  std::printf("amplitude %.6f, theory %.6f\n", watch.amplitude, expected);
  return energy.max_relative_error < 1e-8 && std::abs(watch.amplitude - expected) < 1e-4 ? 0 : 1;
}
