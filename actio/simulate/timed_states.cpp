#include "actio/simulate/timed_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace actio {

template <class S>
timed_states<S>::timed_states(const integrator<S>& flow, const phase_space<S>& space, std::vector<S> times,
                              receiver take)
    : times_(std::move(times)),
      is_forward_(flow.step() > S(0)),
      take_(std::move(take)),
      space_(space.code(), space.parameters().copy()),
      point_(space_) {}

template <class S>
void timed_states<S>::observe(const sample<S>& now) {
  if (now.before != nullptr) {  // a run that goes on has written the rows up to there
    while (next_ < times_.size() && !is_beyond(times_[next_], now.before->time)) ++next_;
  }
  for (; next_ < times_.size() && !is_beyond(times_[next_], now.state.time); ++next_) {
    if (times_[next_] == now.state.time || now.before == nullptr) take_(now);
    else take_between(now, times_[next_]);
  }
}

template <class S>
void timed_states<S>::take_between(const sample<S>& now, const S& time) {
  if (!std::ranges::equal(space_.parameters(), now.parameters)) {
    shared_parameters<S> values = space_.parameters();
    values.assign(now.parameters);
  }
  if (flow_ != now.flow) step_.emplace(*now.flow, space_);
  flow_ = now.flow;
  phase_state<S> state = *now.before;
  if (step_->advance_to(state, time) &&
      point_.measure(state.time, state.position.value, state.momentum.value, state.velocity)) {
    take_({state, point_, step_->workspace(), now.iterations, now.meter, now.seconds, now.before});
  } else if (obstacle_.empty()) {
    obstacle_ = fmt::format("the state at t = {} cannot be reached by a shorter step", to_brief(time, 10));
  }
}

#define ACTIO_INSTANTIATE(S) template class timed_states<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
