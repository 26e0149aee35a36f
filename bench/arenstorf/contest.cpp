#include "arenstorf/equations.hpp"
#include "common/actio_competitor.hpp"
#include "common/contests.hpp"
#include "problems/problem.hpp"

namespace actio::bench {

contest arenstorf_contest() {
  const model m = parse_model(std::string(find_problem("arenstorf")->text), "arenstorf");
  contest c{.id = "arenstorf",
            .title = "Arenstorf orbit",
            .statement = "a satellite of earth and moon in the turning frame; one period of a closed orbit",
            .error_means = "largest error of positions and momenta at the end",
            .targets = {1e-4, 1e-6, 1e-8, 1e-10},
            .reference = [m] { return many_digit_reference(m, "period", 4); },
            .competitors = {actio_adaptive(m, "period", tolerances(-4, -13))}};
  append(c.competitors, arenstorf::odeint_methods());
#ifdef ACTIO_BENCH_SUNDIALS
  append(c.competitors, arenstorf::sundials_methods());
#endif
  return c;
}

}  // namespace actio::bench
