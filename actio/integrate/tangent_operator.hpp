// The derivative of a step as an operator: what it makes of one displacement, where the matrix would be too large.
#pragma once

#include <span>

#include "actio/integrate/step.hpp"

namespace actio {

// Something that some workspaces are beside step_workspace.
template <class S>
class tangent_operator {
 public:
  virtual ~tangent_operator() = default;
  // Whether move_tangent is for this system: one that is made of elements.
  virtual bool moves_tangents() const = 0;
  // Moves a displacement (δq, δp) of the state over the step that starts there, to first order. False where the step
  // has no derivative.
  virtual bool move_tangent(const phase_state<S>& state, std::span<S> position, std::span<S> momentum) = 0;
};

}  // namespace actio
