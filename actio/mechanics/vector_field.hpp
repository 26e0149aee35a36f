// First-order systems y' = f(t, y): the two that a Lagrangian gives, Hamilton's equations in (q, p) and the
// Euler–Lagrange equations in (q, v), Hamilton's equations of a given H, and those that a model gives itself.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/mechanics/phase_space.hpp"

namespace actio {

template <class S>
class vector_field {
 public:
  virtual ~vector_field() = default;
  virtual std::size_t size() const = 0;
  // rate = f(t, y), and the rate of energy supply there. False where f is not defined.
  virtual bool evaluate(const S& t, std::span<const S> y, std::span<S> rate, S& power) = 0;
  // Where several velocities may belong to a momentum: the next evaluation is on the branch of this one, and each
  // further one on that of the one before.
  virtual void set_branch(std::span<const S>) {}
  virtual bool branch_ended() const { return false; }  // which made the last evaluation fail
  // A = ∂f/∂y at (t, y).
  virtual bool jacobian(const S& t, std::span<const S> y, matrix<S>& A) = 0;
};

// y = (q, p): q' = v with ∂L/∂v(q, v) = p, p' = ∂L/∂q + F; or, where H is given, q' = ∂H/∂p, p' = −∂H/∂q + F.
template <class S>
std::unique_ptr<vector_field<S>> hamilton_field(const phase_space<S>& space);

// y = (q, v): q' = v, v' from the Euler–Lagrange equations.
template <class S>
std::unique_ptr<vector_field<S>> velocity_field(const phase_space<S>& space);

// y' = f(t, y) as the system says it; no energy is supplied, since there is none.
template <class S>
std::unique_ptr<vector_field<S>> equation_field(const phase_space<S>& space);

}  // namespace actio
