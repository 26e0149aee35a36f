#include "common/actio_competitor.hpp"
#include "common/contests.hpp"
#include "pleiades/equations.hpp"
#include "problems/problem.hpp"

namespace actio::bench {

contest pleiades_contest() {
  const model m = parse_model(std::string(find_problem("pleiades")->text), "pleiades");
  contest c{.id = "pleiades",
            .title = "Pleiades",
            .statement = "seven bodies in a plane with near collisions; to t = 3",
            .error_means = "largest error of positions and momenta at the end",
            .targets = {1e-4, 1e-6, 1e-8, 1e-10},
            .reference = [m] { return many_digit_reference(m, "3", 28); },
            .competitors = {actio_adaptive(m, "3", tolerances(-4, -13))}};
  append(c.competitors, pleiades::odeint_methods());
#ifdef ACTIO_BENCH_SUNDIALS
  append(c.competitors, pleiades::sundials_methods());
#endif
  return c;
}

}  // namespace actio::bench
