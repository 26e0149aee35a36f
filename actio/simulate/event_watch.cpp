#include "actio/simulate/event_watch.hpp"

#include <algorithm>
#include <limits>

namespace actio {

namespace {

constexpr std::size_t fewest_inside = 5;  // points of a step between its ends

std::vector<expr> expressions_of(std::span<const model_event> events) {
  std::vector<expr> result;
  for (const model_event& e : events) result.push_back(e.when);
  return result;
}

// d/dt along a motion of what depends on positions and time alone; of the others 0.
std::vector<expr> rates_of(std::span<const model_event> events, const lagrangian_system& system) {
  const std::vector<expr> velocities = system.velocities(), momenta = system.momenta();
  const auto is_in = [](const expr& e) { return [&e](const expr& x) { return depends_on(e, x); }; };
  std::vector<expr> result;
  for (const model_event& e : events) {
    const bool moves = std::ranges::any_of(velocities, is_in(e.when)) || std::ranges::any_of(momenta, is_in(e.when));
    result.push_back(moves ? expr(0) : time_derivative(system, e.when));
  }
  return result;
}

template <class S>
std::size_t points_inside(const method& m) {
  return std::max<std::size_t>(fewest_inside, m.scheme ? 2 * m.scheme->degree : 0);
}

}  // namespace

template <class S>
event_watch<S>::event_watch(const integrator<S>& flow, const phase_space<S>& space, std::span<const model_event> events)
    : events_(events),
      function_(space, expressions_of(events)),
      rows_(points_inside<S>(flow.method()) + 2),
      values_(rows_ * events.size(), S(0)),

      rates_(space, rates_of(events, space.system())),
      position_(space.size(), S(0)),
      behind_(position_),
      velocity_(position_),
      momentum_(space.momentum_size(), S(0)),
      legendre_(space) {
  for (const model_event& e : events) {
    finders_.emplace_back(flow, space, section{.text = e.name, .value = e.when, .direction = e.direction});
  }
  std::vector<expr> rates = space.system().velocities();
  for (const expr& p : space.system().momenta()) rates.push_back(p);
  needs_velocity_ = std::ranges::any_of(events, [&](const model_event& e) {
    return std::ranges::any_of(rates, [&](const expr& r) { return depends_on(e.when, r); });
  });
}

template <class S>
void event_watch<S>::evaluate(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> p,
                              std::size_t row) {
  function_.evaluate(t, q, v, p);
  for (std::size_t e = 0; e < events_.size(); ++e) values_[row * events_.size() + e] = function_[e];
}

template <class S>
void event_watch<S>::start(const phase_state<S>& state, std::span<const S> velocity, const event_hit<S>* after) {
  turned_.reset();
  if (after != nullptr) {
    const model_event& event = events_[after->event];
    turned_from_ = event.direction == crossing::up     ? 1
                   : event.direction == crossing::down ? -1
                                                       : -sign_of(value(0, after->event));
    rates_.evaluate(state.time, state.position.value, velocity, state.momentum.value);
    const bool has_rate = !event.set.empty() && !needs_velocity_;
    const S onward = after->state.length > S(0) ? rates_[after->event] : S(-rates_[after->event]);
    if (has_rate && S(turned_from_) * onward <= S(0)) turned_ = after->event;
  }
  evaluate(state.time, state.position.value, velocity, state.momentum.value, rows_ - 1);
  is_first_ = true;
}

// Along the polynomial of the step. Its velocities are differences: they only have to show where to look.
template <class S>
void event_watch<S>::sample(const phase_state<S>& before, const phase_state<S>& after, step_workspace<S>& by) {
  const S length = after.time - before.time, apart(1.0 / 4096);
  for (std::size_t row = 1; row + 1 < rows_; ++row) {
    const S part = S(static_cast<double>(row)) / S(static_cast<double>(rows_ - 1));
    const S t = before.time + part * length;
    by.interpolate(part, position_);
    if (needs_velocity_) {
      by.interpolate(S(part - apart), behind_);
      by.interpolate(S(part + apart), velocity_);
      for (std::size_t i = 0; i < velocity_.size(); ++i) {
        velocity_[i] = (velocity_[i] - behind_[i]) / (S(2) * apart * length);
      }
      if (!momentum_.empty() && !legendre_.momentum_of(t, position_, velocity_, momentum_)) {
        std::ranges::fill(momentum_, S(std::numeric_limits<double>::quiet_NaN()));
      }
    }
    evaluate(t, position_, velocity_, momentum_, row);
  }
}

// Whether the event may happen in the step: the value changes sign from point to point, or turns near zero.
template <class S>
bool event_watch<S>::is_wanted(std::size_t event, section_step<S>& step) const {
  using std::abs;
  const std::size_t last = rows_ - 1;
  bool changes = false, rises = true, falls = true, turns = false;
  S largest(0);
  for (std::size_t k = 0; k <= last; ++k) largest = std::max<S>(largest, abs(value(k, event)));
  for (std::size_t k = 1; k <= last; ++k) {
    const S &f = value(k - 1, event), &g = value(k, event);
    changes = changes || sign_of(f) != sign_of(g) || !is_finite(g);
    rises = rises && f < g;
    falls = falls && f > g;
    if (k == last) break;
    const S& next = value(k + 1, event);
    const S bend = abs(S(f - S(2) * g + next)), least = std::min<S>({S(abs(f)), S(abs(g)), S(abs(next))});
    turns = turns || least <= bend;
  }
  const bool on_surface = is_first_ && abs(step.before) <= S(1e-8) * largest;
  step.may_turn = turns || on_surface || !(rises || falls);
  if (on_surface) return true;
  const crossing way = step.before < S(0) ? crossing::up : crossing::down;
  const crossing wanted = events_[event].direction;
  if (!step.may_turn) return changes && (wanted == crossing::both || wanted == way);
  return changes || turns;
}

template <class S>
event_search event_watch<S>::look(const phase_state<S>& before, const phase_state<S>& after,
                                  std::span<const S> velocity, step_workspace<S>& by, std::vector<event_hit<S>>& hits) {
  hits.clear();
  const std::size_t count = events_.size(), last = rows_ - 1;
  std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(last * count), count, values_.begin());
  sample(before, after, by);
  evaluate(after.time, after.position.value, velocity, after.momentum.value, last);
  const S length = after.time - before.time;
  for (std::size_t e = 0; e < count; ++e) {
    section_step<S> step{value(0, e), value(last, e), is_first_};
    if (!is_finite(step.before) || !is_finite(step.after) || !is_wanted(e, step)) continue;
    section_findings<S> found;
    if (!finders_[e].search(before, length, step, found)) return event_search::unreachable;
    if (turned_ == e && found.crossings.empty() && sign_of(step.after) == turned_from_) return event_search::again;
    if (found.ends_on_surface) values_[last * count + e] = S(0);
    for (section_point<S>& state : found.crossings) hits.push_back({e, std::move(state)});
    if (events_[e].direction != crossing::both) continue;
    for (section_point<S>& state : found.touches) hits.push_back({e, std::move(state)});
  }
  is_first_ = false;
  const auto distance = [&](const event_hit<S>& hit) { return S(hit.state.length / length); };
  std::ranges::stable_sort(hits, [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  turned_.reset();
  return event_search::complete;
}

#define ACTIO_INSTANTIATE(S) template class event_watch<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
