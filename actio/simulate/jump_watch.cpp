#include "actio/simulate/jump_watch.hpp"

#include <cmath>
#include <limits>

namespace actio {

namespace {

constexpr std::size_t few = 8, many = 64;
constexpr double worth_a_look = 1.5;  // times the largest change that was looked at: few are
constexpr double remains = 0.5;       // of the change, where it is a jump

}  // namespace

template <class S>
S jump_watch<S>::change_in_parts(std::size_t parts, std::unique_ptr<step_workspace<S>>& workspace) {
  const S none = std::numeric_limits<S>::quiet_NaN();
  if (!workspace) workspace = flow_.with_step(flow_.step() / S(static_cast<double>(parts))).make_workspace();
  phase_state<S> state = last_;
  state.origin = last_.time;
  state.index = 0;
  const auto energy = [&] {
    const bool is_there = point_.measure(state.time, state.position.value, state.momentum.value, state.velocity);
    return is_there ? point_.energy_change() : none;
  };
  S change = -energy();
  for (std::size_t k = 0; k < parts; ++k) {
    if (!workspace->advance(state)) return none;
    change -= workspace->work();
  }
  return change + energy();
}

template <class S>
void jump_watch<S>::look(const phase_state<S>& state, const S& change, const S& negligible) {
  using std::abs;
  const S size = abs(change);
  if (!found_ && size > negligible && size > S(worth_a_look) * largest_) {
    largest_ = size;
    try {
      const S left = abs(change_in_parts(few, few_));
      if (!(left <= S(remains) * size) && !(abs(change_in_parts(many, many_)) <= S(remains) * left))
        found_ = energy_jump{to_double(state.time), to_double(size)};
    } catch (const input_error&) {  // a part of a step may lie in a gap of stability
    }
  }
  last_ = state;
}

template <class S>
void jump_watch<S>::save(snapshot& to) const {
  to.put<S>("jumps.largest", std::vector<S>{largest_});
  to.put("jumps.found", found_ ? std::vector<double>{found_->time, found_->change} : std::vector<double>());
}

template <class S>
void jump_watch<S>::load(const snapshot& from) {
  last_ = load_state<S>(from, flow_.space());
  largest_ = from.get<S>("jumps.largest", 1)[0];
  const std::vector<double> found = from.get<double>("jumps.found");
  if (found.empty()) return;
  if (found.size() != 2) throw snapshot_error("its record of jumps has another size");
  found_ = energy_jump{found[0], found[1]};
}

#define ACTIO_INSTANTIATE(S) template class jump_watch<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
