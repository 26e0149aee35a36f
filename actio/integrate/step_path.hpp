// The solution of a step that its state leads to.
//
// The equations of a step with length h have solutions that have nothing to do with the motion: where steps are long,
// Newton's method finds them, with energies of any size. The right one is connected with the state: it is where the
// solution x(η) of steps of length η arrives as η grows from 0, where it is the motion at the velocity of the state, to
// h. That is no matter of accuracy: the solution of a stiff system with steps far longer than its oscillations is
// connected, and so is every solution of linear equations. A path that turns back before h shows a step that is too
// long for the method.
//
// Most steps need no path. Newton's method from the motion at the velocity of the state shows by its first two updates
// that it stays with its start (guarded_newton.hpp), and is then itself the one piece of the path; one from a
// prediction by earlier steps continues their solutions, where it starts so and the prediction missed little.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/guarded_newton.hpp"

namespace actio {

// Of an unknown: what a prediction may miss and still be near; and how updates shrink from there.
inline constexpr double near_prediction = 1.0 / 8, near_predicted = 1.0 / 8;

// Where updates shrink so fast, equations are nearly linear between the start and the solution: nothing can get lost.
inline constexpr double nearly_linear = near_start / 8;

inline bool belongs_to_state(const newton_result& result, bool from_earlier_steps) {
  if (from_earlier_steps) return result.first <= near_prediction && result.contraction <= near_predicted;
  return result.contraction <= nearly_linear;
}

template <class S, class Equations = dense_equations<S>>
class step_path {
 public:
  // Unknowns from `increments` on are of second order in the step (multipliers), those before of first order.
  step_path(std::size_t unknowns, std::size_t increments, Equations equations)
      : increments_(increments),
        newton_(unknowns, std::move(equations)),
        rate_(unknowns, S(0)),
        last_rate_(unknowns, S(0)),
        x_(unknowns, S(0)) {}

  // x := the unknowns of a step of length `step`, to about eight digits. `start(η)` sets the equations to steps of
  // length η from the state; the unknowns begin as c_k η v, with the control points c and the velocity v of the state.
  // False where the path turns back. The equations are those of the whole step again afterwards.
  template <class Problem, class Start>
  bool find(Problem& equations, const S& step, std::span<const S> control, std::span<const S> velocity, Start&& start,
            std::span<S> x) {
    constexpr double shortest = 0x1p-8;  // of the step
    const std::size_t n = velocity.size();
    std::fill(rate_.begin(), rate_.end(), S(0));
    for (std::size_t j = 0; j < increments_; ++j) rate_[j] = control[1 + j / n] * velocity[j % n];
    last_rate_ = rate_;
    double reached = 0, before = 0, piece = 1;
    is_nearly_linear_ = false;
    while (reached < 1 && piece >= shortest) {
      const double next = std::min(1.0, reached + piece);
      const S length = S(next) * step;
      start(length);
      const S beyond = reached > 0 ? S((next - reached) / (reached - before)) : S(0);
      for (std::size_t j = 0; j < x_.size(); ++j) {
        x_[j] = (rate_[j] + beyond * (rate_[j] - last_rate_[j])) * scale(j, length);
      }
      if (!newton_.solve(equations, std::span<S>(x_))) {
        piece /= 2;
        continue;
      }
      std::swap(rate_, last_rate_);
      for (std::size_t j = 0; j < x_.size(); ++j) rate_[j] = x_[j] / scale(j, length);
      is_nearly_linear_ = reached == 0 && next == 1 && newton_.contraction() <= nearly_linear;
      before = std::exchange(reached, next);
      piece *= 2;
    }
    start(step);
    if (reached < 1) return false;
    std::copy(x_.begin(), x_.end(), x.begin());
    return true;
  }

  // Whether the equations of the last step that was found are nearly linear between the motion at the velocity of the
  // state and the solution: nothing can have been lost there.
  bool is_nearly_linear() const { return is_nearly_linear_; }

 private:
  S scale(std::size_t j, const S& length) const { return j < increments_ ? length : S(length * length); }

  std::size_t increments_;
  guarded_newton<S, Equations> newton_;
  std::vector<S> rate_, last_rate_, x_;  // unknowns over the step's length or its square
  bool is_nearly_linear_ = false;
};

// Where a step looks for the solution that belongs to its state: from what earlier steps say, then from the motion at
// the state, then from there with damped iterations. What may not belong to the state is confirmed by the path.
template <class Past, class State, class Iterate, class Damped, class Near, class Confirm>
struct solution_search {
  Past guess_by_past;    // false where nothing is known
  State guess_by_state;  // false where there is no velocity
  Iterate iterate;       // Newton's method from the guess
  Damped iterate_damped;
  Near is_near_past;  // whether a solution found from earlier steps surely belongs to the state
  Confirm confirm;

  newton_result operator()() const {
    int tried = 0;
    if (guess_by_past()) {
      const newton_result result = iterate();
      if (result.outcome == newton_outcome::converged) return is_near_past(result) ? result : confirm(result);
      tried = result.iterations;
    }
    if (!guess_by_state()) return {newton_outcome::not_finite, tried, 0};
    newton_result result = iterate();
    if (result.outcome != newton_outcome::converged) {
      tried += result.iterations;
      guess_by_state();
      result = iterate_damped();
    }
    result.iterations += tried;
    if (result.outcome != newton_outcome::converged || belongs_to_state(result, false)) return result;
    return confirm(result);
  }
};

// Whether two solutions are the same to some digits; `weight(j)` is the size of unknown j.
template <class S, class Weight>
bool is_same_solution(std::span<const S> a, std::span<const S> b, Weight&& weight) {
  using std::abs;
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (!(abs(S(a[j] - b[j])) <= S(1e-4) * weight(j))) return false;
  }
  return true;
}

}  // namespace actio
