// The action of one step on a polynomial path: the one formula behind every Galerkin variational integrator.
//
// Notation: Q_0 … Q_s control points, z_k = Q_k − Q_0 the unknown increments, φ_k the basis, τ_i and b_i the
// quadrature, G = ∂L/∂q + F and P = ∂L/∂v at node i, p_0 the momentum at the left end.
//   q_i = Q_0 + Σ_k φ_k(τ_i) z_k,   v_i = (1/h) Σ_k φ_k'(τ_i) z_k
//   R_k = Σ_i b_i [ h φ_k(τ_i) G_i + φ_k'(τ_i) (P_i − p_0) ],   k = 0 … s−1
// Because Σ_i b_i φ_k'(τ_i) = δ_ks − δ_k0, R_0 = p_0 + ∂L_d/∂Q_0 and R_k = ∂L_d/∂Q_k: a step solves R = 0. Subtracting
// p_0 first leaves only small numbers to be rounded. Summing all slots gives the momentum at the right end,
//   p_1 = p_0 + h Σ_i b_i G_i,
// so the momentum of a cyclic coordinate does not change by a single bit.
#pragma once

#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/base/in_place.hpp"
#include "actio/base/recursive_equations.hpp"
#include "actio/base/saddle_point.hpp"
#include "actio/mechanics/phase_space.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

template <class S>
class galerkin_action {
 public:
  // The tableau and the jet must outlive it.
  galerkin_action(const galerkin_tableau<S>& tableau, const lagrangian_jet<S>& jet,
                  const shared_parameters<S>& parameters, const S& step);
  galerkin_action(const galerkin_tableau<S>& tableau, const phase_space<S>& space, const S& step)
      : galerkin_action(tableau, space.jet(), space.parameters(), step) {}

  std::size_t unknowns() const { return tableau_->degree * size_; }
  std::size_t nodes() const { return tableau_->points; }

  // Another length for steps that start from now on.
  void set_step(const S& step);

  // The left end of the step. The remainders are those of compensated sums.
  void start(const S& t, std::span<const S> q, std::span<const S> q_remainder, std::span<const S> p,
             std::span<const S> p_remainder);

  // The interface of newton_solver; x = (z_1, …, z_s), each with n components.
  void evaluate(std::span<const S> z, bool with_jacobian);
  void residual(std::span<S> r);
  void jacobian(matrix<S>& J) {
    J.set_zero();
    each_jacobian_entry(
        nullptr, [&](std::size_t i, std::size_t j, const S& value) { in_place::add<S>(J(i, j), J(i, j), value); });
  }
  void jacobian(saddle_point_solver<S>& J) {
    J.set_zero();
    each_jacobian_entry(nullptr, [&](std::size_t i, std::size_t j, const S& value) { J.add(i, j, value); });
  }
  // Where recursive definitions are kept there are these alone.
  recursive_equations<S> equations_of_recursions() const;
  void jacobian(recursive_equations<S>& J);
  // The same, times a factor where there is one, entry by entry, always in the same order: add(row, column, value).
  template <class Add>
  void each_jacobian_entry(const S* factor, Add&& add) {
    const std::size_t s = tableau_->degree, points = tableau_->points, n = size_;
    for (const jet_entry& e : entries_) {
      const S* entry = jet_.entry(e);
      const S* product = products_[static_cast<int>(e.block)].data();
      for (std::size_t k = 0; k < s; ++k) {
        for (std::size_t l = 0; l < s; ++l, product += points) {
          in_place::working<S> sum = sum_;
          in_place::set_zero(sum);
          for (std::size_t i = 0; i < points; ++i) in_place::add_product<S>(sum, product[i], entry[i], product_);
          if (factor != nullptr) in_place::multiply<S>(sum, sum, *factor);
          add(k * n + e.row, l * n + e.column, sum);
        }
      }
    }
  }
  S weight(std::size_t j);
  void rounding(std::span<S> r);
  // How far the coordinate would move in the step at the velocity that its momentum alone gives it; the step itself may
  // come back to where it began.
  S reach(std::size_t j);

  // Of the last evaluation: h Σ b_i G_i, and the energy h Σ b_i (F·v − ∂L/∂t)_i that the step gained.
  void momentum_increment(std::span<S> dp);
  S work();
  // Of the last evaluation at node i: its time, and of coordinate a position, velocity and momentum P.
  const S& node_time(std::size_t i) { return jet_.time()[i]; }
  const S& node_position(std::size_t a, std::size_t i) { return jet_.position(a)[i]; }
  const S& node_velocity(std::size_t a, std::size_t i) { return jet_.velocity(a)[i]; }
  const S& node_momentum(std::size_t a, std::size_t i) { return jet_.momentum(a)[i]; }

  // Linearisation of the last evaluation with_jacobian: ∂R/∂Q_0 (∂R_0/∂p_0 is the identity, for k > 0 it is zero),
  // and the change of the momentum increment with Q_0 and z.
  void left_jacobian(matrix<S>& B) const;
  void momentum_jacobian(matrix<S>& by_left, matrix<S>& by_increments) const;
  // The change of the momentum increment with z, where recursive definitions are kept.
  void momentum_change(std::span<const S> dz, std::span<S> dp) const;

 private:
  // sum += Σ_i coefficient(row, i) values_i
  void add_over_nodes(const split_coefficients<S>& coefficients, std::size_t row, const S* values, S& sum);
  void tabulate_products();
  typename recursive_equations<S>::basis node_basis() const;
  void add_recursive_rounding(std::span<S> r);
  void left_jacobian_of_recursions(matrix<S>& B) const;
  void momentum_jacobian_of_recursions(matrix<S>& by_left, matrix<S>& by_increments) const;
  // Positions and velocities at the nodes.
  void place_nodes();
  template <std::size_t Degree, std::size_t Points>
  struct fixed_sizes {};
  template <class Use>
  bool with_fixed_sizes(Use&& use);
  template <std::size_t D, std::size_t P>
  void fixed_place_nodes(fixed_sizes<D, P>);
  template <std::size_t D, std::size_t P>
  void fixed_residual(fixed_sizes<D, P>, std::span<S> r);

  const galerkin_tableau<S>* tableau_;
  std::size_t size_;
  S step_;
  std::span<const jet_entry> entries_;
  bool has_power_;
  jet_evaluation<S> jet_;
  std::vector<S> q_, q_remainder_, p_, p_remainder_, z_, shifted_, extent_;
  S dq_{0}, dv_{0}, sum_{0}, product_{0};  // to work with
  // products_[block] at ((k·s + l−1)·points + i): the factor of that block of node i in ∂R_k/∂z_l.
  std::vector<S> products_[4];
  std::vector<S> node_weights_;  // h b_i, where recursive definitions are kept
};

}  // namespace actio
