// A step that keeps energy and momenta, with and without constraints: energy_momentum_equations.hpp has its
// mathematics.
#pragma once

#include <vector>

#include "actio/base/newton.hpp"
#include "actio/integrate/branch_keeper.hpp"
#include "actio/integrate/cubic_output.hpp"
#include "actio/integrate/energy_momentum_equations.hpp"

namespace actio {

template <class S>
class energy_momentum_step final : public step_workspace<S> {
 public:
  explicit energy_momentum_step(const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return S(0); }
  void interpolate(const S& fraction, std::span<S> position) override { output_.at(fraction, position); }
  matrix<S> tangent_map(const phase_state<S>& state) override;
  void parameters_changed() override { equations_.parameters_changed(); }
  std::vector<S> history() const override { return equations_.memory(); }
  void restore_history(std::span<const S> saved) override { equations_.set_memory(saved); }

 private:
  newton_result solve(const phase_state<S>& state);

  S step_;
  std::size_t n_;
  bool is_waiting_ = false;  // the last solution leaves something of the energy to the next steps
  energy_momentum_equations<S> equations_;
  newton_solver<S, saddle_point_solver<S>> newton_;
  cubic_output<S> output_;
  branch_keeper<S> branch_;
  std::vector<S> x_, plain_, increment_;
};

}  // namespace actio
