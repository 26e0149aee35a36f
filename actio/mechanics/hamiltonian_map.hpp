// Hamilton's equations of a system that gives H(q, p, t) itself, as numbers at a point (t, q, p):
//   q' = H_p,  p' = −H_q + F(q, q', p, t),  and the power H_t + F·q' by which energy is supplied.
// H need not come from a Lagrangian: ∂²H/∂p² may be singular.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actio/backend/bound_parameters.hpp"
#include "actio/mechanics/system_code.hpp"
#include "actio/program/field_code.hpp"

namespace actio {

// As expressions in q, p, t and the parameters: q' in forces is H_p.
struct hamilton_equations {
  struct slope {
    matrix_entry at;
    expr value;
  };
  std::vector<expr> velocity, force;  // q', p'
  expr power;

  // The derivatives of (q', p', power) by (q, p) that are not zero, by rows.
  std::vector<slope> slopes(const lagrangian_system& system) const;
};
hamilton_equations hamilton_equations_of(const lagrangian_system& system);

// Immutable: of a system whose is_hamiltonian().
template <class S>
class hamiltonian_map {
 public:
  explicit hamiltonian_map(const system_code& code);

  std::size_t size() const { return size_; }
  bool has_power() const { return has_power_; }
  // The derivatives of (q', p') by (q, p) that are not zero.
  std::span<const matrix_entry> slopes() const { return slopes_; }

 private:
  template <class>
  friend class hamiltonian_evaluation;
  std::size_t size_;
  bool has_power_;
  std::vector<matrix_entry> slopes_;
  std::shared_ptr<const compiled_function<S>> rates_, derivatives_;  // (q', p', power, H), slopes
};

// Made once.
template <class S>
const hamiltonian_map<S>& hamiltonian_map_of(const system_code& code);

// Mutable: one point at a time.
template <class S>
class hamiltonian_evaluation {
 public:
  hamiltonian_evaluation(const hamiltonian_map<S>& map, const shared_parameters<S>& parameters);

  // False where a rate is not finite.
  bool evaluate(const S& t, std::span<const S> q, std::span<const S> p);
  const S& velocity(std::size_t i) const { return out_[i * stride_]; }
  const S& force(std::size_t i) const { return out_[(size_ + i) * stride_]; }
  const S& power() const { return out_[2 * size_ * stride_]; }
  const S& value() const { return out_[(2 * size_ + 1) * stride_]; }  // H without its constant terms

  // False where a slope is not finite. Rates are left as they are.
  bool evaluate_slopes(const S& t, std::span<const S> q, std::span<const S> p);
  const S& slope(std::size_t k) const { return slope_out_[k * stride_]; }  // in the order of the map

 private:
  void place(const S& t, std::span<const S> q, std::span<const S> p);

  std::size_t size_, slopes_, stride_;
  bound_evaluation<S> rates_, derivatives_;
  std::vector<S> in_, out_, slope_out_;
};

}  // namespace actio
