// Accelerations along a motion, as expressions or as equations for them.
#pragma once

#include <vector>

#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// What q'' is, where it is known as an expression: d/dt of H_p where H is given, of f where y' = f(t, y) is. Empty
// where there is a Lagrangian.
expr_map<expr> known_accelerations(const lagrangian_system& system);

// Of a Lagrangian: the residual of the Euler–Lagrange equations at q'' = 0, then ∂²L/∂q'² by rows; their solution is
// −q''. Without constraints.
std::vector<expr> acceleration_equations(const lagrangian_system& system);

}  // namespace actio
