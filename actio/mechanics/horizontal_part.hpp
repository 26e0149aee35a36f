// The part of a vector that is orthogonal to the directions in which linear symmetries move a point.
//
// Notation: X_a(q) = C_a q + d_a the generators, b = v − X y with Xᵀb = 0. A force along b does no work on a symmetry,
// so it leaves every momentum p·X_a alone. Generators that are not linear, or contain the time, are left out: no method
// with straight paths keeps their momenta. So are those that were found and not declared, where all together would
// leave no direction for b.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/mechanics/phase_space.hpp"

namespace actio {

template <class S>
class horizontal_part {
 public:
  explicit horizontal_part(const phase_space<S>& space);

  // b at (q, v); nothing is allocated.
  void evaluate(std::span<const S> q, std::span<const S> v);
  std::span<const S> value() const { return b_; }
  // ∂b/∂q and ∂b/∂v of the last evaluation.
  void slopes(matrix<S>& by_position, matrix<S>& by_velocity);

  std::size_t generators() const { return linear_.size(); }

 private:
  void orthonormalise();
  void keep(std::size_t generators);  // the first ones
  void leave_a_direction(std::size_t constraints, std::size_t declared);

  std::size_t n_;
  std::vector<matrix<S>> linear_;         // C_a
  std::vector<std::vector<S>> constant_;  // d_a
  std::vector<std::vector<S>> X_, Q_;     // generators at q; those that are independent, orthonormal: X_chosen = Q R
  std::vector<std::size_t> chosen_;
  std::vector<char> is_chosen_;
  std::size_t rank_ = 0;
  matrix<S> R_;
  std::vector<S> b_, y_, column_, along_;
};

}  // namespace actio
