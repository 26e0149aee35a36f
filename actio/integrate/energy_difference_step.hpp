// A step that keeps the energy by its construction: energy_difference_equations.hpp has its mathematics.
#pragma once

#include <vector>

#include "actio/base/newton.hpp"
#include "actio/discrete/energy_difference_equations.hpp"
#include "actio/integrate/cubic_output.hpp"

namespace actio {

template <class S>
class energy_difference_step final : public energy_step<S> {
 public:
  explicit energy_difference_step(const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;
  void parameters_changed() override { equations_.set_energy(std::nullopt); }
  std::vector<S> history() const override;
  void restore_history(std::span<const S> saved) override;

 private:
  newton_result solve(const phase_state<S>& state);

  using energy_step<S>::n_;

  energy_difference_equations<S> equations_;
  newton_solver<S> newton_;
  std::vector<S> x_;
};

}  // namespace actio
