// Simpson's and Newmark's steps where mass and stiffness are constant: two linear solves with matrices factorised once.
//
// Notation: d = q_m − q_0 and z = q_1 − q_0 the increments, c = h²/24 (Simpson) or h²/4 (Newmark).
//   Simpson:  (M + cK) d = (h/2) p − 3c (Kq − f),   M (z − 2d) = −6c (K(q + d) − f),
//             p_1 = p_0 − (h/6) (K(6q + 4d + z) − 6f)
//   Newmark:  (M + cK) z = h p − 2c (Kq − f),       p_1 = p_0 − (h/2) (K(2q + z) − 2f)
// They are the general Galerkin step written out. [rojas2024, eqs. 9, 18, 25]
//
// A run has millions of steps with the same matrices, so a rounding that is the same in every step would add up.
// Therefore the stiffness is used as it is and never scaled; c and h/6 keep the remainders of their own rounding; and
// each solution is refined against M and K themselves. In double the increments are computed with the eleven bits more
// of long double, so that even a million of them add less than one unit in the last place.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/discrete/linear_schemes.hpp"
#include "actio/integrate/step.hpp"
#include "actio/mechanics/linear_system.hpp"

namespace actio {

template <class S>
class linear_step final : public step_workspace<S> {
 public:
  // Where context.linear is.
  linear_step(linear_scheme scheme, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return S(0); }
  void interpolate(const S& fraction, std::span<S> position) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;
  void parameters_changed() override;

 private:
  // The numbers of increments.
  using W = std::conditional_t<std::same_as<S, double>, long double, S>;

  // A number as the sum of its rounding and the remainder.
  struct split {
    S head, tail;
    W times(const W& x) const { return W(tail) * x + W(head) * x; }
  };
  void factorise();
  static split power_over(const S& step, int power, int divisor);  // hᵖ/divisor

  // y = Kx.
  void apply_stiffness(std::span<const W> x, std::span<W> y) const;
  // From Kq − f in kq_ and p in p_: d_, z_ and the increment of the momentum.
  void take_step();
  // x = A⁻¹ rhs_ with A = M or M + cK, refined; kx_ is Kx afterwards.
  void solve(bool with_stiffness, std::span<W> x);

  linear_scheme scheme_;
  std::size_t n_;
  S step_;
  linear_system<S> system_;
  split c_, momentum_factor_;
  lu_factorisation<S> mass_lu_, sum_lu_;
  bool solvable_;
  std::vector<S> left_, correction_;
  std::vector<W> q_, p_, d_, z_, dp_, kq_, kx_, mx_, rhs_;
};

}  // namespace actio
