// A force that the program computes: drag on a falling body, in air whose density stands in a table. It is asked at
// every node of every step, so that the method keeps its order and the certificate its ledger.
#include <actio/actio.hpp>
#include <cmath>
#include <cstdio>

using namespace actio;

namespace {

// kg/m³ every 4000 m, the standard atmosphere; the logarithm is interpolated by a cubic, so that the force is smooth.
double density(double height) {
  constexpr double table[] = {1.225, 0.8194, 0.5258, 0.3119, 0.1665, 0.08891, 0.04694};
  const double x = std::min(height / 4000, 4.999);
  const int k = std::max(1, static_cast<int>(x));
  const double s = x - k;
  double value[4];
  for (int i = 0; i < 4; ++i) value[i] = std::log(table[k - 1 + i]);
  const double rise = (value[2] - value[0]) / 2, next = (value[3] - value[1]) / 2, step = value[2] - value[1];
  return std::exp(value[1] + s * (rise + s * (3 * step - 2 * rise - next + s * (rise + next - 2 * step))));
}

}  // namespace

int main() {
  const double area = 0.7;
  force_function drag;
  drag.in_double = [&](double, std::span<const double> q, std::span<const double> v, std::span<double> force) {
    force[0] = -area / 2 * density(q[0]) * v[0] * std::abs(v[0]);
  };
  const model jump = model_builder("a jump from 12 km")
                         .coordinate("height")
                         .parameter("mass", 90)
                         .lagrangian("mass*height'^2/2 - mass*9.81*height")
                         .force(std::make_shared<const force_function>(drag))
                         .initial_position({12000})
                         .initial_velocity({0})
                         .build();
  const integrator<double> flow(jump.system, {.method = "gauss-4", .step = 0.1});
  phase_state<double> state = flow.at_start(jump);
  const run_report<double> report = run(flow, state, 1500);

  const double speed = -state.momentum[0] / 90,
               balance = std::sqrt(2 * 90 * 9.81 / (area * density(state.position[0])));
  std::printf("after %.0f s at %.0f m: %.1f m/s, where drag and weight balance at %.1f m/s\n", report.time,
              state.position[0], speed, balance);
  std::printf("the air took %.1f kJ, and the ledger of energy is right to %.1e\n", -report.energy.work / 1000,
              report.energy.max_relative_error);
  return std::abs(speed / balance - 1) < 0.02 && report.energy.max_relative_error < 1e-7 ? 0 : 1;
}
