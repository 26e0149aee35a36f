#include "actio/mechanics/held_system.hpp"

#include <algorithm>
#include <string>

#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/random_points.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

namespace {

// Whether a node is a function of w or −w alone that changes with its sign.
bool switches(const expr& node, const expr& w, const expr& opposite) {
  const auto parts = node.operands();
  const bool is_of_sign = node.op() == operation::sign || node.op() == operation::step || node.op() == operation::abs;
  return is_of_sign && (parts[0] == w || parts[0] == opposite);
}

// e where w has this sign.
expr with_sign(const expr& e, const expr& w, int side) {
  const expr opposite = -w;
  expr_map<expr> known;
  std::vector<expr> operands;
  for (const expr& node : topological_order(std::span(&e, 1))) {
    operands.clear();
    for (const expr& operand : node.operands()) operands.push_back(known.at(operand));
    const auto parts = node.operands();
    expr moved = node;
    if (switches(node, w, opposite)) {
      const int sign = parts[0] == w ? side : -side;
      moved = node.op() == operation::sign   ? expr(sign)
              : node.op() == operation::step ? expr(sign > 0 ? 1 : 0)
                                             : expr(sign) * operands[0];
    } else if (!std::ranges::equal(parts, operands)) {
      moved = expr::make(node.op(), operands);
    }
    known.emplace(node, std::move(moved));
  }
  return known.at(e);
}

// w = Σ a_k q_k' − c, by the coefficients.
struct velocity_relation {
  std::vector<expr> a;
  expr c;
};

std::optional<velocity_relation> relation_of(const lagrangian_system& system, const expr& w) {
  const std::vector<expr> velocities = system.velocities(), momenta = system.momenta();
  if (!is_polynomial(w, velocities, 1)) return std::nullopt;
  const auto is_constant = [&](const expr& e) {
    return !depends_on_any(e, velocities) && !depends_on_any(e, system.coordinates) && !depends_on_any(e, momenta) &&
           !depends_on(e, time_symbol());
  };
  expr_map<expr> rest;
  for (const expr& v : velocities) rest.emplace(v, expr(0));
  velocity_relation result{gradient(w, velocities), -substitute(w, rest)};
  if (!is_constant(result.c) || !std::ranges::all_of(result.a, is_constant)) return std::nullopt;
  const bool moves = std::ranges::any_of(result.a, [](const expr& a) { return !a.is_zero(); });
  return moves ? std::optional(std::move(result)) : std::nullopt;
}

// A coordinate whose coefficient is a number, if there is one: it cannot vanish.
std::size_t leading_of(const velocity_relation& relation) {
  const auto is_number = [](const expr& a) { return a.is_number() && !a.is_zero(); };
  auto found = std::ranges::find_if(relation.a, is_number);
  if (found == relation.a.end()) found = std::ranges::find_if_not(relation.a, &expr::is_zero);
  return static_cast<std::size_t>(found - relation.a.begin());
}

// Whether these are the same at random points.
bool agree(const lagrangian_system& system, std::span<const expr> a, std::span<const expr> b) {
  std::vector<vanishing_sum> sums;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!(a[k] == b[k])) sums.push_back({{a[k], -b[k]}, {}});
  }
  if (sums.empty()) return true;
  return std::ranges::none_of(find_nonzero_sums(system, sums), &std::optional<nonzero_point>::has_value);
}

// The forces on what is left, by the principle of virtual work: F_k + r_k F_leading.
std::vector<expr> forces_left(const lagrangian_system& whole, const held_relation& relation) {
  std::vector<expr> forces;
  for (std::size_t k = 0, at = 0; k < whole.size(); ++k) {
    if (k == relation.leading) continue;
    const expr all = whole.forces[k] + relation.ratios[at++] * whole.forces[relation.leading];
    forces.push_back(relation.in_what_is_left(whole, all));
  }
  return forces;
}

}  // namespace

expr held_relation::in_what_is_left(const lagrangian_system& whole, const expr& e) const {
  const expr& q = whole.coordinates[leading];
  expr position = offset + rate * time_symbol(), velocity = rate;
  for (std::size_t k = 0, at = 0; k < whole.size(); ++k) {
    if (k == leading) continue;
    position = position + ratios[at] * whole.coordinates[k];
    velocity = velocity + ratios[at++] * velocity_symbol(whole.coordinates[k]);
  }
  expr_map<expr> by;
  by.emplace(q, position);
  by.emplace(velocity_symbol(q), velocity);
  return substitute(e, by);
}

lagrangian_system on_side(const lagrangian_system& system, const expr& w, int side) {
  lagrangian_system result = system;
  for (expr& force : result.forces) force = with_sign(force, w, side);
  return result;
}

std::optional<held_system> held(const lagrangian_system& system, const expr& w, std::size_t number) {
  if (system.recursions) {
    lagrangian_system written = system;
    write_out_recursions(written);
    return held(written, w, number);
  }
  if (!system.has_lagrangian() || system.is_constrained() || system.applied_force || system.sums) return std::nullopt;
  if (system.forces.empty() || system.time_scale) return std::nullopt;
  if (!(with_sign(system.lagrangian, w, 1) == system.lagrangian)) return std::nullopt;
  const std::optional<velocity_relation> relation = relation_of(system, w);
  if (!relation) return std::nullopt;
  held_system result;
  held_relation& r = result.relation;
  r.leading = leading_of(*relation);
  const expr& by = relation->a[r.leading];
  r.rate = relation->c / by;
  r.offset = expr::symbol("offset " + std::to_string(number));  // no name of a model has a space in it
  lagrangian_system& left = result.system;
  left.name = system.name;
  left.parameters = system.parameters;
  left.parameters.push_back({r.offset.name(), expr(0), {}});
  left.lagrangian_place = system.lagrangian_place;
  left.found.emplace();  // nobody asks for symmetries
  for (std::size_t k = 0; k < system.size(); ++k) {
    if (k == r.leading) continue;
    r.ratios.push_back(-relation->a[k] / by);
    left.coordinates.push_back(system.coordinates[k]);
  }
  left.lagrangian = r.in_what_is_left(system, system.lagrangian);
  left.forces = forces_left(on_side(system, w, 1), r);
  if (!agree(left, left.forces, forces_left(on_side(system, w, -1), r))) return std::nullopt;
  return result;
}

}  // namespace actio
