// Which unknowns of equations under constraints are pivots for one another (base/pivot_groups.hpp), of a system.
#pragma once

#include <cstddef>

#include "actio/base/sparse_layout.hpp"
#include "actio/mechanics/phase_space.hpp"

namespace actio {

// Of unknowns (x_1, …, x_s, μ_1, …, μ_s): s times one a coordinate, then s times one a constraint. No entries. Without
// constraints the groups are those of coordinates alone.
template <class S>
sparse_pattern held_groups(const phase_space<S>& space, std::size_t stages);

}  // namespace actio
