// A step of a Lobatto IIIA–IIIB pair: predict, solve the stage equations by Newton, add the increments.
#pragma once

#include <optional>
#include <vector>

#include "actio/base/newton.hpp"
#include "actio/discrete/partitioned_action.hpp"
#include "actio/integrate/branch_keeper.hpp"
#include "actio/integrate/predictor.hpp"
#include "actio/integrate/step.hpp"
#include "actio/integrate/step_path.hpp"

namespace actio {

template <class S>
class partitioned_step final : public step_workspace<S> {
 public:
  partitioned_step(std::size_t stages, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return work_; }
  // The collocation polynomial of the positions, q_0 + Σ_j X_j ∫_0^x ℓ_j: of as high a degree as there are stages.
  void interpolate(const S& fraction, std::span<S> position) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;
  bool has_action() const override { return true; }
  S action(const phase_state<S>& before) override;
  std::vector<S> history() const override { return predictor_.save(); }
  void restore_history(std::span<const S> saved) override { predictor_.load(saved); }

 private:
  // Solves the step from `state` into x_; the last evaluation belongs to it.
  newton_result solve(const phase_state<S>& state);
  // A solution that may not belong to the state is compared with the one that does, which takes its place.
  newton_result confirmed(const phase_state<S>& state, newton_result result);
  bool follow_path(const phase_state<S>& state, std::span<S> x);
  void start(const phase_state<S>& state);
  bool guess_by_velocity(const phase_state<S>& state);
  // Where there are several branches: whether the stages stay on that of the state. velocity_ is then the last one's.
  bool stages_stay_on_branch(const phase_state<S>& state);

  lobatto_pair<S> pair_;
  std::size_t n_;
  S step_;
  partitioned_action<S> action_;
  newton_solver<S> newton_;
  std::optional<step_path<S>> path_;  // made when it is first needed
  step_predictor<S> predictor_;
  phase_point<S> legendre_;
  branch_keeper<S> branch_;
  std::vector<S> x_, guess_, kept_, ones_;
  std::vector<S> left_, velocity_, dq_, dp_, stage_position_, stage_velocity_, stage_momentum_;
  std::vector<double> weights_;
  S work_{0};
};

}  // namespace actio
