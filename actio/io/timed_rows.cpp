#include "actio/io/timed_rows.hpp"

#include <fmt/format.h>

namespace actio {

template <class S>
timed_rows<S>::timed_rows(const integrator<S>& flow, const phase_space<S>& space, std::vector<S> times,
                          trajectory_writer<S>& to)
    : times_(std::move(times)), is_forward_(flow.step() > S(0)), to_(to), step_(flow, space), point_(space) {}

template <class S>
void timed_rows<S>::observe(const sample<S>& now) {
  if (now.before != nullptr) {  // a run that goes on has written the rows up to there
    while (next_ < times_.size() && !is_beyond(times_[next_], now.before->time)) ++next_;
  }
  for (; next_ < times_.size() && !is_beyond(times_[next_], now.state.time); ++next_) {
    if (times_[next_] == now.state.time || now.before == nullptr) to_.write(now);
    else write_between(now, times_[next_]);
  }
}

template <class S>
void timed_rows<S>::write_between(const sample<S>& now, const S& time) {
  phase_state<S> state = *now.before;
  if (step_.advance_to(state, time) &&
      point_.measure(state.time, state.position.value, state.momentum.value, state.velocity)) {
    to_.write({state, point_, step_.workspace(), now.iterations, now.meter, now.seconds, now.before});
  } else if (obstacle_.empty()) {
    obstacle_ = fmt::format("the state at t = {} cannot be reached by a shorter step", to_brief(time, 10));
  }
}

#define ACTIO_INSTANTIATE(S) template class timed_rows<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
