#include "common/actio_competitor.hpp"
#include "lagrange_top/equations.hpp"
#include "problems/problem.hpp"

namespace actio::bench::lagrange_top {

std::vector<competitor> actio_methods() {
  const model m = parse_model(std::string(find_problem("lagrange-top")->text), "lagrange-top");
  const std::string until = "1000*nutation_period";
  return {actio_method(m, "simpson", until, step_counts(100000, 400000)),
          actio_method(m, "gauss-4", until, step_counts(20000, 160000)),
          actio_method(m, "gauss-6", until, step_counts(10000, 40000, 2)),
          actio_method(m, "gauss-8", until, step_counts(7000, 28000, 2)),
          actio_method(m, "gauss-10", until, step_counts(5000, 20000, 2))};
}

}  // namespace actio::bench::lagrange_top
