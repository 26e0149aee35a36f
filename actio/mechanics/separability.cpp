#include "actio/mechanics/separability.hpp"

#include <array>

#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/element_families.hpp"
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

constexpr std::size_t fewest_by_elements = 5;

// Of a system that is made of elements, from the way their expressions are written; names are those of an element.
std::optional<std::string> coupling_of_elements(const lagrangian_system& system) {
  const std::shared_ptr<const system_families> kept = families_of(system);
  const system_families& families = *kept;
  const auto name_in = [&](const element_family& family, std::size_t slot) {
    return system.coordinates[family.coordinates[slot].front()].name();
  };
  for (const element_family& family : families.lagrangian) {
    const std::vector<expr> momenta = gradient(family.body, family.velocities);
    for (std::size_t j = 0; j < family.slots(); ++j) {
      for (std::size_t i = 0; i <= family.slots(); ++i) {
        const expr& other = i < family.slots() ? family.positions[i] : time_symbol();
        if (!depends_on(momenta[j], other)) continue;
        return "the Lagrangian couples " + (i < family.slots() ? name_in(family, i) : "t") + " with " +
               name_in(family, j) + "'";
      }
    }
  }
  for (std::size_t f = 0; f < families.forces.size(); ++f) {
    const element_family& family = families.forces[f];
    for (std::size_t j = 0; j < family.slots(); ++j) {
      if (!depends_on(family.body, family.velocities[j])) continue;
      return "the force on " + name_in(family, families.acts_on[f]) + " depends on " + name_in(family, j) + "'";
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_coupling(const lagrangian_system& given) {
  if (given.applied_force) return "the applied force may depend on velocities";
  if (given.recursions) return "the Lagrangian contains " + given.recursions->symbols.front().name() + ", a recursion";
  const bool of_elements = is_made_of_elements(given);
  if (of_elements || (given.has_lagrangian() && given.size() >= fewest_by_elements)) {
    std::optional<std::string> written = coupling_of_elements(given);
    if (of_elements || !written) return written;  // what is not written down is not there
  }
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
