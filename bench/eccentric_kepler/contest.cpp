#include "common/actio_competitor.hpp"
#include "common/contests.hpp"
#include "eccentric_kepler/equations.hpp"
#include "problems/problem.hpp"

namespace actio::bench {

contest eccentric_kepler_contest() {
  std::string text(find_problem("kepler")->text);
  const std::string given = "e  = 0.6";
  text.replace(text.find(given), given.size(), "e = 0.9");
  const model m = parse_model(text, "kepler");
  contest c{.id = "eccentric-kepler",
            .title = "Kepler's problem, eccentricity 0.9",
            .statement = "GM = 1, from the perihelion; to t = 20π, ten orbits",
            .error_means = "largest error of positions and momenta at the end",
            .targets = {1e-4, 1e-6, 1e-8, 1e-10},
            .reference = [m] { return many_digit_reference(m, "20*pi", 4); },
            .competitors = {actio_adaptive(m, "20*pi", tolerances(-4, -13))}};
  append(c.competitors, eccentric_kepler::odeint_methods());
#ifdef ACTIO_BENCH_SUNDIALS
  append(c.competitors, eccentric_kepler::sundials_methods());
#endif
  return c;
}

}  // namespace actio::bench
