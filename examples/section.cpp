// A Poincaré section of the Hénon–Heiles system: where motions of one energy go through x = 0.
#include <actio/actio.hpp>
#include <cmath>
#include <cstdio>

using namespace actio;

int main() {
  // All of energy 1/12, with y as the ensemble varies it: x' follows from the energy.
  const model henon_heiles = model_builder("Hénon–Heiles")
                                 .coordinates({"x", "y"})
                                 .parameter("y0", 0)
                                 .lagrangian("(x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3")
                                 .initial_position({0, "y0"})
                                 .initial_velocity({"sqrt(2*(1/12 - y0^2/2 + y0^3/3))", 0})
                                 .option("method", "gauss-5")
                                 .option("step", 0.1)
                                 .option("until", 300)
                                 .build();

  ensemble_simulation_options options;
  options.given = typed_options({{"poincare", "x"}});  // upwards
  options.sweeps.push_back({"y0=-0.2:0.3:6", {}, "starts"});
  double off_surface = 0, off_energy = 0;
  std::size_t points = 0;
  options.collect = [&](const trajectory_result& motion) {
    for (std::size_t k = 0; k + 5 <= motion.crossings.size(); k += 5) {  // t, x, y, p_x, p_y
      const double x = motion.crossings[k + 1], y = motion.crossings[k + 2];
      const double px = motion.crossings[k + 3], py = motion.crossings[k + 4];
      if (k == 0) std::printf("  from y = %+.1f first at (y, p_y) = (%+.4f, %+.4f)\n", motion.start.values[0], y, py);
      off_surface = std::max(off_surface, std::abs(x));
      const double energy = (px * px + py * py + x * x + y * y) / 2 + x * x * y - y * y * y / 3;
      off_energy = std::max(off_energy, std::abs(energy - 1.0 / 12));
      ++points;
    }
  };
  const ensemble_report report = simulate_ensemble(henon_heiles, options).report;

  std::printf("%zu points by %zu motions, on the surface to %.1e, with their energy to %.1e\n", points, report.done(),
              off_surface, off_energy);
  return points == report.crossings && points > 200 && off_surface < 1e-14 && off_energy < 1e-10 ? 0 : 1;
}
