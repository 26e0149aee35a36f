#include "common/actio_competitor.hpp"
#include "common/contests.hpp"
#include "problems/problem.hpp"
#include "three_body/equations.hpp"

namespace actio::bench {

contest three_body_contest() {
  const model m = parse_model(std::string(find_problem("pythagorean-three-body")->text), "pythagorean-three-body");
  contest c{.id = "three-body",
            .title = "Pythagorean three-body problem",
            .statement = "masses 3, 4 and 5 from rest, with close encounters; to t = 30",
            .error_means = "largest error of positions and momenta at the end",
            .targets = {1e-4, 1e-6, 1e-8, 1e-10},
            .reference = [m] { return many_digit_reference(m, "30", 12); },
            .competitors = {actio_adaptive(m, "30", tolerances(-4, -13))}};
  append(c.competitors, three_body::odeint_methods());
#ifdef ACTIO_BENCH_SUNDIALS
  append(c.competitors, three_body::sundials_methods());
#endif
  return c;
}

}  // namespace actio::bench
