// Gauss methods for systems whose mass matrix is constant, as sums over elements: q'' = W = M⁻¹ G(q, q', t).
//
// Velocities are eliminated from the stages (discrete/nystrom_stages.hpp), which are found by fixed-point iteration
// from the accelerations of the last two steps continued over this one. With b the weights and p = M v + A
//   p_1 = p_0 + h Σ b_i G_i,   q_1 = q_0 + h v_0 + h² Σ b_i (1 − c_i) W_i,
// which is the solution of the discrete action. Where the iteration does not contract Newton's method takes over.
#pragma once

#include <memory>
#include <vector>

#include "actio/base/aligned.hpp"
#include "actio/integrate/galerkin_step.hpp"
#include "actio/integrate/step_memory.hpp"
#include "actio/integrate/tangent_operator.hpp"
#include "actio/mechanics/element_forces.hpp"
#include "actio/mechanics/element_mass.hpp"

namespace actio {

// Whether a system is one for it.
template <class S>
bool has_nystrom_form(const phase_space<S>& space);

template <class S>
class nystrom_step final : public remembering_step<S>, public tangent_operator<S> {
 public:
  nystrom_step(std::size_t points, const step_context<S>& context);
  ~nystrom_step() override;

  step_status advance(phase_state<S>& state) override;
  S work() const override;
  void interpolate(const S& fraction, std::span<S> position) override;
  matrix<S> tangent_map(const phase_state<S>& state) override { return newton().tangent_map(state); }
  bool moves_tangents() const override { return !forces_.depends_on_velocity(); }
  bool move_tangent(const phase_state<S>& state, std::span<S> position, std::span<S> momentum) override;
  void parameters_changed() override;

 private:
  void remember(step_memory<S>& memory) override;
  struct tables;
  enum class outcome { converged, slow, not_finite };
  galerkin_step<S>& newton();
  bool begin(const phase_state<S>& state);
  void guess_accelerations();
  outcome solve(const phase_state<S>& state);
  bool evaluate_forces(const phase_state<S>& state);
  void find_velocities();
  void find_work(const phase_state<S>& state);

  std::size_t points_, n_, row_;  // row_: numbers of a row of coordinates, whole cache lines
  step_context<S> context_;
  std::unique_ptr<const tables> tables_;
  element_forces<S> forces_;
  element_mass<S> mass_;
  // One row of coordinates a node: stages Q, V, forces G, accelerations W, and W of the step before.
  aligned_vector<S> stage_, velocities_, force_, acceleration_, before_;
  std::vector<S*> stage_rows_, velocity_rows_, force_rows_, acceleration_rows_, both_rows_;
  std::vector<S> left_, velocity_, rest_;  // of the start of the step; zeros
  std::size_t known_ = 0;                  // steps whose accelerations are known, up to two
  int iterations_ = 0;
  double change_ = 0;
  S work_{0};
  bool last_by_newton_ = false;
  std::unique_ptr<galerkin_step<S>> newton_;
};

}  // namespace actio
