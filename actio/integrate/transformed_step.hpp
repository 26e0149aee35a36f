// Steps that follow the motion and stay symplectic: a Gauss method on the motion in τ, with dt = σ dτ.
//
// In the extended phase space of (q, t; p, −E) the Hamiltonian
//   K = σ(q, p, t) (H(q, p, t) − E)
// has the motions of H as its own where it vanishes, in the time τ: q' = σ H_p + …, t' = σ, with terms in H − E that
// are zero along the motion. Its steps have equal lengths in τ and are symplectic; K is kept as well as a method keeps
// energies.
#pragma once

#include <memory>
#include <optional>

#include "actio/integrate/catalogue.hpp"
#include "actio/integrate/step_memory.hpp"

namespace actio {

// Whether there is such a step: a Gauss method, no forces beside those of H, no constraints, and an H that can be
// written down.
bool is_transformed(const method& m, const lagrangian_system& system);

// The system in the extended phase space, compiled once.
std::shared_ptr<const system_code> extended_code(const system_code& code);

template <class S>
class transformed_step final : public remembering_step<S> {
 public:
  transformed_step(const method& m, const step_context<S>& context);

  bool chooses_steps() const override { return true; }
  void end_at(const S& time) override { end_ = time; }
  step_status advance(phase_state<S>& state) override;
  S work() const override { return work_; }
  // `fraction` is one of time.
  void interpolate(const S& fraction, std::span<S> position) override;
  // At equal τ.
  matrix<S> tangent_map(const phase_state<S>& state) override;
  // Of (q, t; p, −E): 2n + 2 rows; empty where it cannot be had.
  matrix<S> extended_tangent_map(const phase_state<S>& state);
  void parameters_changed() override;

 private:
  void remember(step_memory<S>& memory) override;
  // The state in the extended phase space; false where H is not finite.
  bool enter(const phase_state<S>& state);
  step_status advance_to_end(phase_state<S>& state);

  std::size_t n_;
  S step_;
  phase_space<S> extended_;
  std::unique_ptr<step_workspace<S>> inner_, plain_;  // plain_: in t, for the step to the end
  const method& method_;
  phase_point<S> point_;
  phase_state<S> now_;  // in the extended phase space
  std::optional<S> end_;
  bool is_inside_ = false;  // now_ is where the last step led
  bool is_plain_ = false;   // the last step was one in t
  S begin_{0}, length_{0}, work_{0};
  std::vector<S> place_;
};

}  // namespace actio
