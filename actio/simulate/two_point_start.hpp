// The momentum with which one step leads from one given position to another: how the papers start from two positions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "actio/integrate/step.hpp"

namespace actio {

// Newton's method on the step from `time` itself, with its tangent map; `momentum` is the first guess, with its
// `velocity`, which becomes that of the result where several may belong to it. Where constraints hold, both positions
// must satisfy them, and the result belongs to a velocity along them. Nothing where no step leads there.
template <class S>
std::optional<std::vector<S>> momentum_between(const phase_space<S>& space, step_workspace<S>& workspace, const S& time,
                                               std::span<const S> position, std::span<const S> next,
                                               std::vector<S> momentum, std::vector<S>& velocity);

}  // namespace actio
