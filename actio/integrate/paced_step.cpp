#include "actio/integrate/paced_step.hpp"

#include <array>

#include "actio/mechanics/time_transformation.hpp"

namespace actio {

namespace {

template <class S>
state_function<S> scale_function(const phase_space<S>& space) {
  const time_scale_form form = time_scale_of(space.system());
  return state_function<S>(space, std::array{form.scale, form.rate});
}

}  // namespace

template <class S>
paced_step<S>::paced_step(std::unique_ptr<step_workspace<S>> inner, const step_context<S>& context)
    : remembering_step<S>(context),
      inner_(std::move(inner)),
      step_(context.step),
      scale_(scale_function<S>(context.space)),
      legendre_(context.space),
      velocity_(context.space.size(), S(0)) {}

template <class S>
std::optional<S> paced_step<S>::next_pace(const phase_state<S>& state) {
  if (!legendre_.velocity_at(state.time, state.position.value, state.momentum.value, velocity_, state.velocity)) {
    return std::nullopt;
  }
  scale_.evaluate(state.time, state.position.value, velocity_, state.momentum.value);
  const S &scale = scale_[0], &rate = scale_[1];
  if (!is_finite(scale) || !is_finite(rate) || !(scale > S(0))) return std::nullopt;
  const S change = -step_ * rate / scale;
  const S pace = pace_ == S(0) ? S(S(1) / scale + change / S(2)) : S(pace_ + change);
  // The pace is that of the middle of a step: far from it on either side the step is too long for the scale.
  if (!(pace * scale > S(0.1)) || !(pace * scale < S(10))) return std::nullopt;
  return pace;
}

template <class S>
step_status paced_step<S>::advance(phase_state<S>& state) {
  const std::optional<S> pace = next_pace(state);
  if (!pace) return {step_code::too_long, 0, 0};
  const S length = step_ / *pace;
  const bool passes_end = end_ && (step_ > S(0) ? state.time + length >= *end_ : state.time + length <= *end_);
  const S taken = passes_end ? S(*end_ - state.time) : length;
  using std::abs;
  if (abs(taken) <= S(4) * epsilon<S>() * abs(state.time))
    return {step_code::too_long, 0, 0};  // time would stand still
  inner_->set_step(taken);
  phase_state<S> moving = state;
  moving.begin_count();
  const step_status status = inner_->advance(moving);
  if (!status) return status;
  moving.take_clock(state);
  moving.step_by(taken);
  if (passes_end) moving.begin_at(*end_);
  state = std::move(moving);
  pace_ = passes_end ? S(0) : *pace;
  length_ = taken;
  return status;
}

template <class S>
matrix<S> paced_step<S>::tangent_map(const phase_state<S>& state) {
  const std::optional<S> pace = next_pace(state);
  if (!pace) return {};
  inner_->set_step(step_ / *pace);
  return inner_->tangent_map(state);
}

template <class S>
void paced_step<S>::parameters_changed() {
  inner_->parameters_changed();
  pace_ = S(0);
}

template <class S>
void paced_step<S>::remember(step_memory<S>& memory) {
  memory.number(pace_);
  memory.number(length_);
  if (memory.reads() && length_ != S(0)) inner_->set_step(length_);
  memory.inner(*inner_);
}

template <class S>
std::unique_ptr<step_workspace<S>> make_paced(std::unique_ptr<step_workspace<S>> inner,
                                              const step_context<S>& context) {
  if (inner->takes_any_length()) return std::make_unique<paced_step<S>>(std::move(inner), context);
  throw input_error("method-refuses-time-scale", "the method takes steps of one length only",
                    context.space.system().time_scale->place,
                    "choose a Galerkin method or a splitting, such as @method=simpson, or leave [time] out");
}

#define ACTIO_INSTANTIATE(S)    \
  template class paced_step<S>; \
  template std::unique_ptr<step_workspace<S>> make_paced<S>(std::unique_ptr<step_workspace<S>>, const step_context<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
