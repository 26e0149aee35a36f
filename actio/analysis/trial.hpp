// Trials: a piece of a motion gone through twice, by the method that is judged and by a better one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "actio/simulate/integrator.hpp"
#include "actio/simulate/run.hpp"
#include "actio/simulate/step_kinks.hpp"

namespace actio {

// The size of the positions and of the momenta of a motion; errors are relative to it.
struct motion_size {
  double position = 0, momentum = 0;

  // Grows to hold the state.
  template <class S>
  void cover(const phase_state<S>& state);
};

// The larger of ‖Δq‖ and ‖Δp‖, each in units of its size; infinite where a number is not finite.
template <class S>
double relative_distance(const phase_state<S>& a, const phase_state<S>& b, const motion_size& size);

// What the solver of a method did, a step: over all steps but the first few, in which a predictor has little to go by,
// unless there are no others.
struct solver_effort {
  double iterations = 0;
  double newton_share = 0;  // of the steps that Newton's method had to solve
};

// An integrator on its way.
template <class S>
class traveller {
 public:
  traveller(const integrator<S>& flow, phase_state<S> start);

  // False where a step fails; the state is then that before it.
  bool advance(std::size_t steps);
  const phase_state<S>& state() const { return state_; }
  solver_effort effort() const;

 private:
  integrator<S> flow_;
  phase_state<S> state_;
  std::unique_ptr<step_workspace<S>> workspace_;
  solver_effort sum_;
};

// A whole run as it would be, with steps that end at kinks, surfaces that stick, events and controls.
template <class S>
struct divided_run {
  std::vector<phase_state<S>> states;  // at the times that were asked for, up to where it ended
  phase_state<S> end;
  std::size_t steps = 0;
  solver_effort effort;
  bool failed = false;  // or took more steps than it may
  std::string reason;   // where it failed
};
template <class S>
divided_run<S> run_through(const integrator<S>& flow, const phase_state<S>& start, const S& until, std::vector<S> times,
                           const motion_instants& instants, std::size_t most = unlimited_steps);
// The same with steps that are shorter than those of `one`. Where instants follow one another so closely that steps are
// no longer than the time between them, `flow` has no shorter ones, and its step is halved until it has.
template <class S>
divided_run<S> run_through_finer(const divided_run<S>& one, integrator<S> flow, const phase_state<S>& start,
                                 const S& until, const std::vector<S>& times, const motion_instants& instants);

struct error_sample {
  double time = 0, error = 0;
};

// How an error went along a motion.
struct error_course {
  std::vector<error_sample> samples;
  solver_effort effort;  // of the judged method
  bool failed = false;   // a step could not be taken; samples end before it

  // The largest error in from < t ≤ to.
  double largest(double from, double to) const;
  double end() const { return samples.empty() ? 0 : samples.back().time; }
};

// In one round the judged method takes `judged_steps`, the reference `reference_steps` over the same time.
struct trial_plan {
  std::size_t judged_steps = 1, reference_steps = 1, rounds = 0;
};

template <class S>
error_course follow(const integrator<S>& judged, const integrator<S>& reference, const phase_state<S>& start,
                    const motion_size& size, const trial_plan& plan);

}  // namespace actio
