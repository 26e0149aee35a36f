#include "actio/mechanics/element_symmetries.hpp"

#include <algorithm>
#include <optional>

#include "actio/expr/derivative.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/random_points.hpp"

namespace actio {

namespace {

constexpr std::uint32_t nobody = 0xffff'ffff;

// ξ of every coordinate: at rest, moved alike, or turned with a partner.
struct moved_coordinates {
  std::vector<double> factor;          // 0 where a coordinate rests
  std::vector<std::uint32_t> partner;  // nobody where ξ is constant

  moved_coordinates(const direction& along, std::size_t n) : factor(n, 0), partner(n, nobody) {
    for (const motion& m : along) {
      factor[m.i] = m.rough;
      if (m.j < n) partner[m.i] = static_cast<std::uint32_t>(m.j);
    }
  }
};

// What a slot does in all elements of a family.
struct slot_motion {
  double factor = 0;
  std::size_t partner = 0;  // a slot; as many as there are where ξ is constant
};

// Nothing where elements of a family differ, or a coordinate turns with one that the element does not have.
std::optional<std::vector<slot_motion>> motion_of(const element_family& family, const moved_coordinates& moved) {
  std::vector<slot_motion> motions;
  for (std::size_t k = 0; k < family.slots(); ++k) {
    const auto& column = family.coordinates[k];
    slot_motion motion{moved.factor[column.front()], family.slots()};
    const std::uint32_t with = moved.partner[column.front()];
    if (motion.factor != 0 && with != nobody) {
      const auto has_it = [&](const auto& other) { return other.front() == with; };
      const auto found = std::ranges::find_if(family.coordinates, has_it);
      if (found == family.coordinates.end()) return std::nullopt;
      motion.partner = static_cast<std::size_t>(found - family.coordinates.begin());
    }
    for (std::size_t e = 0; e < family.elements; ++e) {
      if (moved.factor[column[e]] != motion.factor) return std::nullopt;
      const std::uint32_t partner = motion.factor == 0 ? nobody : moved.partner[column[e]];
      const std::uint32_t expected = motion.partner < family.slots() ? family.coordinates[motion.partner][e] : nobody;
      if (partner != expected) return std::nullopt;
    }
    motions.push_back(motion);
  }
  return motions;
}

// δℓ = Σ_k ∂ℓ/∂q_k ξ_k + ∂ℓ/∂v_k ξ_k', as its terms.
std::vector<expr> variation(const element_family& family, const std::vector<slot_motion>& motions) {
  const std::vector<expr> by_q = gradient(family.body, family.positions),
                          by_v = gradient(family.body, family.velocities);
  std::vector<expr> terms;
  for (std::size_t k = 0; k < family.slots(); ++k) {
    if (motions[k].factor == 0) continue;
    const expr factor = expr(motions[k].factor);
    if (motions[k].partner == family.slots()) {
      terms.push_back(factor * by_q[k]);
    } else {
      terms.push_back(factor * by_q[k] * family.positions[motions[k].partner]);
      terms.push_back(factor * by_v[k] * family.velocities[motions[k].partner]);
    }
  }
  std::erase_if(terms, [](const expr& e) { return e.is_zero(); });
  return terms;
}

// One element as a system of its own, with any values in which elements differ.
bool vanishes(const lagrangian_system& system, const element_family& family, const std::vector<expr>& terms) {
  if (terms.empty()) return true;
  lagrangian_system one;
  one.coordinates = family.positions;
  one.coordinates.insert(one.coordinates.end(), family.symbols.begin(), family.symbols.end());
  one.parameters = system.parameters;
  return !find_nonzero_sum(one, terms, std::span(&family.body, 1)).has_value();
}

}  // namespace

std::vector<direction> symmetries_of_elements(const system_code& code, const std::vector<direction>& tried) {
  const lagrangian_system& system = code.system();
  const system_families& families = families_of(code);
  const element_symbols symbols(system);
  std::vector<element_term> constraints;
  for (std::uint32_t c = 0; c < system.constraints.size(); ++c) {
    constraints.push_back({system.constraints[c].value, c});
  }
  const std::vector<element_family> held = families_of(constraints, symbols);
  std::vector<direction> found;
  for (const direction& along : tried) {
    const moved_coordinates moved(along, system.size());
    const auto stays = [&](const element_family& family) {
      const auto motions = motion_of(family, moved);
      return motions && vanishes(system, family, variation(family, *motions));
    };
    const bool is_forced = std::ranges::any_of(
        along, [&](const motion& m) { return !system.forces.empty() && !system.forces[m.i].is_zero(); });
    if (is_forced || !std::ranges::all_of(families.lagrangian, stays) || !std::ranges::all_of(held, stays)) continue;
    found.push_back(along);
  }
  return found;
}

}  // namespace actio
