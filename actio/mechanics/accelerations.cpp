#include "actio/mechanics/accelerations.hpp"

#include <utility>

#include "actio/expr/derivative.hpp"
#include "actio/mechanics/hamiltonian_map.hpp"

namespace actio {

expr_map<expr> known_accelerations(const lagrangian_system& system) {
  expr_map<expr> known;
  if (system.has_lagrangian()) return known;
  std::vector<std::pair<expr, expr>> rates{{time_symbol(), expr(1)}};
  std::vector<expr> velocity = system.equations;
  if (system.is_hamiltonian()) {
    const hamilton_equations motion = hamilton_equations_of(system);
    velocity = motion.velocity;
    const std::vector<expr> p = system.momenta();
    for (std::size_t i = 0; i < p.size(); ++i) rates.emplace_back(p[i], motion.force[i]);
  }
  for (std::size_t i = 0; i < velocity.size(); ++i) rates.emplace_back(system.coordinates[i], velocity[i]);
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    known.emplace(acceleration_symbol(system.coordinates[i]), total_derivative(velocity[i], rates));
  }
  return known;
}

std::vector<expr> acceleration_equations(const lagrangian_system& system) {
  std::vector<expr> residuals = euler_lagrange_equations(system), mass;
  std::vector<expr> accelerations;
  expr_map<expr> none;
  for (const expr& q : system.coordinates) {
    accelerations.push_back(acceleration_symbol(q));
    none.emplace(accelerations.back(), expr(0));
  }
  for (const expr& r : residuals) {
    const std::vector<expr> row = gradient(r, accelerations);
    mass.insert(mass.end(), row.begin(), row.end());
  }
  residuals = substitute(residuals, none);
  residuals.insert(residuals.end(), mass.begin(), mass.end());
  return residuals;
}

}  // namespace actio
