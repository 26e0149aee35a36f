// Steps that follow the motion and stay reversible: a method that takes steps of any length, with lengths h = ε/ρ.
//
// With dt = σ dτ and equal steps ε in τ, ρ stands for 1/σ between two states and is carried from one to the next by
//   ρ_{n+1/2} = ρ_{n−1/2} + ε G(y_n),   G = −(dσ/dt)/σ,
// explicitly, and so that the same motion back has the same lengths [hairer2005]: a symmetric method stays reversible,
// and the energy of reversible motions does not drift.
#pragma once

#include <memory>
#include <optional>

#include "actio/integrate/step_memory.hpp"
#include "actio/mechanics/state_function.hpp"

namespace actio {

template <class S>
class paced_step final : public remembering_step<S> {
 public:
  // `inner` takes steps of any length in the space of the context, whose step is ε.
  paced_step(std::unique_ptr<step_workspace<S>> inner, const step_context<S>& context);

  bool chooses_steps() const override { return true; }
  void end_at(const S& time) override { end_ = time; }
  step_status advance(phase_state<S>& state) override;
  S work() const override { return inner_->work(); }
  void interpolate(const S& fraction, std::span<S> position) override { inner_->interpolate(fraction, position); }
  // At the length that the next step has.
  matrix<S> tangent_map(const phase_state<S>& state) override;
  void parameters_changed() override;

 private:
  void remember(step_memory<S>& memory) override;
  // ρ of the next step; nothing where σ is not positive or changes too much within a step.
  std::optional<S> next_pace(const phase_state<S>& state);

  std::unique_ptr<step_workspace<S>> inner_;
  S step_;
  state_function<S> scale_;  // σ and dσ/dt
  phase_point<S> legendre_;
  std::vector<S> velocity_;
  std::optional<S> end_;
  S pace_{0}, length_{0};  // ρ and h of the last step; 0: there is none
};

// The workspace of a method for a system with a scale of time. Throws method-refuses-time-scale.
template <class S>
std::unique_ptr<step_workspace<S>> make_paced(std::unique_ptr<step_workspace<S>> inner, const step_context<S>& context);

}  // namespace actio
