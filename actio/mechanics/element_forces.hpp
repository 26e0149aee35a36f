// The force G = ∂L/∂q + F of a system as sums over its elements, one point at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "actio/mechanics/element_sums.hpp"

namespace actio {

template <class S>
class element_forces {
 public:
  element_forces(const system_code& code, shared_parameters<S> parameters);

  bool depends_on_velocity() const { return depends_on_velocity_; }
  bool has_power() const { return has_power_; }

  // G into `force`, which has one number a coordinate.
  void operator()(const S& t, const S* q, const S* v, S* force);
  // The same, tile by tile; `force` is zero, and q is known, where a tile was opened.
  bool sweep(const S& t, const S* q, const S* v, S* force, sweep_visitor& visitor);
  // ∂G/∂q · dq into `change`; for forces that do not depend on velocities.
  void slope_along(const S& t, const S* q, const S* dq, S* change);
  // F·v − ∂L/∂t.
  S power(const S& t, const S* q, const S* v);
  // L without its constant terms.
  S lagrangian(const S& t, const S* q, const S* v);

 private:
  S whole(std::optional<element_sums<S>>& sums, const std::shared_ptr<const element_code<S>>& code, const S& t,
          const S* q, const S* v);

  std::size_t n_;
  bool depends_on_velocity_, has_power_;
  shared_parameters<S> parameters_;
  std::shared_ptr<const element_code<S>> power_code_, value_code_, slope_code_;
  std::shared_ptr<const std::vector<sweep_move>> order_;
  element_sums<S> force_;
  std::optional<element_sums<S>> power_, value_, slope_;
};

}  // namespace actio
