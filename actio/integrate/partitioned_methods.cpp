// The Lobatto IIIA–IIIB pairs: symplectic partitioned Runge–Kutta methods on Hamilton's equations.
#include "actio/integrate/partitioned_methods.hpp"

#include <fmt/format.h>

#include "actio/integrate/partitioned_step.hpp"

namespace actio {

std::vector<method> partitioned_methods() {
  std::vector<method> methods;
  for (std::size_t stages = 2; stages <= 5; ++stages) {
    const int order = static_cast<int>(2 * stages - 2);
    methods.push_back(with_factory(
        needing_lagrangian(
            {.name = fmt::format("lobatto-iiia-iiib-{}", stages),
             .aliases = {},
             .traits = {.order = order, .symplectic = true, .symmetric = true, .conserves_momenta = true},
             .summary =
                 fmt::format("Lobatto IIIA-IIIB pair of {} stages on Hamilton's equations: order {}", stages, order),
             .formula = fmt::format("{} stages: Q_i = q0 + h sum a_ij H_p(Q_j, P_j) by collocation at Lobatto nodes, "
                                    "P_i = p0 - h sum A_ij H_q(Q_j, P_j) with b_i A_ij + b_j a_ji = b_i b_j; "
                                    "the same as {} where L = v.Mv/2 - V(q) with constant M",
                                    stages,
                                    stages == 2   ? "verlet"
                                    : stages == 3 ? "simpson"
                                                  : fmt::format("lobatto-{}", stages)),
             .reference = "jay1996, hairer2006",
             .why_unheld = "its stages have no place for the forces of constraints; the Galerkin Lobatto methods do",
             .solver = step_solver::newton,
             .takes_guess = true}),
        [stages]<class S>(const step_context<S>& context) {
          return std::unique_ptr<step_workspace<S>>(std::make_unique<partitioned_step<S>>(stages, context));
        }));
  }
  return methods;
}

}  // namespace actio
