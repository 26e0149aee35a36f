// The method and the step for an accuracy: the cheapest of those that reach it, and why.
//
// A scan in double precision finds how the error of each method depends on its step and what a step costs by counting
// (step_cost.hpp). The cheapest is tried beside a reference over as much of the motion as a budget allows, in the
// numbers of the run, which corrects the step, and the choice where another method has become cheaper. The error that
// is promised is then measured over the whole run (confirmation.hpp), with shorter steps until it is small enough.
// Nothing is timed: the same input gives the same choice.
#pragma once

#include <optional>
#include <string>

#include "actio/analysis/trial.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/simulate/motion_record.hpp"

namespace actio {

// Accuracies below this are no different from none: errors are handled as doubles.
inline constexpr double least_accuracy = 1e-290;

template <class S>
struct accuracy_request {
  double accuracy = 0;                  // of (q, p) at `until`, relative to their size
  S until{0};                           // positive
  const method* kept_method = nullptr;  // where only the step is to be chosen
  std::optional<S> kept_step = {};  // where only the method is to be chosen: the best there is, if none is good enough
  bool velocity_state = false;
  bool project = false;          // as in integrator_options
  bool splits_at_kinks = false;  // the run ends its steps there
  source_place place = {};       // of the accuracy as typed
};

template <class S>
struct method_choice {
  const actio::method* method = nullptr;
  S step{0};
  std::size_t steps = 0;
  double estimated_error = 0;  // at the end, measured over the whole run
  motion_record motion;        // what was measured on the way
  std::string reason;
  double work = 0;  // of the run, as step_cost counts it
};

// Throws input_error: accuracy-unreachable, bad-number (a run without length), two-point-start, and what the model and
// the kept method throw.
template <class S>
method_choice<S> choose(const model& m, const accuracy_request<S>& request);

// What is aimed at where no accuracy is given: half the digits of the numbers.
template <class S>
double usual_accuracy();

}  // namespace actio
