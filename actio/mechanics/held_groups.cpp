#include "actio/mechanics/held_groups.hpp"

#include <utility>

#include "actio/base/pivot_groups.hpp"

namespace actio {

namespace {

pivot_order order_of(const pivot_groups& groups, std::size_t stages) {
  pivot_order order{{}, groups.turn};
  if (groups.of_coordinate.empty()) return order;
  for (const auto* part : {&groups.of_coordinate, &groups.of_constraint}) {
    for (std::size_t k = 0; k < stages; ++k) order.group.insert(order.group.end(), part->begin(), part->end());
  }
  return order;
}

}  // namespace

template <class S>
sparse_pattern held_groups(const phase_space<S>& space, std::size_t stages) {
  struct choices {
    pivot_groups apart, held;
  };
  // Multipliers bend the equations of steps that have points in between.
  const bool bends = stages > 1;
  const auto groups = space.code()->template piece<choices>(bends ? "bent" : "", [&] {
    std::vector<index_pair> coupled, held;
    for (const jet_entry& e : space.jet().entries()) coupled.emplace_back(e.row, e.column);
    choices made;
    if (const constraint_map<S>* map = space.constraints()) {
      for (const constraint_entry& e : map->jacobian()) held.emplace_back(e.row, e.column);
      if (!bends) made.apart = group_pivots_apart(space.size(), coupled, space.constraint_count(), held);
      for (const constraint_entry& e : map->hessian()) coupled.emplace_back(e.row, e.column);
      if (bends) made.apart = group_pivots_apart(space.size(), coupled, space.constraint_count(), held);
    }
    made.held = group_pivots(space.size(), coupled, space.constraint_count(), held);
    return made;
  });
  sparse_pattern pattern;
  pattern.size = stages * (space.size() + space.constraint_count());
  pattern.order = order_of(groups->apart, stages);
  pattern.other = order_of(groups->held, stages);
  if (pattern.order.group.empty()) std::swap(pattern.order, pattern.other);
  return pattern;
}

#define ACTIO_INSTANTIATE(S) template sparse_pattern held_groups<S>(const phase_space<S>&, std::size_t);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
