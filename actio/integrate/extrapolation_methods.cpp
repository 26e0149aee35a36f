// Extrapolation of symmetric rules, for those who want an answer of a given accuracy rather than a structure.
#include "actio/integrate/extrapolation_step.hpp"
#include "actio/integrate/method_families.hpp"

namespace actio {

std::vector<method> extrapolation_methods() {
  return {made_by<extrapolation_step>(
      {.name = "extrapolation",
       .aliases = {"gragg-bulirsch-stoer", "bulirsch-stoer"},
       .traits = {.order = 2 * static_cast<int>(extrapolation_step<double>::usual_rows)},
       .summary = "Gragg–Bulirsch–Stoer extrapolation: chooses order and step by an accuracy; not symplectic",
       .formula = "T_k = Σ_j w_j y_j, where y_j is the motion over a step H by the midpoint rule with 2j parts "
                  "(Störmer's rule with j parts where the mass is constant and forces do not depend on velocities) "
                  "and w_j = Π_i n_j²/(n_j² − n_i²); with an accuracy, k and H follow from T_k less the same without "
                  "y_1, otherwise k = 2 and H is the step",
       .reference = "gragg1965, hairer1993",
       .asks_for_field = true,
       .chooses_steps = true})};
}

}  // namespace actio
