// The exact motion of a linear system, mode by mode.
#pragma once

#include <span>

#include "actio/analysis/exact_motion.hpp"
#include "actio/mechanics/linear_system.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

// From (q, p) at t = 0. Rigid motions (ω = 0) and loads are part of it.
template <class S>
exact_motion<S> modal_motion(const linear_system<S>& system, std::span<const S> position, std::span<const S> momentum);

// That of a model's initial data, empty where the model is not linear; with the damping and the load of [linear] by
// damped_motion.hpp. In double it is computed in quad and rounded, so
// that its own rounding never counts as the error of a method.
template <class S>
exact_motion<S> modal_motion_of(const model& m);

}  // namespace actio
