#include "common/actio_competitor.hpp"
#include "outer_solar_system/equations.hpp"
#include "problems/problem.hpp"

namespace actio::bench::outer_solar_system {

std::vector<competitor> actio_methods() {
  const model m = parse_model(std::string(find_problem("outer-solar-system")->text), "outer-solar-system");
  const std::string until = "20000";
  return {actio_method(m, "simpson", until, step_counts(200, 3200)),
          actio_method(m, "yoshida-8", until, step_counts(100, 3200)),
          actio_method(m, "mclachlan-8", until, step_counts(50, 1600)),
          actio_method(m, "gauss-4", until, step_counts(20, 905, 2)),
          actio_method(m, "gauss-6", until, step_counts(14, 224, 2)),
          actio_method(m, "gauss-8", until, step_counts(10, 113, 2)),
          actio_method(m, "gauss-10", until, step_counts(10, 80, 2))};
}

}  // namespace actio::bench::outer_solar_system
