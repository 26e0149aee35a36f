#include "common/actio_competitor.hpp"
#include "kepler/equations.hpp"
#include "problems/problem.hpp"

namespace actio::bench::kepler {

std::vector<competitor> actio_methods() {
  const model m = parse_model(std::string(find_problem("kepler")->text), "kepler");
  const std::string until = "200*pi";
  return {actio_method(m, "simpson", until, step_counts(32000, 512000)),
          actio_method(m, "yoshida-8", until, step_counts(8000, 128000)),
          actio_method(m, "mclachlan-8", until, step_counts(8000, 128000)),
          actio_method(m, "lobatto-5", until, step_counts(4000, 32000)),
          actio_method(m, "gauss-4", until, step_counts(4000, 32000)),
          actio_method(m, "gauss-6", until, step_counts(2000, 8000, 2)),
          actio_method(m, "gauss-8", until, step_counts(1000, 5657, 2)),
          actio_method(m, "gauss-10", until, step_counts(1000, 4000, 2))};
}

}  // namespace actio::bench::kepler
