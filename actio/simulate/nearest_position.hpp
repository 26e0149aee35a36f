// The position on the constraints that is nearest to a given one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "actio/mechanics/phase_space.hpp"

namespace actio {

// A local minimum, to rounding, of ½ (q − q0)·M(q0)·(q − q0) over the positions with g(q) = 0 at a time, with
// M = ∂²L/∂v² at rest in q0. M may be singular along what the constraints hold. The search descends from where Newton's
// method first meets the constraints, and for systems of few coordinates from places around as well: the nearest found.
// Nothing where they are not met or their derivatives become dependent.
// The space must have constraints.
template <class S>
std::optional<std::vector<S>> nearest_position(const phase_space<S>& space, std::span<const S> start, const S& time);

}  // namespace actio
