#include "actio/integrate/energy_momentum_step.hpp"

#include <algorithm>
#include <cmath>

#include "actio/integrate/newton_status.hpp"

namespace actio {

template <class S>
energy_momentum_step<S>::energy_momentum_step(const step_context<S>& context)
    : step_workspace<S>(context),
      step_(context.step),
      n_(context.space.size()),
      equations_(context.space, context.step),
      newton_(equations_.unknowns()),
      output_(context.space),
      branch_(context.space),
      x_(equations_.unknowns(), S(0)),
      plain_(x_),
      increment_(n_, S(0)) {}

template <class S>
newton_result energy_momentum_step<S>::solve(const phase_state<S>& state) {
  using std::sqrt;
  constexpr int most_iterations = 25;
  const S rounding = epsilon<S>(), small = sqrt(rounding);
  if (!equations_.start(state)) return {newton_outcome::not_finite, 0, 0};
  equations_.correct_energy(false);
  equations_.guess(x_);
  const newton_result plain = newton_.solve(equations_, std::span<S>(x_));
  if (plain.outcome != newton_outcome::converged) return plain;
  equations_.evaluate(x_, false);
  is_waiting_ = equations_.rounding_kick() > small && equations_.excess_is_below(small);
  if (is_waiting_ || equations_.excess_is_below(S(equations_.roundings_of_point) * rounding)) return plain;
  const bool is_rounding = equations_.excess_is_below(S(2 * equations_.roundings_of_motion) * rounding);
  std::ranges::copy(x_, plain_.begin());
  equations_.correct_energy(true);
  newton_result result = newton_.solve(equations_, std::span<S>(x_), most_iterations);
  result.iterations += plain.iterations;
  equations_.evaluate(x_, false);
  if (result.outcome == newton_outcome::converged && equations_.excess_is_below(small)) return result;
  if (is_rounding) {
    std::ranges::copy(plain_, x_.begin());
    equations_.evaluate(x_, false);
    result.outcome = newton_outcome::converged;
  } else if (result.outcome == newton_outcome::converged) {
    result.outcome = newton_outcome::stalled;
  }
  return result;
}

template <class S>
step_status energy_momentum_step<S>::advance(phase_state<S>& state) {
  step_status status = status_of(solve(state));
  if (!status) {
    status.code = branch_.reason(status.code, state, step_);
    return status;
  }
  branch_.start(state);
  equations_.momentum_increment(increment_);
  output_.start(state);
  for (std::size_t i = 0; i < n_; ++i) {
    state.position.add(i, x_[i]);
    state.momentum.add(i, increment_[i]);
  }
  ++state.index;
  state.time = state.origin + S(static_cast<double>(state.index)) * step_;
  if (!branch_.finish(state)) return {step_code::mass_singular, status.iterations, status.update};
  equations_.remember(is_waiting_);
  output_.finish(state);
  return status;
}

// Where φ has no hold on the energy, the derivative is that of the step without it.
template <class S>
matrix<S> energy_momentum_step<S>::tangent_map(const phase_state<S>& state) {
  const std::vector<S> memory = equations_.memory();
  const bool solved = solve(state).outcome == newton_outcome::converged;
  const std::size_t size = x_.size();
  saddle_point_solver<S> K(size);
  matrix<S> result;
  for (const bool corrected : {!is_waiting_, false}) {
    if (!solved || result.rows() > 0) break;
    equations_.correct_energy(corrected);
    equations_.evaluate(x_, true);
    equations_.jacobian(K);
    if (!K.factorise() || (corrected && K.pivot_ratio() < epsilon<S>())) continue;
    matrix<S> B(size, 2 * n_);
    equations_.left_jacobian(B);
    std::vector<S> dx(size);
    for (std::size_t column = 0; column < 2 * n_; ++column) {
      for (std::size_t j = 0; j < size; ++j) dx[j] = -B(j, column);
      K.solve_in_place(dx);
      for (std::size_t j = 0; j < size; ++j) B(j, column) = dx[j];
    }
    result = equations_.right_jacobian(B);
  }
  equations_.set_memory(memory);
  return result;
}

#define ACTIO_INSTANTIATE(S) template class energy_momentum_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
