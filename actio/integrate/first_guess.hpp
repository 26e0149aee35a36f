// Where Newton's method of a step begins.
#pragma once

namespace actio {

// The solution does not depend on it, the number of iterations does.
enum class first_guess {
  extrapolation,  // of the solutions of earlier steps
  velocity,       // motion at the velocity of the state
  state,          // no motion: positions stay
};

}  // namespace actio
