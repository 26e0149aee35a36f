// Runs: step after step, observers that look on, and the certificate at the end.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actio/mechanics/model_events.hpp"
#include "actio/simulate/certificate.hpp"
#include "actio/simulate/integrator.hpp"

namespace actio {

template <class S>
class certificate_meter;

// What an observer sees after each step (and once before the first): the state and what was measured there.
template <class S>
struct sample {
  const phase_state<S>& state;
  const phase_point<S>& point;        // energy, velocity, momenta, observables
  step_workspace<S>& workspace;       // dense output of the step that led here; not before the first step
  int iterations;                     // of that step; 0 before the first
  const certificate_meter<S>& meter;  // what the certificate knows so far
  double seconds;                     // stepping so far
  // Where the step that led here began; nullptr before the first step. An event may have changed the state since.
  const phase_state<S>* before = nullptr;
  // With whose memory of earlier steps the run goes on: `workspace`, but where a shorter step led here.
  const step_workspace<S>* going_on = nullptr;
  // What moved the system in that step, and with which parameters: steps of other lengths from `before` lead to states
  // inside of it.
  const integrator<S>* flow = nullptr;
  std::span<const S> parameters = {};
};

template <class S>
class observer {
 public:
  virtual ~observer() = default;
  virtual void observe(const sample<S>& now) = 0;
  // Why the run is to end with the step that was observed last, in words for its report; "" as long as it is to go on.
  // Every observer sees that step.
  virtual std::string reason_to_end() const { return {}; }
};

// Asked before each step, with the state that it starts from and what was measured there: new values of the parameters,
// which are held over the step. What the change gives to the energy is work in the certificate. Throwing
// callback_interruption ends the run there.
template <class S>
using controller = std::function<void(const phase_state<S>&, const phase_point<S>&, std::span<S> parameters)>;

inline constexpr std::size_t unlimited_steps = std::numeric_limits<std::size_t>::max();

template <class S>
struct run_options {
  std::size_t steps = unlimited_steps;  // the index at which the run ends
  // The time at which it ends. Where that is no multiple of the step, the last step is a shorter one.
  std::optional<S> until = {};
  std::vector<observer<S>*> observers = {};
  std::function<bool()> interrupted = {};  // asked after each step; true ends the run early
  certificate_meter<S>* meter = nullptr;  // in the place of a plain one; that of a resumed run has seen `state` already
  double seconds = 0;                     // spent stepping before
  controller<S> control = {};
  start_projection<S> projection = {};  // of the initial data, for the report
  std::span<const model_event> events = {};
  std::span<const sampled_control> sampled = {};
  std::vector<S> kink_times = {};        // at which a step ends
  bool advises = true;                   // after a failure, by trying other steps
  std::function<void()> is_set_up = {};  // called before the first step
  // Called where the next step is the last and a shorter one than the others: a longer run goes on from there.
  std::function<void(const sample<S>&)> before_short_end = {};
};

// Advances `state` up to step `options.steps` or time `options.until`, whichever comes first. Never throws for numbers:
// the report says how it ended. A run that an
// observer ended is interrupted, with the step and the observer's words as its reason.
template <class S>
run_report<S> run(const integrator<S>& integrator, step_workspace<S>& workspace, phase_state<S>& state,
                  const run_options<S>& options);

// The same with a workspace of its own and nobody looking on.
template <class S>
run_report<S> run(const integrator<S>& integrator, phase_state<S>& state, std::size_t steps);

// The number of steps that a time of this length takes, the last of them perhaps a shorter one; a time within rounding
// of a multiple of `step` counts as it.
template <class S>
std::size_t steps_until(const S& length, const S& step);

}  // namespace actio
