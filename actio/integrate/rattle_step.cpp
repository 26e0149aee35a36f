#include "actio/integrate/rattle_step.hpp"

#include <algorithm>

#include "actio/base/largest.hpp"

namespace actio {

namespace {

template <class S>
matrix<S> times(const S& factor) {
  matrix<S> result(1, 1);
  result(0, 0) = factor;
  return result;
}

}  // namespace

template <class S>
rattle_step<S>::rattle_step(const galerkin_scheme& scheme, const step_context<S>& context)
    : remembering_step<S>(context),
      scheme_(scheme),
      context_(context),
      equations_(context.space, context.step),
      newton_(equations_.unknowns(), equations_.equations()),
      predictor_(equations_.unknowns(), times(S(1))),
      multipliers_(equations_.unknowns(), S(0)),
      left_(context.space.size(), S(0)),
      increment_(left_),
      weights_(multipliers_.size(), 1.0) {}

template <class S>
constrained_step<S>& rattle_step<S>::general() {
  if (!general_) {
    general_ = std::make_unique<constrained_step<S>>(scheme_, context_);
    general_->remember_fresh();
  }
  return *general_;
}

// Multipliers are impulses: they are of first order in the step.
template <class S>
void rattle_step<S>::set_step(const S& step) {
  if (step == context_.step) return;
  predictor_.change_length(times(S(step / context_.step)));
  context_.step = step;
  equations_.set_step(step);
  if (general_) general_->set_step(step);
}

template <class S>
void rattle_step<S>::parameters_changed() {
  equations_.parameters_changed();
  if (general_) general_->parameters_changed();
}

// From earlier steps, or from no forces of constraints: there too updates tell whether it stayed with the motion.
template <class S>
newton_result rattle_step<S>::solve(const phase_state<S>& state) {
  constexpr int most_iterations = 12;
  newton_result none{newton_outcome::stalled, 0, 0};
  if (!equations_.start(state.time, state.position, state.momentum)) return none;
  const bool looks_back = predictor_.guess(multipliers_);
  if (!looks_back) std::ranges::fill(multipliers_, S(0));
  newton_result result = newton_.solve(equations_, std::span<S>(multipliers_), most_iterations);
  if (result.outcome == newton_outcome::converged && !belongs_to_state(result, looks_back)) {
    result.outcome = newton_outcome::elsewhere;
  }
  return result;
}

template <class S>
step_status rattle_step<S>::advance_generally(phase_state<S>& state) {
  std::ranges::copy(state.position.value, left_.begin());
  const step_status status = general().advance(state);
  for (std::size_t a = 0; status && a < left_.size(); ++a) increment_[a] = state.position[a] - left_[a];
  return status;
}

template <class S>
step_status rattle_step<S>::advance(phase_state<S>& state) {
  if (rest_ > 0) {
    --rest_;
    return advance_generally(state);
  }
  const newton_result found = solve(state);
  if (found.outcome != newton_outcome::converged || !equations_.finish(multipliers_)) {
    predictor_.clear();
    rest_ = steps_of_rest;
    general().forget();
    step_status status = advance_generally(state);
    status.iterations += found.iterations;
    return status;
  }
  const std::span<const S> increments = equations_.increments(), kicks = equations_.momentum_increments();
  for (std::size_t a = 0; a < left_.size(); ++a) {
    left_[a] = state.position[a];
    increment_[a] = increments[a];
    state.position.add(a, increments[a]);
    state.momentum.add(a, kicks[a]);
  }
  equations_.pass();
  const double largest = to_double(largest_size<S>(multipliers_));
  std::ranges::fill(weights_, largest > 0 && std::isfinite(largest) ? largest : 1.0);
  predictor_.record(multipliers_, weights_);
  state.step_on(context_.step);
  return status_of(found);
}

template <class S>
void rattle_step<S>::interpolate(const S& fraction, std::span<S> position) {
  for (std::size_t a = 0; a < left_.size(); ++a) position[a] = left_[a] + fraction * increment_[a];
}

// Of the general step only while it is in use: otherwise it begins with the state.
template <class S>
void rattle_step<S>::remember(step_memory<S>& memory) {
  predictor_.remember(memory);
  memory.count(rest_, steps_of_rest);
  if (rest_ > 0) memory.inner(general());
}

#define ACTIO_INSTANTIATE(S) template class rattle_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
