// The mass matrix ∂²L/∂v² of a system that is made of elements, with ∂L/∂v = M(q, t) v + A(q, t).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actio/base/recursive_equations.hpp"
#include "actio/base/sparse_equations.hpp"
#include "actio/mechanics/element_sums.hpp"

namespace actio {

template <class S>
class recursive_jet;  // recursive_jet.hpp

// Where recursive definitions are kept, M is never made.
template <class S>
class element_mass {
 public:
  element_mass(const system_code& code, shared_parameters<S> parameters);
  ~element_mass();
  element_mass(element_mass&&) noexcept;

  bool is_constant() const { return constant_; }  // M is free of q and t
  bool is_diagonal() const { return diagonal_; }
  bool has_offset() const { return has_offset_; }  // A is not zero
  bool offset_is_constant() const { return offset_constant_; }

  // p = M v + A. False where it is not finite.
  bool momentum(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> p);
  // Makes M⁻¹ known at (t, q); a constant one is made once. False where M is singular or not finite.
  bool factorise(const S& t, std::span<const S> q);
  // 1/M_ii where M is diagonal, after factorise.
  std::span<const S> inverse_diagonal() const { return inverse_; }
  // x := M⁻¹ x, after factorise.
  void solve_in_place(std::span<S> x) const;
  // Smallest over largest pivot, after factorise.
  S pivot_ratio() const;
  // v = M⁻¹ (p − A).
  bool velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v);

 private:
  void evaluate_entries(const S& t, std::span<const S> q);
  bool factorise_recursive(const S& t, std::span<const S> q);
  void load(const S& t, std::span<const S> q, std::span<const S> v);

  std::size_t n_;
  shared_parameters<S> parameters_;
  bool constant_ = true, diagonal_ = true, has_offset_ = false, offset_constant_ = true;
  std::shared_ptr<const element_code<S>> momentum_code_, mass_code_;
  std::optional<element_sums<S>> momentum_, mass_;
  std::span<const std::uint32_t> rows_, columns_;  // of the entries, j ≥ i
  std::vector<S> entries_, inverse_, rest_;
  std::optional<sparse_equations<S>> equations_;
  std::unique_ptr<recursive_jet<S>> recursive_;
  std::optional<recursive_equations<S>> recursive_equations_;
  std::vector<S> in_, out_;             // of recursive_
  std::optional<std::uint64_t> known_;  // revision of the parameters that M⁻¹ belongs to
};

}  // namespace actio
