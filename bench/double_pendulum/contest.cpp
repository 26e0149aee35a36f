#include "common/actio_competitor.hpp"
#include "common/contests.hpp"
#include "common/external.hpp"
#include "double_pendulum/equations.hpp"

namespace actio::bench {

using namespace double_pendulum;

contest double_pendulum_contest() {
  contest c{.id = "double-pendulum",
            .title = "Double pendulum",
            .statement = "m = l = 1, g = 9.81, q = (π/4, π/3), at rest; to t = 10",
            .error_means = "largest error of the angles and momenta at t = 10",
            .targets = {1e-6, 1e-8, 1e-10, 1e-12, 1e-13},
            .reference =
                [] {
                  const model m = read_model(ACTIO_BENCH_DIR "/double_pendulum/model.toml");
                  const quad_end exact = quad_reference(m, "gauss-10", "10", 160, 240);
                  return reference_answer{largest_error(exact.end, 4), exact.uncertainty,
                                          "actio gauss-10 at quad precision, 160 and 240 steps"};
                },
            .energy =
                [](const std::vector<double>& y) {
                  const double c = std::cos(y[0] - y[1]);
                  const auto energy = [](double kinetic, double q1, double q2) {
                    return kinetic - 2 * gravity * std::cos(q1) - gravity * std::cos(q2);
                  };
                  const double kinetic = (y[2] * y[2] + 2 * y[3] * y[3] - 2 * c * y[2] * y[3]) / (2 * (2 - c * c));
                  const double first = energy(0, start[0], start[1]);
                  return (energy(kinetic, y[0], y[1]) - first) / std::abs(first);
                },
            .competitors = actio_methods(),
            .alike = {{"actio simpson", "hand-written simpson"}, {"actio gauss-8", "hand-written gauss-8"}}};
  c.competitors.push_back(hand_written_simpson());
  append(c.competitors, hand_written_gauss());
  append(c.competitors, odeint_methods());
#ifdef ACTIO_BENCH_SUNDIALS
  append(c.competitors, sundials_methods());
#endif
  c.competitors.push_back(python_competitor("SciPy", "DOP853", "double_pendulum/scipy_dop853.py", tolerances(-6, -13)));
  return c;
}

}  // namespace actio::bench
