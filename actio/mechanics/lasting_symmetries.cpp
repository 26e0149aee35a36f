#include "actio/mechanics/lasting_symmetries.hpp"

#include <algorithm>

#include "actio/mechanics/affine_symmetries.hpp"

namespace actio {

namespace {

// Whether a declared symmetry is one with other values of these parameters, which have nothing to do with one another.
bool holds_with_others(const lagrangian_system& system, const symmetry& declared,
                       std::span<const std::size_t> changing) {
  lagrangian_system other = system;
  other.symmetries = {declared};
  for (const std::size_t k : changing) {
    other.parameters[k].value = expr(rational(static_cast<long long>(2 * k + 3), static_cast<long long>(3 * k + 4)));
  }
  try {
    validate(other);
  } catch (const input_error& error) {
    return error.id() != "false-symmetry";
  }
  return true;
}

}  // namespace

std::vector<std::string> keep_lasting_symmetries(lagrangian_system& system, std::span<const std::size_t> changing) {
  if (changing.empty() || system.is_first_order()) return {};
  const std::vector<conserved_momentum> before = conserved_momenta(system);
  std::erase_if(system.symmetries, [&](const symmetry& s) { return !holds_with_others(system, s, changing); });
  system.found = find_affine_symmetries(system, changing).found;
  const std::vector<conserved_momentum> after = conserved_momenta(system);
  std::vector<std::string> lost;
  for (const conserved_momentum& m : before) {
    if (std::ranges::find(after, m.name, &conserved_momentum::name) == after.end()) lost.push_back(m.name);
  }
  return lost;
}

}  // namespace actio
