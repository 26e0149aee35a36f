// A pendulum in Cartesian coordinates: the force in its rod along the run, from the multiplier of the constraint.
#include <actio/actio.hpp>
#include <cmath>
#include <cstdio>

using namespace actio;

// The rod pulls with 2|λ|l, for the constraint force is λ ∂g/∂q = 2λ(x, y); theory says m (g cos θ + v²/l).
class rod_watch final : public observer<double> {
 public:
  void observe(const sample<double>& now) override {
    const double x = now.state.position[0], y = now.state.position[1];
    const auto v = now.point.velocity();
    const double pull = -2 * now.point.multipliers()[0] * length;
    const double expected = mass * (gravity * -y / length + (v[0] * v[0] + v[1] * v[1]) / length);
    largest_error = std::max(largest_error, std::abs(pull - expected));
    if (now.state.index % 20 == 0) std::printf("  t = %.1f  x = %+.4f  pull = %7.4f\n", now.state.time, x, pull);
  }

  static constexpr double mass = 1.5, length = 2, gravity = 9.81;
  double largest_error = 0;
};

int main() {
  const model pendulum = model_builder("pendulum on a rod")
                             .coordinates({"x", "y"})
                             .parameter("m", rod_watch::mass)
                             .parameter("l", rod_watch::length)
                             .parameter("g", rod_watch::gravity)
                             .lagrangian("1/2*m*(x'^2 + y'^2) - m*g*y")
                             .constraint("rod", "x^2 + y^2 - l^2")
                             .initial_position({"l*sin(2)", "-l*cos(2)"})
                             .initial_velocity({0, 0})
                             .build();

  const integrator<double> flow(pendulum.system, {.method = "simpson", .step = 0.01});
  phase_state<double> state = flow.at_start(pendulum);
  const auto workspace = flow.make_workspace();
  rod_watch watch;
  const auto report = run(flow, *workspace, state, run_options<double>{.steps = 200, .observers = {&watch}});

  std::printf("the rod keeps its length to %.1e, its pull is right to %.1e\n", report.constraints.max_violation,
              watch.largest_error);
  return report.constraints.max_violation < 1e-14 && watch.largest_error < 1e-10 ? 0 : 1;
}
