// The Hamiltonian H(q, p) = p·v − L(q, v) of a system without forces or time, with its first and second derivatives.
//
// With P = ∂L/∂v = p and G = ∂L/∂q at the velocity v of the point:
//   H_p = v,  H_q = −G,  H_pp = P_v⁻¹,  H_pq = −P_v⁻¹ P_q,  H_qq = −(G_q + G_v H_pq).
#pragma once

#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/mechanics/phase_space.hpp"

namespace actio {

// One point at a time; nothing is allocated after construction.
template <class S>
class hamiltonian_point {
 public:
  explicit hamiltonian_point(const phase_space<S>& space);

  // Velocities are on the branch of this one from now on (see phase_space.hpp).
  void set_branch(std::span<const S> velocity) { branch_.assign(velocity.begin(), velocity.end()); }

  // Moves to (q, p). False where no velocity belongs to p or something is not finite there.
  bool evaluate(std::span<const S> q, std::span<const S> p, bool with_second = false);

  const S& value() const { return value_; }
  const S& scale() const { return scale_; }  // |p·v| + |L|: the size of the terms whose difference H is
  std::span<const S> by_position() const { return by_position_; }
  std::span<const S> by_momentum() const { return velocity_; }
  // After an evaluation with_second: H_qq, H_pp, and H_pq with the momentum in the row.
  const matrix<S>& by_positions() const { return H_qq_; }
  const matrix<S>& by_momenta() const { return H_pp_; }
  const matrix<S>& mixed() const { return H_pq_; }

 private:
  bool second();

  std::span<const jet_entry> entries_;
  std::size_t n_;
  phase_point<S> legendre_;
  jet_evaluation<S> jet_;
  S value_{0}, scale_{0};
  std::vector<S> velocity_, branch_, by_position_, column_;
  matrix<S> blocks_[4], H_qq_, H_pp_, H_pq_;
  lu_factorisation<S> lu_;
};

}  // namespace actio
