#include "actio/mechanics/held_groups.hpp"

#include "actio/base/pivot_groups.hpp"

namespace actio {

template <class S>
sparse_pattern held_groups(const phase_space<S>& space, std::size_t stages) {
  const auto groups = space.code()->template piece<pivot_groups>("", [&] {
    std::vector<index_pair> coupled, held;
    for (const jet_entry& e : space.jet().entries()) coupled.emplace_back(e.row, e.column);
    if (const constraint_map<S>* map = space.constraints()) {
      for (const constraint_entry& e : map->hessian()) coupled.emplace_back(e.row, e.column);
      for (const constraint_entry& e : map->jacobian()) held.emplace_back(e.row, e.column);
    }
    return group_pivots(space.size(), coupled, space.constraint_count(), held);
  });
  sparse_pattern pattern;
  pattern.size = stages * (space.size() + space.constraint_count());
  for (const auto* part : {&groups->of_coordinate, &groups->of_constraint}) {
    for (std::size_t k = 0; k < stages; ++k) pattern.group.insert(pattern.group.end(), part->begin(), part->end());
  }
  pattern.last = groups->last;
  return pattern;
}

#define ACTIO_INSTANTIATE(S) template sparse_pattern held_groups<S>(const phase_space<S>&, std::size_t);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
