// A step of a Lobatto IIIA–IIIB pair: predict, solve the stage equations by Newton, add the increments.
#pragma once

#include <vector>

#include "actio/discrete/partitioned_action.hpp"
#include "actio/integrate/path_step.hpp"

namespace actio {

// The unknowns are h times velocities: all stages begin with that of the state.
template <class S>
std::vector<S> control_of(const lobatto_pair<S>& pair) {
  return std::vector<S>(pair.stages + 1, S(1));
}
template <class S>
matrix<S> polynomial_continuation(const lobatto_pair<S>& pair, const S& ratio) {
  matrix<S> result = pair.extension;
  for (S& x : result.data()) x *= ratio;
  return result;
}

template <class S>
class partitioned_step final : public solved_path_step<S, partitioned_action<S>, dense_equations<S>, lobatto_pair<S>> {
 public:
  partitioned_step(std::size_t stages, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  // The collocation polynomial of the positions, q_0 + Σ_j X_j ∫_0^x ℓ_j: of as high a degree as there are stages.
  void interpolate(const S& fraction, std::span<S> position) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;
  bool has_action() const override { return true; }
  S action(const phase_state<S>& before) override;

 private:
  using base = solved_path_step<S, partitioned_action<S>, dense_equations<S>, lobatto_pair<S>>;
  using base::action_, base::branch_, base::left_, base::n_, base::step_, base::tableau_, base::velocity_, base::x_;

  std::vector<S> dq_, dp_;
};

}  // namespace actio
