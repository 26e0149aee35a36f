// A system, a method and a step length, ready to run. Immutable: any number of runs may share it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "actio/integrate/catalogue.hpp"
#include "actio/mechanics/linear_system.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/simulate/run_records.hpp"

namespace actio {

class step_guard;

template <class S>
struct integrator_options {
  std::string method = "simpson";
  S step{0};   // negative: back in time
  S start{0};  // the time at which motions start
  // Of methods that choose their steps (see step_context); then `step` is the first length to try, 0 where it is to be
  // found.
  double accuracy = 0;
  bool velocity_state = false;  // Runge–Kutta methods on (q, v) instead of (q, p)
  bool allow_unstable = false;  // a linear system may have a step at which its oscillations grow
  bool project = false;         // initial data that do not satisfy the constraints are moved to the nearest that do
  first_guess guess = first_guess::extrapolation;
  source_place step_place = {};  // for messages about the step
};

// Makes steps in the place of a method's own.
template <class S>
using step_maker = std::function<std::unique_ptr<step_workspace<S>>(const step_context<S>&)>;

template <class S>
class integrator {
 public:
  // Throws input_error: unknown-method, method-lacks-precision, bad-step, conflicting-options, unstable-step,
  // needs-lagrangian, and what the method requires of the system.
  integrator(const lagrangian_system& system, const integrator_options<S>& options);

  const phase_space<S>& space() const { return *space_; }
  const actio::method& method() const { return *method_; }
  const S& step() const { return options_.step; }
  const integrator_options<S>& options() const { return options_; }
  bool chooses_steps() const { return options_.accuracy > 0 && method_->chooses_steps; }
  // The system as matrices where it is linear, else nullptr.
  const linear_system<S>* linear() const { return linear_.get(); }
  // The same system and method with another step; shares everything that does not depend on it.
  integrator with_step(const S& step) const;
  // The same with other values of the parameters, in their order; nothing is derived or compiled anew, and what is
  // conserved is looked for where it was with the values before. Throws bad-number, unstable-step.
  integrator with_parameters(std::span<const S> values) const;
  // The same system with another method and step. Throws as the constructor does.
  integrator with_method(const actio::method& method, const S& step) const;
  // The same with steps that are chosen for another accuracy, of a method that chooses them.
  integrator with_accuracy(double accuracy) const;
  // The same with steps that somebody else makes, of any length of time.
  integrator with_steps(step_maker<S> maker) const;
  bool makes_other_steps() const { return static_cast<bool>(maker_); }

  // The state at the start. Throws input_error: degenerate-lagrangian, non-finite-start, missing-initial-value, and
  // under constraints what constraint_start throws. Systems of first order start at a position alone. Where initial
  // data may be projected, `moved` is told how far. Where several velocities belong to a momentum (see
  // phase_space.hpp), a start from velocities or two positions is on their branch, one from momenta on that which is
  // nearest to rest.
  phase_state<S> at_momentum(std::vector<S> position, std::vector<S> momentum,
                             start_projection<S>* moved = nullptr) const;
  phase_state<S> at_velocity(std::vector<S> position, const std::vector<S>& velocity,
                             start_projection<S>* moved = nullptr) const;
  phase_state<S> at_position(std::vector<S> position) const;
  // With the momentum that leads to `next` in one step. Throws unreachable-next where there is none.
  phase_state<S> at_positions(std::vector<S> position, std::vector<S> next, start_projection<S>* moved = nullptr) const;
  phase_state<S> at_start(const model& m, start_projection<S>* moved = nullptr) const;

  // Where the system has a scale of time, its steps have equal lengths in τ.
  std::unique_ptr<step_workspace<S>> make_workspace() const;
  // For steps of another length of time, of either sign, with the parameters of a space that others may share.
  // `once`: for a few of them; where a Hamiltonian is given another first guess means the step without kernels.
  std::unique_ptr<step_workspace<S>> make_workspace(const phase_space<S>& space, const S& step,
                                                    bool once = false) const;

 private:
  integrator() = default;
  void require_sizes(std::size_t positions, std::size_t momenta) const;
  // On the constraints, where there are any: checked, or projected if asked for.
  void place(std::vector<S>& position, const S& time, const std::string& what, start_projection<S>& moved) const;
  // at_momentum on the branch of the velocity `near`.
  phase_state<S> at_momentum_near(std::vector<S> position, std::vector<S> momentum, std::span<const S> near,
                                  start_projection<S>* moved) const;
  void refuse_degenerate(const std::vector<S>& position, const std::vector<S>& velocity) const;
  void look_at_matrices();
  void refuse_unstable() const;
  std::shared_ptr<const phase_space<S>> space_;
  std::shared_ptr<const linear_system<S>> linear_;
  std::shared_ptr<const step_guard> guard_;  // where forces act on a linear system, or loads change with time
  const actio::method* method_ = nullptr;
  step_maker<S> maker_;  // in the place of the method's, or none
  integrator_options<S> options_;
};

}  // namespace actio
