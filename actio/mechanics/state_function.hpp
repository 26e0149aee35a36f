// Expressions of a state, in coordinates, velocities, t, momenta and the parameters of a space, as numbers.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actio/backend/bound_parameters.hpp"
#include "actio/mechanics/phase_space.hpp"

namespace actio {

template <class S>
class state_function {
 public:
  // Follows the parameters of the space where they change.
  state_function(const phase_space<S>& space, std::span<const expr> values);

  std::size_t size() const { return function_->outputs(); }
  void evaluate(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> p);
  // Of the last evaluation.
  const S& operator[](std::size_t k) const { return out_[k * evaluation_.stride()]; }

  // The arguments of the last evaluation, in the order q, v, t, p; a changed one counts from evaluate() on.
  std::size_t arguments() const { return function_->inputs(); }
  S& argument(std::size_t k) { return in_[k * evaluation_.stride()]; }
  void evaluate() { evaluation_(in_.data(), out_.data()); }

 private:
  std::shared_ptr<const compiled_function<S>> function_;
  bound_evaluation<S> evaluation_;
  std::vector<S> in_, out_;
};

}  // namespace actio
