// The equations of a step that keeps energy and momenta, with and without constraints, by discrete gradients
// [gonzalez1996, gonzalez1999].
//
// Notation: q = (q_0 + q_1)/2, v = Δq/h; P, G momentum and force of the Lagrangian at (q, v); D = ∂g/∂q at q, A_0 and
// A_1 at the ends; e the direction of that part of v which is orthogonal to the symmetries (horizontal_part.hpp), β =
// e·v. A step solves
//   p_0 + A_0ᵀν = P − F/2,   p_1 + A_1ᵀν = P + F/2,   F = h (G − φ e) + Dᵀλ,
//   g(q_1) = 0,   A_1 v_1 = 0,   H(q_1, p_1) = H(q_0, p_0)
// for Δq, v_1 (the velocity that belongs to p_1), λ, ν and φ.
//
// Without constraints (−G + φ e, v) is a discrete gradient of H: the gradient at the middle, with a correction along e
// that makes D_qH·Δq + D_pH·Δp the change of H. Discrete gradients of the constraints have corrections along e too; the
// energy fixes their sum, so that one unknown φ stands for all of them. It vanishes, but for O(ν²), where the mass is
// constant and potential and constraints are quadratic. The terms in ν, which is O(h²), make the momentum satisfy the
// hidden constraint; they take nothing from momenta since A_0 and A_1 are orthogonal to the symmetries there.
//
// What is kept. The energy, to rounding. Momenta of symmetries that act linearly, those of cyclic coordinates among
// them. The step is its own adjoint and of second order, and it is not symplectic.
//
// Rounding. The work of φ is h φ β: where β vanishes (in turning points, on circular orbits) the energy is kept
// whatever φ is. The equation is therefore divided by β, which leaves the limit of φ as its one solution. Where β is so
// small that roundings of H would decide, φ is that of the step before, and what this leaves of the energy is mended by
// the next steps: the energy is counted from the first step of a motion, so that roundings do not add up either.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "actio/base/saddle_point.hpp"
#include "actio/integrate/horizontal_part.hpp"
#include "actio/integrate/step.hpp"

namespace actio {

// The 2n + 2m + 1 equations for x = (Δq, v_1, λ, ν, φ), in the form that newton_solver asks for.
template <class S>
class energy_momentum_equations {
 public:
  // In the energy of one point, and in all steps since the first: an energy that differs by more from the one that is
  // kept belongs to another motion, or to one whose energy no step can mend.
  static constexpr int roundings_of_point = 4, roundings_of_motion = 256;

  energy_momentum_equations(const phase_space<S>& space, const S& step);

  std::size_t unknowns() const { return 2 * n_ + 2 * m_ + 1; }

  // The left end of the step. False where there is no velocity or no energy.
  bool start(const phase_state<S>& state);
  // Whether φ keeps the energy, or is that of the step before.
  void correct_energy(bool wanted);
  // What the next step needs of this one: the energy that is kept, φ, its direction, and whether the energy waits to be
  // mended. Empty before the first step.
  void remember(bool is_waiting);
  std::vector<S> memory() const;
  void set_memory(std::span<const S> saved);
  // Forgets the energy that is kept, and finds the symmetries' directions anew.
  void parameters_changed();
  void guess(std::span<S> x) const;

  void evaluate(std::span<const S> x, bool with_jacobian);
  void residual(std::span<S> r);
  void jacobian(saddle_point_solver<S>& K);
  S weight(std::size_t j);

  // Of the last evaluation: what the energy has too much, whether that is below a part of its terms, and the kick hφe
  // that would take away one rounding of the energy, relative to the momentum.
  S excess() const { return right_energy_ - *energy_; }
  bool excess_is_below(const S& part) const;
  S rounding_kick();
  void momentum_increment(std::span<S> dp) const;
  // Linearisation of the last evaluation with_jacobian, by (q_0, p_0): of the equations, and of (q_1, p_1) by these and
  // x.
  void left_jacobian(matrix<S>& B);
  matrix<S> right_jacobian(const matrix<S>& dx) const;

 private:
  struct blocks {
    matrix<S> force_q, force_v, momentum_q, momentum_v;
    explicit blocks(std::size_t n) : force_q(n, n), force_v(n, n), momentum_q(n, n), momentum_v(n, n) {}
  };
  void find_direction();
  void fill_slopes();

  std::size_t n_, m_;
  S step_;
  const lagrangian_jet<S>* functions_;
  const constraint_map<S>* map_;  // nullptr where there are no constraints
  phase_point<S> legendre_;
  horizontal_part<S> horizontal_;
  jet_evaluation<S> jet_;                         // at (q, v) and (q_1, v_1)
  std::optional<constraint_evaluation<S>> held_;  // at q, q_1 and q_0, with λ, ν and ν
  std::optional<constraint_evaluation<S>> rate_;  // at (q_1, v_1)
  bool is_corrected_ = false, is_along_reference_ = true;
  std::vector<S> q0_, q0_remainder_, p0_, p0_remainder_, v0_, x_, middle_, velocity_, rounded_off_, force_;
  std::vector<S> e_, reference_, length_by_position_, length_by_velocity_;
  S length_{1}, right_energy_{0}, energy_scale_{0}, extent_{0}, speed_{0}, momentum_scale_{0}, slope_scale_{1};
  blocks at_middle_, at_right_;
  matrix<S> e_q_, e_v_, force_q_, force_v_, slope_middle_, slope_left_, slope_right_, bend_middle_, bend_left_,
      bend_right_, hidden_slope_;
  std::optional<S> energy_;
  S last_phi_{0};
  bool is_waiting_ = false;
};

}  // namespace actio
