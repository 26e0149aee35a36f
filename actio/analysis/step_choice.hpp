// Which kind of steps an accuracy is reached with: of one length in t, of one length in a time that runs with the
// motion (time_transformation.hpp), or chosen one by one.
//
// The rule. Steps chosen one by one show how uneven a motion is: the work of equal steps of its shortest length beside
// theirs.
// - A model with a scale of time keeps it, and so does a method or a step that is given keep steps of one length in t.
// - Where the unevenness is below `even`, steps are of one length in t unless these do not reach the accuracy.
// - Else those of one length in τ are measured, and those chosen one by one; those of one length in t as well, unless
//   the unevenness is `hopeless` and others reach the accuracy, or `out_of_reach`.
// - The least work is taken, where all that was measured reaches the accuracy. Steps of one length, in t or τ, keep
// what
//   makes long runs trustworthy: of runs with more than `long_run` steps chosen one by one these are taken only where
//   their work is less than 1/`worth` of the others'.
#pragma once

#include "actio/analysis/choice.hpp"

namespace actio {

namespace step_rule {
inline constexpr double even = 3, hopeless = 10, out_of_reach = 1000, long_run = 1000, worth = 2;
}

enum class step_kind { fixed, scaled, adaptive };
std::string_view to_text(step_kind kind);

template <class S>
struct step_choice {
  step_kind kind = step_kind::fixed;
  bool adds_scale = false;   // the automatic scale of time, where the model has none
  method_choice<S> settled;  // its step is in τ for scaled steps, and means nothing for adaptive ones
};

// Throws as `choose` does.
template <class S>
step_choice<S> choose_steps(const model& m, const accuracy_request<S>& request);

}  // namespace actio
