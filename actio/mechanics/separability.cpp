#include "actio/mechanics/separability.hpp"

#include <array>

#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/random_points.hpp"

namespace actio {

namespace {

// Whether `of`, a derivative of `whole` or that itself, does not depend on x: its derivative by x vanishes, and it has
// no pieces that a derivative does not see.
bool is_free_of(const lagrangian_system& system, const expr& of, const expr& x, const expr& by_x, const expr& whole) {
  if (!depends_on(of, x)) return true;
  if (!is_smooth_in(of, std::span(&x, 1))) return false;
  const std::array references{whole, of};
  return by_x.is_zero() || !find_nonzero_sum(system, std::span(&by_x, 1), references);
}

}  // namespace

std::optional<std::string> find_coupling(const lagrangian_system& given) {
  if (given.applied_force) return "the applied force may depend on velocities";
  const bool of_momenta = given.is_hamiltonian();
  const lagrangian_system system = of_momenta ? with_momenta_as_velocities(given) : given;
  const std::vector<expr> v = system.velocities(), shown = of_momenta ? given.momenta() : v;
  std::vector<expr> others = system.coordinates;
  others.push_back(time_symbol());
  const std::vector<expr> momenta = gradient(system.lagrangian, v);
  for (std::size_t j = 0; j < v.size(); ++j) {
    const std::vector<expr> mixed = gradient(momenta[j], others);
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (is_free_of(system, momenta[j], others[i], mixed[i], system.lagrangian)) continue;
      return std::string(of_momenta ? "the Hamiltonian" : "the Lagrangian") + " couples " + others[i].name() +
             " with " + shown[j].name();
    }
  }
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    const std::vector<expr> slopes = gradient(system.forces[i], v);
    for (std::size_t j = 0; j < v.size(); ++j) {
      if (is_free_of(system, system.forces[i], v[j], slopes[j], system.forces[i])) continue;
      return "the force on " + system.coordinates[i].name() + " depends on " + shown[j].name();
    }
  }
  return std::nullopt;
}

}  // namespace actio
