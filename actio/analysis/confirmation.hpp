// Accuracies that are measured: a run is gone through to its end beside the same method with shorter steps, and its
// step is shortened until the difference at the end is what was asked for.
//
// The reference takes k steps where the run takes j, such that its own error, (j/k)^order of the run's, is a few per
// cent and the pair costs little more than twice the run. Attempts that are lost early end early, and those before
// the last one are shorter by a factor: all of them together cost about as much as the last.
#pragma once

#include <cstddef>
#include <string>

#include "actio/analysis/step_cost.hpp"
#include "actio/analysis/trial.hpp"
#include "actio/simulate/motion_record.hpp"

namespace actio {

// Why an accuracy was not reached.
enum class obstacle {
  none,
  rounding,     // shorter steps no longer help, and the error is what rounding becomes along the motion
  chaos,        // nor do they, and errors grow exponentially in a motion that stays bounded
  instability,  // errors grow exponentially where no chaos is possible, or the motion grows with them
  kink,         // errors fall slowly with the step: the model is not smooth, or the motion meets something narrow
  cost,         // steps would be too many
};

struct confirmation {
  std::size_t steps = 0;  // of the run whose error was measured
  double error = 0;       // at the end, relative to the size of the motion; infinite where none got there
  obstacle met = obstacle::none;
  double growth_time = 0;     // of errors, e-fold, where they grow exponentially
  double observed_order = 0;  // of the attempts, or the declared one
  bool is_smooth = true;      // as the model is written, whatever the attempts showed
  std::string failure = {};   // why runs end early, whatever their steps are
  double lost_at = 0;         // the time at which the best attempt lost the motion, where none got to the end
  motion_record motion = {};  // of the attempt that is kept
  solver_effort effort = {};
};

struct confirmation_request {
  double accuracy = 0;
  std::size_t steps = 1;         // to begin with
  std::size_t fewest_steps = 1;  // fewer might jump over something
  motion_size size = {};
  bool is_smooth = true;          // no kinks in the model
  bool may_be_chaotic = true;     // not linear, and of three dimensions or more
  bool only_once = false;         // measure, and leave the step as it is
  motion_instants instants = {};  // where there are any, runs are measured as they would be, divided there
};

// `flow` gives the system, `m` is measured with steps until/steps.
template <class S>
confirmation confirm(const integrator<S>& flow, const phase_state<S>& start, const method& m, const S& until,
                     const confirmation_request& request, const step_cost& cost);

}  // namespace actio
