#include "common/actio_competitor.hpp"
#include "common/contests.hpp"
#include "common/external.hpp"
#include "kepler/equations.hpp"
#include "problems/problem.hpp"

namespace actio::bench {

contest kepler_contest() {
  using namespace kepler;
  contest c{.id = "kepler",
            .title = "Kepler's problem",
            .statement = "GM = 1, eccentricity 0.6, from the perihelion; to t = 200π, a hundred orbits",
            .error_means = "largest error of positions and momenta at the end",
            .targets = {1e-4, 1e-6, 1e-8, 1e-10, 1e-11},
            .reference =
                [] {
                  // After whole orbits the planet is where it began.
                  const model m = parse_model(std::string(find_problem("kepler")->text), "kepler");
                  const auto motion = find_problem("kepler")->exact.of<quad>(m);
                  std::vector<quad> end, begin;
                  const auto fill = [&](std::vector<quad>& at, const quad& t) {
                    const auto p = motion(t);
                    at = p.position;
                    at.insert(at.end(), p.momentum.begin(), p.momentum.end());
                  };
                  fill(begin, quad(0));
                  fill(end, quad(200 * pi_value<quad>()));
                  double apart = 0;
                  for (std::size_t i = 0; i < end.size(); ++i) {
                    apart = std::max(apart, std::abs(to_double(quad(end[i] - begin[i]))));
                  }
                  return reference_answer{largest_error(end, 4), apart, "the exact motion at its end and at its start"};
                },
            .energy =
                [](const std::vector<double>& y) {
                  const double first = -0.5;
                  const double now = (y[2] * y[2] + y[3] * y[3]) / 2 - 1 / std::sqrt(y[0] * y[0] + y[1] * y[1]);
                  return (now - first) / std::abs(first);
                },
            .competitors = actio_methods()};
  append(c.competitors, odeint_methods());
#ifdef ACTIO_BENCH_SUNDIALS
  append(c.competitors, sundials_methods());
#endif
  c.competitors.push_back(
      python_competitor("SciPy", "DOP853", "kepler/scipy_dop853.py", {1e-6, 1e-8, 1e-10, 1e-12, 1e-13}));
  return c;
}

}  // namespace actio::bench
