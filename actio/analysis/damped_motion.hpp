// The exact motion of M q'' + C q' + K q = f(t), damped and driven, by one matrix exponential.
//
// A load that is a sum of terms t^k e^{at} cos bt and t^k e^{at} sin bt is itself a solution of linear equations with
// constant coefficients. With these beside the motion everything is y' = Ay, and y(t) = exp(At) y(0): resonances,
// rigid motions and damping without common modes are no special cases.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actio/analysis/exact_motion.hpp"
#include "actio/mechanics/model.hpp"

namespace actio {

// t^power e^{growth t} (cosine cos(frequency t) + sine sin(frequency t)), with expressions in the parameters.
struct time_term {
  unsigned power = 0;
  expr growth = 0, frequency = 0, cosine = 0, sine = 0;
};

// An expression in t and parameters as a sum of such terms; nothing where it is not written as one.
std::optional<std::vector<time_term>> time_terms_of(const expr& e);

// The motion of a model that [linear] gives, with its damping and load and no other forces; empty for other models, and
// where the load is no sum of such terms. For quad and multi; modal_motion_of rounds to double.
template <class S>
exact_motion<S> damped_motion_of(const model& m);

}  // namespace actio
