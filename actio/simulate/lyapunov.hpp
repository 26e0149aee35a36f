// The largest Lyapunov exponent of a motion: the mean rate at which a small displacement of the state grows.
//
// Displacements move by the exact derivative of the step map, so that the exponent is that of the numerical motion
// itself; in systems that are made of elements without its matrix. They are scaled back to length 1 after every step;
// the logarithms of the factors add up.
#pragma once

#include <vector>

#include "actio/base/compensated.hpp"
#include "actio/integrate/step.hpp"

namespace actio {

template <class S>
class lyapunov_meter {
 public:
  // For states of `size` numbers, positions and momenta together. The first displacement is the same for all motions
  // and lies in none of the subspaces that symmetries single out.
  explicit lyapunov_meter(std::size_t size);

  // Moves the displacement over the step that starts at `state`: call it before the state moves. False where the step
  // has no derivative; the exponent then is that of the steps before.
  bool add(step_workspace<S>& workspace, const phase_state<S>& state);

  // Σ log of the factors over `time`; 0 before the first step.
  S exponent(const S& time) const;

 private:
  bool move_by_matrix(const matrix<S>& tangent);

  std::vector<S> displacement_, moved_;
  compensated<S> logarithm_;
};

}  // namespace actio
