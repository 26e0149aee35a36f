// Bodies in a plane that attract one another: nobody tells actio what is conserved, it finds and follows it.
#include <actio/actio.hpp>
#include <cstdio>

using namespace actio;

int main() {
  const std::vector<double> masses{1, 0.5, 0.25};
  const std::size_t n = masses.size();

  model_builder builder("three planets");
  builder.coordinates("x", n).coordinates("y", n);
  for (std::size_t i = 0; i < n; ++i) builder.parameter("m" + std::to_string(i + 1), masses[i]);
  builder.lagrangian([n](const model_symbols& s) {
    const auto mass = [&s](std::size_t i) { return s.parameter("m" + std::to_string(i + 1)); };
    expr L;
    for (std::size_t i = 0; i < n; ++i) {
      L += mass(i) * (pow(s.velocity(i), 2) + pow(s.velocity(n + i), 2)) / 2;
      for (std::size_t j = 0; j < i; ++j) {
        const expr dx = s.position(i) - s.position(j), dy = s.position(n + i) - s.position(n + j);
        L += mass(i) * mass(j) / sqrt(dx * dx + dy * dy);
      }
    }
    return L;
  });
  const model planets =
      builder.initial_position({-0.3, 1, -2, 0, 0, 0}).initial_velocity({0, 0, 0, -0.35, 1.0, -0.7}).build();

  const integrator<double> flow(planets.system, {.method = "gauss-6", .step = 0.02});
  phase_state<double> state = flow.at_start(planets);
  const run_report<double> report = run(flow, state, 2000);

  std::printf("%zu steps, energy %.6f with an error of %.1e\n", report.steps, report.energy.initial,
              report.energy.max_relative_error);
  double largest = 0;
  for (const auto& momentum : report.momenta) {
    std::printf("  %-24s %+.6f, changed by %.1e\n", momentum.name.c_str(), momentum.initial, momentum.max_error);
    largest = std::max(largest, momentum.max_error);
  }
  // Two translations and a rotation.
  return report.momenta.size() == 3 && largest < 1e-11 ? 0 : 1;
}
