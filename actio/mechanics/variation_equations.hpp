// What an affine generator ξ(q) = Aq + b must satisfy, as linear equations in A and b, one set a random point.
//
// Notation: L changes by L_q·ξ + L_v·Av, a constraint by g_q·ξ, forces do the work F·ξ; all of them must vanish, the
// first two at positions on the constraints. The velocity is any there, not only one that the constraints admit: paths
// of a discrete motion have such velocities, and only then keep the momentum to rounding.
//
// A Hamiltonian H(q, p) whose momenta stand in the place of velocities changes by H_q·ξ − p·A H_p, since momenta move
// by −Aᵀp: that is the same with −p in the place of L_v and H_p in that of v.
//
// Functions in pieces are looked at in all their pieces (branches.hpp); where L or a constraint jumps, the place of the
// jump must not move.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "actio/mechanics/random_points.hpp"

namespace actio {

// Everything that was evaluated at a point.
template <class S>
struct variation_sample {
  std::vector<S> values, variables;  // of the program; q, then q', then t
};

template <class S>
class variation_equations {
 public:
  // Parameters among `free`, by their places, have other values at most points. `of_momenta`: the Lagrangian is a
  // Hamiltonian, which must be smooth.
  explicit variation_equations(const lagrangian_system& system, std::span<const std::size_t> free = {},
                               bool of_momenta = false);

  // Moves to the next point. False where none is found: the domain is too small, or the constraints are not reached.
  bool draw(int tries = 400);
  // Moves to the point of others of the same system, as near as the constraints are with these digits.
  template <class T>
  bool go_to(const variation_equations<T>& other) {
    use_parameters(other.set_in_use_);
    if (!on_constraints_) return at_->go_to(*other.at_) && look();
    return on_constraints_->go_to(*other.on_constraints_) && reach_constraints(*on_constraints_, m_, n_) &&
           at_->go_to(*on_constraints_) && look();
  }
  // Positions and velocities that are drawn from now on are this many times as large.
  void set_size(const S& position, const S& velocity);

  std::size_t size() const { return n_; }
  bool is_constrained() const { return m_ > 0; }
  std::size_t equations() const { return equations_.size(); }
  std::size_t operations() const { return operations_; }  // that a point costs

  const variation_sample<S>& here() const { return here_; }
  // In an equation at a point: the change of what must not change by a motion of q_i, and, apart from that, of q_i'.
  // Empty where it does not depend on velocities.
  std::span<const S> by_position(const variation_sample<S>& at, std::size_t equation) const;
  std::span<const S> by_velocity(const variation_sample<S>& at, std::size_t equation) const;
  // The coefficient of A_ij, or of b_i where j = size().
  S coefficient(const variation_sample<S>& at, std::size_t equation, std::size_t i, std::size_t j) const;
  // The size of the terms that may have cancelled in a coefficient.
  S reference(const variation_sample<S>& at, std::size_t equation) const;

 private:
  template <class T>
  friend class variation_equations;
  // What must not change, and where its derivatives are among the outputs; no_place where there are none.
  struct equation {
    std::size_t value, by_position, by_velocity;
  };
  static constexpr std::size_t no_place = static_cast<std::size_t>(-1);

  void add(std::vector<expr>& outputs, const lagrangian_system& system, const expr& unchanged);
  void set_parameter_values(const lagrangian_system& system, std::span<const std::size_t> free);
  void use_parameters(std::size_t set);
  bool look();

  std::size_t n_, m_, operations_ = 0;
  bool of_momenta_;
  std::vector<equation> equations_;
  std::unique_ptr<random_points<S>> at_, on_constraints_;
  variation_sample<S> here_;
  std::vector<std::vector<S>> parameters_;  // one set after another, where some are free
  std::size_t next_set_ = 0, set_in_use_ = 0;
};

}  // namespace actio
