#include "actio/simulate/free_step.hpp"

#include "actio/integrate/galerkin_step.hpp"

namespace actio {

template <class S>
free_step<S>::free_step(const integrator<S>& flow, const phase_space<S>& space) : flow_(flow), space_(space) {}

// Of Galerkin methods without constraints the general step: it takes any length, is made faster than those that make
// programs of their own, and has the same solution.
template <class S>
void free_step<S>::prepare(const S& length) {
  const auto revision = space_.parameters().revision();
  if (step_ && revision != revision_) step_->parameters_changed();
  revision_ = revision;
  if (step_ && (step_->takes_any_length() || step_->chooses_steps())) {
    if (step_->takes_any_length()) step_->set_step(length);
    return step_->forget();
  }
  const auto& scheme = flow_.method().scheme;
  if (scheme && space_.has_jet() && space_.constraints() == nullptr && !flow_.makes_other_steps()) {
    step_ = std::make_unique<galerkin_step<S>>(*scheme, step_context<S>{space_, length});
    step_->remember_fresh();
  } else {
    step_ = flow_.make_workspace(space_, length, space_.system().is_hamiltonian());
  }
}

template <class S>
step_status free_step<S>::advance_freely(phase_state<S>& state, const S& time) {
  constexpr int most_steps = 1'000'000;
  phase_state<S> moving = state;
  step_status status;
  step_->end_at(time);
  for (int k = 0; k < most_steps && moving.time != time; ++k) {
    status = step_->advance(moving);
    if (!status) return status;
  }
  if (moving.time != time) return {step_code::no_convergence, status.iterations, status.update};
  moving.index = state.index + 1;
  state = std::move(moving);
  return status;
}

template <class S>
step_status free_step<S>::advance(phase_state<S>& state, const S& length) {
  prepare(length);
  if (step_->chooses_steps()) return advance_freely(state, S(state.time + length));
  phase_state<S> moving = state;
  moving.begin_count();
  const step_status status = step_->advance(moving);
  if (!status) return status;
  moving.take_clock(state);
  moving.step_by(length);
  state = std::move(moving);
  return status;
}

template <class S>
step_status free_step<S>::advance_to(phase_state<S>& state, const S& time) {
  const step_status status = advance(state, S(time - state.time));
  if (status) state.begin_at(time);
  return status;
}

#define ACTIO_INSTANTIATE(S) template class free_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
