#include "actio/mechanics/separability.hpp"

#include <array>

#include "actio/expr/derivative.hpp"
#include "actio/mechanics/random_points.hpp"

namespace actio {

namespace {

bool vanishes(const lagrangian_system& system, const expr& e, const expr& whole, const expr& slope) {
  const std::array references{whole, slope};
  return e.is_zero() || !find_nonzero_sum(system, std::span(&e, 1), references);
}

}  // namespace

std::optional<std::string> find_coupling(const lagrangian_system& system) {
  const std::vector<expr> v = system.velocities();
  std::vector<expr> others = system.coordinates;
  others.push_back(time_symbol());
  const std::vector<expr> momenta = gradient(system.lagrangian, v);
  for (std::size_t j = 0; j < v.size(); ++j) {
    const std::vector<expr> mixed = gradient(momenta[j], others);
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (vanishes(system, mixed[i], system.lagrangian, momenta[j])) continue;
      return "the Lagrangian couples " + others[i].name() + " with " + v[j].name();
    }
  }
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    const std::vector<expr> slopes = gradient(system.forces[i], v);
    for (std::size_t j = 0; j < v.size(); ++j) {
      if (vanishes(system, slopes[j], system.forces[i], expr(0))) continue;
      return "the force on " + system.coordinates[i].name() + " depends on " + v[j].name();
    }
  }
  return std::nullopt;
}

}  // namespace actio
