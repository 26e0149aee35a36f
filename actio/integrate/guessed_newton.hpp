// The order in which a step looks for its solution: from the continuation of earlier steps, then from the velocity of
// the state, then from there with damped iterations. What may be the solution of another state is confirmed.
#pragma once

#include <span>

#include "actio/base/newton.hpp"
#include "actio/integrate/predictor.hpp"
#include "actio/integrate/step_path.hpp"

namespace actio {

// `x` holds the unknowns of `action`, of which the predictor knows the first `predicted` ones. guess_by_velocity() sets
// x, or says that it cannot; confirmed(result) looks at a solution more closely.
template <class S, class Solver, class Action, class Guess, class Confirm>
newton_result solve_from_guesses(Solver& newton, Action& action, step_predictor<S>& predictor, std::span<S> x,
                                 std::size_t predicted, Guess&& guess_by_velocity, Confirm&& confirmed) {
  int tried = 0;
  if (predictor.guess(x.first(predicted))) {
    const newton_result result = newton.solve(action, x);
    if (result.outcome == newton_outcome::converged) {
      return belongs_to_state(result, predictor.looks_back()) ? result : confirmed(result);
    }
    tried = result.iterations;
    predictor.clear();
  }
  if (!guess_by_velocity()) return {newton_outcome::not_finite, tried, 0};
  newton_result result = newton.solve(action, x);
  if (result.outcome != newton_outcome::converged) {
    tried += result.iterations;
    guess_by_velocity();
    result = newton.solve_damped(action, x);
  }
  result.iterations += tried;
  if (result.outcome != newton_outcome::converged || belongs_to_state(result, false)) return result;
  return confirmed(result);
}

}  // namespace actio
