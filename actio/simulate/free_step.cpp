#include "actio/simulate/free_step.hpp"

#include <algorithm>
#include <utility>

#include "actio/integrate/galerkin_step.hpp"

namespace actio {

namespace {

// The steps that a method chooses up to a given time, told as one.
template <class S>
class joined_steps final : public step_workspace<S> {
 public:
  joined_steps(const step_context<S>& context, std::unique_ptr<step_workspace<S>> inner)
      : step_workspace<S>(context), inner_(std::move(inner)), start_() {}

  bool chooses_steps() const override { return true; }
  void end_at(const S& time) override { end_ = time; }
  step_status advance(phase_state<S>& state) override {
    phase_state<S> moving = state;
    work_ = S(0);
    const step_status status = go(moving, end_);
    if (!status) return status;
    start_ = state;
    moving.index = state.index + 1;
    state = std::move(moving);
    return status;
  }
  S work() const override { return work_; }
  void interpolate(const S& fraction, std::span<S> position) override {
    phase_state<S> moving = start_;
    const S work = work_;
    inner_->forget();
    go(moving, S(start_.time + fraction * (end_ - start_.time)));
    work_ = work;
    std::ranges::copy(moving.position.value, position.begin());
  }
  matrix<S> tangent_map(const phase_state<S>& state) override { return inner_->tangent_map(state); }
  void restore_history(std::span<const S>) override { inner_->forget(); }
  void parameters_changed() override { inner_->parameters_changed(); }

 private:
  step_status go(phase_state<S>& state, const S& time) {
    constexpr int most_steps = 1000;  // where one led there before; along a jump of the force there is no end of them
    step_status status;
    inner_->end_at(time);
    for (int k = 0; k < most_steps && state.time != time; ++k) {
      status = inner_->advance(state);
      if (!status) return status;
      work_ += inner_->work();
    }
    if (state.time != time) status.code = step_code::no_convergence;
    return status;
  }

  std::unique_ptr<step_workspace<S>> inner_;
  phase_state<S> start_;
  S end_{0}, work_{0};
};

}  // namespace

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
    if (!step_->chooses_steps()) return;
    step_ = std::make_unique<joined_steps<S>>(step_context<S>{space_, length}, std::move(step_));
  }
}

template <class S>
step_status free_step<S>::advance_freely(phase_state<S>& state, const S& time) {
  step_->end_at(time);
  return step_->advance(state);
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
