// Holonomic constraints g(q, t) = 0 and their derivatives at many points at once, as plain numbers.
//
// With A = ∂g/∂q a motion also has A v + ∂g/∂t = 0, the hidden constraint, and A a + c = 0 with c(q, v, t) the part of
// its second time derivative that has no accelerations. The force that holds constraint c is λ_c ∂g_c/∂q.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actio/backend/bound_parameters.hpp"
#include "actio/mechanics/lagrangian_system.hpp"

namespace actio {

// Entry (row, column) of a matrix that is not identically zero; its value stands in row `output` of the outputs.
struct constraint_entry {
  std::uint32_t row, column, output;
};

template <class S>
class constraint_evaluation;
template <class S>
class element_constraint_code;  // element_constraints.hpp
template <class S>
class element_constraints;

template <class S>
class constraint_map {
 public:
  explicit constraint_map(const lagrangian_system& system);

  std::size_t size() const { return size_; }  // number of constraints m
  std::size_t coordinates() const { return coordinates_; }
  bool depends_on_time() const { return depends_on_time_; }
  std::span<const constraint_entry> jacobian() const { return jacobian_; }  // A, m × n
  std::span<const constraint_entry> hessian() const { return hessian_; }    // ∂²(λ·g)/∂q², n × n;
  // several of its entries may belong to one place
  std::span<const constraint_entry> hidden_slope() const { return hidden_; }          // ∂(A v + ∂g/∂t)/∂q, m × n
  std::span<const constraint_entry> momentum_rate() const { return momentum_rate_; }  // ∂²L/∂v∂t, n × 1

  // An evaluator for `points` points at once with these parameters; it follows where they change.
  constraint_evaluation<S> at(std::size_t points, const shared_parameters<S>& parameters) const;

 private:
  friend class constraint_evaluation<S>;
  std::size_t size_, coordinates_;
  bool depends_on_time_;
  std::uint32_t curvature_ = 0;  // the first output of c
  std::vector<constraint_entry> jacobian_, hessian_, hidden_, momentum_rate_;
  std::shared_ptr<const compiled_function<S>> first_, second_, rates_;
  std::shared_ptr<const element_constraint_code<S>> elements_;  // in the place of these
};

// Inputs are written into rows (one a variable, one column a point), evaluated, and read like those of a jet.
template <class S>
class constraint_evaluation {
 public:
  constraint_evaluation(const constraint_map<S>& map, std::size_t points, const shared_parameters<S>& parameters);
  ~constraint_evaluation();
  constraint_evaluation(constraint_evaluation&&) noexcept;

  S* position(std::size_t i) { return &in_[i * stride_]; }
  S* velocity(std::size_t i) { return &in_[(coordinates_ + i) * stride_]; }
  S* multiplier(std::size_t c) { return &in_[(2 * coordinates_ + c) * stride_]; }
  S* time() { return &in_[(2 * coordinates_ + size_) * stride_]; }

  void evaluate_first();   // g, ∂g/∂t, A: from position and time
  void evaluate_second();  // these and the Hessian of λ·g: also from the multipliers
  void evaluate_rates();   // g, ∂g/∂t, A, c and the momentum rate: also from the velocities
  void evaluate_slopes();  // these and the hidden slope

  const S* value(std::size_t c) const { return &out_[c * stride_]; }
  const S* time_derivative(std::size_t c) const { return &out_[(size_ + c) * stride_]; }
  const S* curvature(std::size_t c) const { return &out_[(curvature_ + c) * stride_]; }  // c, after evaluate_rates
  const S* entry(const constraint_entry& e) const { return &out_[e.output * stride_]; }

 private:
  std::size_t size_, coordinates_, stride_;
  std::uint32_t curvature_;
  std::vector<S> in_, out_;
  std::optional<bound_evaluation<S>> first_, second_, rates_;
  std::unique_ptr<element_constraints<S>> elements_;
};

}  // namespace actio
