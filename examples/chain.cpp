// A chain of n masses between two walls, written in C++: its slowest normal mode comes back after one period.
#include <actio/actio.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

using namespace actio;

model chain_of(std::size_t n) {
  return model_builder("chain")
      .parameter("m", 2)
      .parameter("k", 50)
      .coordinates("q", n)
      .lagrangian([](const model_symbols& s) {
        const expr m = s.parameter("m"), k = s.parameter("k");
        expr L, left = 0;  // the walls are at zero
        for (std::size_t i = 0; i < s.size(); ++i) {
          L += m * pow(s.velocity(i), 2) / 2 - k * pow(s.position(i) - left, 2) / 2;
          left = s.position(i);
        }
        return L - k * pow(left, 2) / 2;
      })
      .initial_position(std::vector<double>(n, 0))
      .initial_velocity(std::vector<double>(n, 0))
      .build();
}

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 12;
  const double half_angle = std::numbers::pi / (2 * (static_cast<double>(n) + 1));
  const double period = 2 * std::numbers::pi / (2 * std::sqrt(50.0 / 2) * std::sin(half_angle));

  std::vector<double> mode, rest(n, 0);
  for (std::size_t i = 1; i <= n; ++i) mode.push_back(std::sin(2 * half_angle * static_cast<double>(i)));

  constexpr std::size_t steps = 200;
  const integrator<double> flow(chain_of(n).system, {.method = "gauss-4", .step = period / steps});
  phase_state<double> state = flow.at_velocity(mode, rest);
  const run_report<double> report = run(flow, state, steps);

  double farthest = 0;
  for (std::size_t i = 0; i < n; ++i) farthest = std::max(farthest, std::abs(state.position[i] - mode[i]));
  std::printf("%zu masses, period %.6f: back to %.1e, energy error %.1e\n", n, period, farthest,
              report.energy.max_relative_error);
  return farthest < 1e-9 ? 0 : 1;
}
