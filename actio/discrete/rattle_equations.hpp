// A step of Störmer and Verlet under constraints g(q) = 0 where L = ½ v·M v − V(q) with a constant diagonal M: RATTLE.
//
// Notation as in constrained_action.hpp with s = 1 and μ_0 = h ν. Increments follow from multipliers,
//   z = h M⁻¹ (p_0 + ½ h G_0 + A_0ᵀ ν),
// so that g(Q_0 + z) = 0 is solved for ν alone, one unknown a constraint, with the matrix h A_1 M⁻¹ A_0ᵀ. What ends the
// step has the same form:
//   p_1 = p⁻ − A_1ᵀ ν₁,   p⁻ = p_0 + ½ h (G_0 + G_1) + A_0ᵀ ν,   A_1 M⁻¹ A_1ᵀ ν₁ = A_1 M⁻¹ p⁻.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/compensated.hpp"
#include "actio/base/sparse_equations.hpp"
#include "actio/mechanics/element_forces.hpp"
#include "actio/mechanics/element_mass.hpp"
#include "actio/mechanics/phase_space.hpp"

namespace actio {

// Whether a system is one for it: A M⁻¹ Aᵀ is then sparse, too.
template <class S>
bool has_rattle_form(const phase_space<S>& space);

template <class S>
class rattle_equations {
 public:
  rattle_equations(const phase_space<S>& space, const S& step);

  std::size_t unknowns() const { return map_->size(); }
  void set_step(const S& step) { step_ = step; }
  void parameters_changed() { knows_left_ = false; }

  // The left end of a step. False where M is singular.
  bool start(const S& t, const compensated_vector<S>& position, const compensated_vector<S>& momentum);

  // The interface of newton_solver; the unknowns are ν.
  void evaluate(std::span<const S> multipliers, bool with_jacobian);
  void residual(std::span<S> r);
  void jacobian(sparse_equations<S>& K) { fill(step_, left_reach_, K); }
  // Of the increments that belong to an update. Multipliers of long chains are known to fewer digits than the forces
  // that they add up to, and do not tell when a step is found.
  double size_of(std::span<const S> update);
  double matrix_error(double size, double) const { return size; }
  sparse_equations<S> equations() const { return end_; }

  // From the solution to the right end of the step, and p_1 − p_0. False where A_1 M⁻¹ A_1ᵀ is singular or something
  // is not finite.
  bool finish(std::span<const S> multipliers);
  std::span<const S> increments() const { return increment_; }
  std::span<const S> momentum_increments() const { return kick_; }
  // After the step was taken: its right end is the left one of the next.
  void pass();

 private:
  // One of the products that an entry of A_1 M⁻¹ A_0ᵀ is the sum of.
  struct product {
    std::uint32_t of_right, of_left;  // entries of A
  };
  static sparse_pattern pattern_of(const constraint_map<S>& map, std::vector<product>& products,
                                   std::vector<std::uint32_t>& products_end);
  // K := factor · A_1 Rᵀ with R = A M⁻¹.
  void fill(const S& factor, std::span<const S> reach, sparse_equations<S>& K);
  // to += Aᵀ x
  void add_impulses(std::span<const S> slopes, std::span<const S> x, std::span<S> to) const;
  void find_reach(std::span<const S> slopes, std::span<S> reach) const;
  std::pair<S, S> find_slip();
  // A where held_ was evaluated.
  void copy_slopes(std::span<S> slopes) const;

  const constraint_map<S>* map_;
  std::size_t size_;
  S step_, time_{0};
  element_forces<S> forces_;
  element_mass<S> mass_;
  constraint_evaluation<S> held_;
  struct place {
    std::uint32_t row, column;
  };
  std::vector<place> places_;  // of the entries of A
  std::vector<product> products_;
  std::vector<std::uint32_t> products_end_;  // of each entry of A_1 M⁻¹ A_0ᵀ
  sparse_equations<S> end_;                  // A_1 M⁻¹ A_1ᵀ
  std::vector<S> left_slopes_, slopes_;      // A_0 and A_1, entry by entry
  std::vector<S> left_reach_, reach_;        // A_0 M⁻¹ and A_1 M⁻¹
  std::vector<S> left_, rest_;               // Q_0; zeros
  std::vector<S> left_force_, force_;        // G_0, G_1
  const compensated_vector<S>*position_ = nullptr, *momentum_ = nullptr;
  std::vector<S> right_, rounded_off_, increment_, half_, kick_, impulse_, slip_;
  S extent_{0};              // largest |z|
  bool knows_left_ = false;  // A_0 and G_0 are those of left_
};

}  // namespace actio
