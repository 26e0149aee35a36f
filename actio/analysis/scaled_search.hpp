// Steps of equal length in a time τ that runs with the motion, dt = σ dτ: which method and which length reach an
// accuracy, measured.
//
// Two runs with lengths ε and 4/5 ε in τ meet at the end in t, where they are compared. How the error depends on ε is
// found in double, over as much of the motion as a few such runs may cost; the error that is promised is that over the
// whole run, in the numbers of the run. Work is counted as in step_cost.hpp.
#pragma once

#include <limits>
#include <optional>

#include "actio/analysis/choice.hpp"

namespace actio {

struct scaled_plan {
  double span = 0;    // of t, what laws are measured over
  double length = 0;  // in τ, to begin with
  double most = 0;    // steps in [0, span]: methods that need more are not looked at further
  double work = std::numeric_limits<double>::infinity();  // of the run, likewise
};

// The least work of the methods that take steps in τ, with the error measured over the whole run; nothing where none
// reaches the accuracy. `m` has a scale of time. With a step that is given, the best with it. Throws
// method-refuses-time-scale and what a kept method throws.
template <class S>
std::optional<method_choice<S>> scaled_choice(const model& m, const accuracy_request<S>& request,
                                              const scaled_plan& plan);

}  // namespace actio
