// What a splitting needs of a separable system, H = T(p) + V(q, t) with forces F(q, t): from a Lagrangian T(v) − V(q,
// t), or from H itself.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/mechanics/phase_space.hpp"
#include "actio/mechanics/sweep_order.hpp"

namespace actio {

// Mutable: one point at a time. Functions that answer say false where something is not finite or singular.
template <class S>
class separable_parts {
 public:
  virtual ~separable_parts() = default;
  virtual bool has_power() const = 0;
  virtual bool has_constant_mass() const = 0;  // T is quadratic
  virtual void parameters_changed() {}

  // −∂V/∂q + F.
  virtual bool force(const S& t, std::span<const S> q, std::span<S> result) = 0;
  // ∂T/∂p, on the branch of the contents of v where there are several.
  virtual bool velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) = 0;
  // Where velocities are momenta times constants and no work is done, forces may be found tile by tile
  // (mechanics/sweep_order.hpp): these constants, otherwise nothing.
  virtual std::span<const S> inverse_masses() { return {}; }
  // −∂V/∂q in the order of `force`, added to zeros. False where the visitor ended it.
  virtual bool sweep(const S&, std::span<const S>, std::span<S>, sweep_visitor&) { return false; }
  virtual bool branch_ended() const { return false; }
  // ∂V/∂t + F·v, where v belongs to p.
  virtual S power(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> v) = 0;
  // ∂force/∂q and ∂v/∂p.
  virtual bool force_slopes(const S& t, std::span<const S> q, matrix<S>& result) = 0;
  virtual bool velocity_slopes(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> v,
                               matrix<S>& result) = 0;
  // The same times a displacement, where that is known without the matrices: false where it is not.
  virtual bool knows_slopes_along() const { return false; }
  virtual bool force_slope_along(const S&, std::span<const S>, std::span<const S>, std::span<S>) { return false; }
  virtual bool velocity_slope_along(const S&, std::span<const S>, std::span<const S>, std::span<S>) { return false; }
  // −V, and p·v − T: the actions of kicks and drifts of unit length.
  virtual S kick_action(const S& t, std::span<const S> q) = 0;
  virtual S drift_action(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> v) = 0;
};

template <class S>
std::unique_ptr<separable_parts<S>> separable_parts_of(const phase_space<S>& space);

}  // namespace actio
