// What the outcome of Newton's method means for the step that it was to solve.
#pragma once

#include "actio/base/newton.hpp"
#include "actio/integrate/step.hpp"

namespace actio {

inline step_status status_of(const newton_result& result) {
  const auto code = [&] {
    switch (result.outcome) {
      case newton_outcome::converged: return step_code::ok;
      case newton_outcome::stalled: return step_code::no_convergence;
      case newton_outcome::singular: return step_code::singular;
      case newton_outcome::elsewhere: return step_code::too_long;
      case newton_outcome::not_finite: break;
    }
    return step_code::left_domain;
  };
  return {code(), result.iterations, result.update};
}

}  // namespace actio
