// Events of a run, and surfaces that stick.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actio/expr/written_form.hpp"
#include "actio/simulate/failure_reason.hpp"
#include "actio/simulate/run_loop.hpp"

namespace actio {

namespace {

// Events that change the motion inside the length of one step: more of them have no end.
constexpr std::size_t most_events_in_a_step = 1000;
constexpr double kink_margin = 1024;  // roundings of a step between a kink and the steps beside it

}  // namespace

template <class S>
bool run_loop<S>::stick(std::optional<std::size_t> met) {
  if (!sticking_) return false;
  std::vector<std::size_t> holding = sticking_->holding_at(state_, met);
  if (!met && holding == sticking_->held() && sticking_->places_on(state_).empty()) return false;
  sticking_->hold(std::move(holding), state_, {.met = met});
  follow_sticking();
  return true;
}

template <class S>
bool run_loop<S>::stick_after_change() {
  if (sticking_) sticking_->look_at_change(state_);
  return stick();
}

template <class S>
bool run_loop<S>::stick_nearly() {
  if (!sticking_ || wide_sides_at_ == state_.index) return false;
  wide_sides_at_ = state_.index;
  sticking_->hold(sticking_->holding_at(state_, {}, true), state_, {.widely = true});
  if (!sticking_->is_active()) return false;
  follow_sticking();
  return true;
}

template <class S>
void run_loop<S>::follow_sticking() {
  sides_since_ = state_.index;
  watched_.assign(options_.events.begin(), options_.events.end());
  std::vector<std::string> held;
  for (const std::size_t kink : sticking_->held()) {
    watched_[kink].when = expr(1);  // it lies there all the time
    held.push_back(watched_[kink].name);
  }
  meter_.note_holding(held, state_.time);
  const bool is_active = sticking_->is_active();
  const integrator<S>& flow = is_active ? sticking_->flow() : flow_;
  last_ = &workspace_;
  held_ = is_active ? sticking_->make_workspace() : nullptr;
  shorter_.emplace(flow, workspace_.space());
  watch_.emplace(flow, workspace_.space(), watched_);
  workspace_.forget();
  if (measure()) watch_->start(state_, point_.velocity());
  has_happened_ = false;
}

template <class S>
bool run_loop<S>::approach_friction() {
  if (!sticking_ || (workspace_.chooses_steps() && !flow_.chooses_steps())) return true;
  const std::vector<std::size_t> near = sticking_->approached(state_);
  for (const std::size_t kink : near) sticking_->take_side(kink, state_);
  if (!near.empty()) follow_sticking();
  return true;
}

template <class S>
void run_loop<S>::stick_again() {
  sticking_->hold(sticking_->held(), state_);
  follow_sticking();
}

template <class S>
event_search run_loop<S>::look_at_a_part() {
  constexpr int most_halvings = 40;
  S length = state_.time - before_.time;
  for (int k = 0; k < most_halvings; ++k) {
    length /= S(2);
    state_ = before_;
    watch_->step_back();
    status_ = shorter_->advance(state_, length);
    if (!status_ || !measure()) continue;
    last_ = &shorter_->workspace();
    is_regular_ = false;
    workspace_.forget();
    const event_search seen = watch_->look(before_, state_, point_.velocity(), *last_, hits_);
    if (seen != event_search::unreachable) return seen;
  }
  return event_search::unreachable;
}

template <class S>
bool run_loop<S>::happen() {
  const auto move_anew = [&] {
    const bool has_moved = move();
    has_happened_ = true;  // and was measured
    return has_moved;
  };
  event_search seen = watch_->look(before_, state_, point_.velocity(), *last_, hits_);
  if (seen == event_search::unreachable && sticking_) {
    const phase_state<S> after = state_;
    state_ = before_;
    if (measure() && stick_nearly()) return move_anew();
    state_ = after;
  }
  if (seen == event_search::unreachable && watches_kinks_) seen = look_at_a_part();
  if (seen == event_search::again) return refuse_events_without_end();
  if (seen == event_search::unreachable) {
    state_ = before_;
    return fail_with(fmt::format("an event in step {} at t = {:.6g} cannot be reached by shorter steps", state_.index,
                                 to_double(before_.time)),
                     "shorten the step");
  }
  if (const event_hit<S>* jump = friction_passed()) {  // such a step may lead anywhere: again, with forces of one sign
    state_ = before_;
    sticking_->take_side(jump->event, state_);
    follow_sticking();
    return move_anew();
  }
  const auto let_go = held_ ? sticking_->look(before_, state_) : std::nullopt;
  for (std::size_t k = 0; k < hits_.size(); ++k) {
    const model_event& event = options_.events[hits_[k].event];
    using std::abs;
    if (let_go && abs(let_go->length) < abs(hits_[k].state.length)) break;
    if (event.only_records()) {
      meter_.note(event.name, hits_[k].state);
      continue;
    }
    if (event.ends_step && meets_friction(hits_[k])) return goes_on_from(hits_[k].state.length, hits_[k].event);
    const kink_verdict verdict = event.ends_step ? verdict_on(hits_[k]) : kink_verdict::ends_step;
    if (verdict == kink_verdict::sticks) return refuse_to_stick(event);
    if (verdict == kink_verdict::crowded) continue;
    return is_met(hits_[k]) && carry_out_from(k);
  }
  return !let_go || goes_on_from(let_go->length, {});
}

template <class S>
bool run_loop<S>::meets_friction(const event_hit<S>& kink) {
  return sticking_ && sticking_->jumps_at(kink.event, kink.state);
}

template <class S>
const event_hit<S>* run_loop<S>::friction_passed() {
  const auto first =
      std::ranges::find_if(hits_, [&](const event_hit<S>& hit) { return !options_.events[hit.event].only_records(); });
  const bool is_kink = first != hits_.end() && options_.events[first->event].ends_step;
  return is_kink && sticking_ && !sticking_->has_side(first->event) && meets_friction(*first) ? &*first : nullptr;
}

template <class S>
bool run_loop<S>::goes_on_from(const S& length, std::optional<std::size_t> met) {
  using std::abs;
  if (!counts_event(S(before_.time + length))) return false;
  state_ = before_;
  const std::size_t index = state_.index + 1;
  if (abs(length) > S(4) * epsilon<S>() * abs(flow_.step()) && !advance_within(length)) return false;
  state_.index = index;
  stick(met);
  has_happened_ = true;
  return measure() || fail(step_code::left_domain);
}

template <class S>
bool run_loop<S>::happen_at_start() {
  const auto here = watch_->at(state_);
  for (const std::size_t e : here.unclear) {
    if (!options_.events[e].only_records()) meter_.note_unclear_start(options_.events[e].name);
  }
  hits_.clear();
  for (const std::size_t e : here.happening) hits_.push_back({e, {state_, S(0)}});
  if (hits_.empty()) return true;
  has_happened_ = true;
  return carry_out_from(0);
}

template <class S>
bool run_loop<S>::happen_by_control() {
  const std::vector<std::size_t> jumped = std::exchange(jumped_, {});
  if (jumped.empty()) return true;
  hits_.clear();
  for (const std::size_t e : jumped) hits_.push_back({e, {state_, S(0)}});
  if (!counts_event(state_.time) || !carry_out_from(0) || is_ended_) return false;
  before_ = state_;
  return true;
}

template <class S>
kink_verdict run_loop<S>::verdict_on(const event_hit<S>& kink) {
  const lagrangian_system& system = flow_.space().system();
  const bool may_hold = depends_on_any(options_.events[kink.event].when,
                                       system.is_first_order() ? system.coordinates : system.velocities());
  return kinks_.meet(kink.event, kink.state.time, may_hold);
}

template <class S>
bool run_loop<S>::refuse_to_stick(const model_event& kink) {
  state_ = before_;
  return fail_with(sticking_reason(to_double(state_.time), kink.name), cure_for_sticking);
}

template <class S>
bool run_loop<S>::refuse_events_without_end() {
  state_ = before_;
  return fail_with(fmt::format("events follow one another without end near t = {:.9g}", to_double(state_.time)),
                   "let an event stop the run or change its mode before motions between two of them become too short");
}

template <class S>
bool run_loop<S>::counts_event(const S& time) {
  using std::abs;
  if (events_in_a_row_++ == 0 || abs(S(time - row_began_)) > abs(flow_.step())) {
    row_began_ = time;
    events_in_a_row_ = 1;
  }
  return events_in_a_row_ <= most_events_in_a_step || refuse_events_without_end();
}

template <class S>
bool run_loop<S>::is_met(const event_hit<S>& hit) {
  using std::abs;
  if (!counts_event(hit.state.time)) return false;
  has_happened_ = true;
  if (!options_.events[hit.event].ends_step && hit.state.time == state_.time) {  // at the end of the step
    meter_.add(state_, point_, *last_, status_, is_regular_);
    return true;
  }
  state_ = before_;
  if (!options_.events[hit.event].ends_step) {
    if (!advance_within(hit.state.length)) return false;
  } else {
    // A step ends before a kink and the next one begins behind it: nodes at their ends are each on their side.
    const S size = std::max<S>(abs(flow_.step()), abs(state_.time) / S(16));
    const S margin = S(kink_margin) * epsilon<S>() * (flow_.step() < S(0) ? S(-size) : size);
    const std::size_t index = state_.index + 1;
    if (abs(hit.state.length) > S(4) * abs(margin) && !advance_within(S(hit.state.length - margin))) return false;
    if (!advance_within(S(S(2) * margin))) return false;
    state_.index = index;
  }
  return true;
}

template <class S>
bool run_loop<S>::carry_out_from(std::size_t first) {
  using std::abs;
  const S length = hits_[first].state.length;
  const S apart = S(1024) * epsilon<S>() * std::max<S>(abs(length), abs(flow_.step()));
  std::vector<event_hit<S>> done;
  const auto is_done = [&](std::size_t event) {
    return std::ranges::any_of(done, [&](const event_hit<S>& hit) { return hit.event == event; });
  };
  bool has_changed = false;
  for (std::size_t k = first; k < hits_.size() && abs(S(hits_[k].state.length - length)) <= apart; ++k) {
    if (is_done(hits_[k].event)) continue;
    has_changed = has_changed || !options_.events[hits_[k].event].set.empty();
    if (!carry_out(hits_[k])) return false;
    done.push_back(hits_[k]);
  }
  while (has_changed && !is_ended_) {
    const auto here = watch_->at(state_);
    const auto next = std::ranges::find_if_not(here.happening, is_done);
    if (next == here.happening.end()) break;
    done.push_back({*next, {state_, length}});
    if (!carry_out(done.back())) return false;
  }
  workspace_.forget();
  if (!has_changed || !stick_after_change()) watch_->start(state_, point_.velocity(), done);
  return true;
}

template <class S>
bool run_loop<S>::carry_out(const event_hit<S>& hit) {
  const model_event& event = options_.events[hit.event];
  if (!event.set.empty() && !assign(hit.event)) return false;
  if (!event.ends_step) meter_.note(event.name, state_);
  if (event.stops && !is_ended_) {
    is_ended_ = true;
    report_.reason = fmt::format("the event '{}' ended the run at t = {}", event.name, to_brief(state_.time, 10));
  }
  return true;
}

template <class S>
bool run_loop<S>::assign(std::size_t event) {
  meter_.before_change(point_);
  const std::string obstacle = actions_->carry_out(event, workspace_, point_, state_);
  if (obstacle.empty() && measure()) {
    meter_.after_change(state_, point_);
    return true;
  }
  return fail_with(fmt::format("the event '{}' at t = {:.6g} cannot set its values{}{}", options_.events[event].name,
                               to_double(state_.time), obstacle.empty() ? "" : ": ", obstacle),
                   "let it lead to a state of the system");
}

#define ACTIO_INSTANTIATE(S)                                    \
  template bool run_loop<S>::stick(std::optional<std::size_t>); \
  template bool run_loop<S>::stick_after_change();              \
  template bool run_loop<S>::stick_nearly();                    \
  template bool run_loop<S>::approach_friction();               \
  template void run_loop<S>::stick_again();                     \
  template event_search run_loop<S>::look_at_a_part();          \
  template bool run_loop<S>::happen();                          \
  template bool run_loop<S>::happen_by_control();               \
  template bool run_loop<S>::happen_at_start();
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
