#include "actio/simulate/event_watch.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace actio {

namespace {

constexpr std::size_t fewest_inside = 5;                            // points of a step between its ends
constexpr std::size_t most_grids = 4096, most_grids_of_kinks = 64;  // that a step is looked at on

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
      step_(flow.step()),
      shows_turns_(!flow.method().scheme || flow.method().scheme->degree > 1),
      rates_(space, rates_of(events, space.system())),
      position_(space.size(), S(0)),
      behind_(position_),
      velocity_(position_),
      momentum_(space.momentum_size(), S(0)),
      legendre_(space) {
  for (const model_event& e : events) {
    finders_.emplace_back(flow, space,
                          section{.text = e.name, .value = e.when, .direction = e.direction, .counts_jumps = true});
  }
  std::vector<expr> rates = space.system().velocities();
  for (const expr& p : space.system().momenta()) rates.push_back(p);
  needs_velocity_ = std::ranges::any_of(events, [&](const model_event& e) {
    return std::ranges::any_of(rates, [&](const expr& r) { return depends_on(e.when, r); });
  });
}

template <class S>
void event_watch<S>::keep(std::size_t row) {
  for (std::size_t e = 0; e < events_.size(); ++e) values_[row * events_.size() + e] = function_[e];
}

// Whether the event stopped the motion through its surface, or turned it. Not known of values whose rate vanishes there
// or depends on accelerations.
template <class S>
bool event_watch<S>::was_turned_back(const event_hit<S>& hit, int way, const phase_state<S>& state,
                                     std::span<const S> velocity) {
  if (events_[hit.event].set.empty() || needs_velocity_) return false;
  const S onward(way * (hit.state.length < S(0) ? -1 : 1));
  const phase_state<S>& there = hit.state;
  if (!legendre_.velocity_at(there.time, there.position.value, there.momentum.value, velocity_)) return false;
  rates_.evaluate(there.time, there.position.value, velocity_, there.momentum.value);
  if (!(onward * rates_[hit.event] > S(0))) return false;
  rates_.evaluate(state.time, state.position.value, velocity, state.momentum.value);
  return onward * rates_[hit.event] <= S(0);
}

template <class S>
void event_watch<S>::start(const phase_state<S>& state, std::span<const S> velocity,
                           std::span<const event_hit<S>> after) {
  turned_.clear();
  happened_.clear();
  for (const event_hit<S>& hit : after) {
    happened_.push_back(hit.event);
    const crossing direction = events_[hit.event].direction;
    const int way = direction == crossing::up ? 1 : direction == crossing::down ? -1 : -sign_of(value(0, hit.event));
    if (was_turned_back(hit, way, state, velocity)) turned_.emplace_back(hit.event, way);
  }
  function_.evaluate(state.time, state.position.value, velocity, state.momentum.value);
  keep(rows_ - 1);
  is_first_ = true;
}

template <class S>
typename event_watch<S>::events_here event_watch<S>::at(const phase_state<S>& state) {
  events_here result;
  for (std::size_t e = 0; e < events_.size(); ++e) {
    if (events_[e].ends_step) continue;
    const std::optional<int> side = finders_[e].side_after(state, step_);
    if (!side || *side == 0) continue;
    const crossing way = *side > 0 ? crossing::up : crossing::down;
    if (events_[e].direction == way) result.happening.push_back(e);
    else if (events_[e].direction == crossing::both) result.unclear.push_back(e);
  }
  return result;
}

template <class S>
std::vector<std::size_t> event_watch<S>::jumped(const phase_state<S>& state, std::span<const S> velocity) {
  std::vector<std::size_t> result;
  function_.evaluate(state.time, state.position.value, velocity, state.momentum.value);
  for (std::size_t e = 0; e < events_.size(); ++e) {
    const int was = sign_of(value(rows_ - 1, e)), is = sign_of(function_[e]);
    const crossing way = is > 0 ? crossing::up : crossing::down;
    const bool is_in_direction = events_[e].direction == crossing::both || events_[e].direction == way;
    if (was * is < 0 && is_in_direction && !events_[e].ends_step) result.push_back(e);
  }
  keep(rows_ - 1);
  return result;
}

// Along the polynomial of the step. Its velocities are differences: they only have to show where to look.
template <class S>
void event_watch<S>::evaluate_inside(const taken_step& step, const S& part) {
  const S apart(1.0 / 4096), t = step.before.time + part * step.length;
  step.by.interpolate(part, position_);
  if (needs_velocity_) {
    step.by.interpolate(S(part - apart), behind_);
    step.by.interpolate(S(part + apart), velocity_);
    for (std::size_t i = 0; i < velocity_.size(); ++i) {
      velocity_[i] = (velocity_[i] - behind_[i]) / (S(2) * apart * step.length);
    }
    if (!momentum_.empty() && !legendre_.momentum_of(t, position_, velocity_, momentum_)) {
      std::ranges::fill(momentum_, S(std::numeric_limits<double>::quiet_NaN()));
    }
  }
  function_.evaluate(t, position_, velocity_, momentum_);
}

// Whether the event may happen in the step: the value changes sign from point to point, or may turn near zero, by its
// second and fourth differences.
template <class S>
bool event_watch<S>::is_wanted(std::size_t event, section_step<S>& step) const {
  using std::abs;
  const std::size_t last = rows_ - 1;
  bool changes = false, turns = false;
  S largest(0), bend(0), rough(0);
  const auto f = [&](std::size_t k) -> const S& { return value(k, event); };
  for (std::size_t k = 0; k <= last; ++k) {
    largest = std::max<S>(largest, abs(f(k)));
    changes = changes || !is_finite(f(k)) || (k > 0 && sign_of(f(k - 1)) != sign_of(f(k)));
  }
  for (std::size_t k = 2; k + 2 <= last; ++k) {
    rough = std::max<S>(rough, abs(S(f(k - 2) - S(4) * f(k - 1) + S(6) * f(k) - S(4) * f(k + 1) + f(k + 2))));
  }
  for (std::size_t k = 1; k < last; ++k) {
    bend = abs(S(f(k - 1) - S(2) * f(k) + f(k + 1)));
    const S least = std::min<S>({S(abs(f(k - 1))), S(abs(f(k))), S(abs(f(k + 1)))});
    turns = turns || least <= bend + rough;
  }
  const S near = S(1e-8) * largest;
  const bool on_surface = is_first_ && (has_happened(event) || abs(step.before) <= near);
  // A motion that comes back at once to where it leaves from, and one along a straight line, are looked at all over.
  if (!on_surface && shows_turns_) step.turns.emplace();
  step.may_turn = on_surface || changes || turns || abs(step.after) <= near;
  return step.may_turn;
}

// Where the value turns: places of its extremes on a grid, and on finer ones where more zeros may lie between two
// points than the grid shows.
template <class S>
void event_watch<S>::find_turns(const taken_step& step, std::size_t event, const S& from, const S& to, int depth,
                                std::vector<S>& turns) {
  using std::abs;
  constexpr std::size_t cells = 24;
  constexpr int most_depth = 5;
  if (grids_left_ == 0 || --grids_left_ == 0) return;
  const S cell = (to - from) / S(static_cast<double>(cells));
  std::vector<S> f;
  for (std::size_t k = 0; k <= cells; ++k) {
    evaluate_inside(step, S(from + S(static_cast<double>(k)) * cell));
    f.push_back(function_[event]);
    if (!is_finite(f.back())) return;
  }
  const auto bend = [&](std::size_t k) { return S(abs(S(f[k - 1] - S(2) * f[k] + f[k + 1]))); };
  const auto closer = [&](std::size_t first, std::size_t last) {
    if (depth >= most_depth) return;
    find_turns(step, event, S(from + S(static_cast<double>(first)) * cell),
               S(from + S(static_cast<double>(last)) * cell), depth + 1, turns);
  };
  const std::size_t inner = cells - 1;
  std::size_t looked_to = 0;  // by finer grids
  for (std::size_t k = 1; k <= inner; ++k) {
    if (k < looked_to) continue;
    // A change of sign in a cell in which the value is no straight line may be three.
    const S rough = k > 1 ? std::max<S>(bend(k - 1), bend(k)) : bend(k);
    if (sign_of(f[k - 1]) != sign_of(f[k]) && S(2) * rough > abs(S(f[k] - f[k - 1]))) {
      looked_to = k + 1;
      closer(k > 1 ? k - 2 : 0, looked_to);
      continue;
    }
    const S slope = S(f[k + 1] - f[k - 1]) / S(2), curve = S(f[k - 1] - S(2) * f[k] + f[k + 1]);
    const S vertex = curve == S(0) ? S(0) : std::clamp<S>(S(-slope / curve), S(-1), S(1));
    const bool turns_here = sign_of(S(f[k] - f[k - 1])) != sign_of(S(f[k + 1] - f[k]));
    const bool is_here =
        turns_here || (k == 1 && vertex < S(0) && vertex >= S(-1)) || (k == inner && vertex > S(0) && vertex <= S(1));
    if (!is_here) continue;
    // One at which it is no parabola, or which lies outside of the three points, may be several.
    const S left = k > 1 ? bend(k - 1) : bend(k), right = k < inner ? bend(k + 1) : bend(k);
    const bool is_parabola =
        abs(vertex) <= S(0.5) && bend(k) < S(2) * std::min<S>(left, right) && std::max<S>(left, right) < S(2) * bend(k);
    if (!is_parabola && depth < most_depth) {
      looked_to = std::min(k + 2, cells);
      closer(k - 1, looked_to);
      continue;
    }
    turns.push_back(from + (S(static_cast<double>(k)) + vertex) * cell);
  }
  const bool ends_rough = S(2) * bend(inner) > abs(S(f[cells] - f[inner]));
  if (looked_to < cells && sign_of(f[inner]) != sign_of(f[cells]) && ends_rough) closer(cells - 2, cells);
}

// Whether the motion jumps over a kink: where nodes of a step lie beyond it, steps that are a little longer may lead to
// quite another place.
template <class S>
bool event_watch<S>::is_torn(std::size_t event, const section_point<S>& found) {
  using std::abs;
  constexpr double far = 1e-3;  // of what the value is anywhere in the step
  if (!events_[event].ends_step) return false;
  S largest(0);
  for (std::size_t row = 0; row < rows_; ++row) largest = std::max<S>(largest, abs(value(row, event)));
  if (!legendre_.velocity_at(found.time, found.position.value, found.momentum.value, velocity_)) return false;
  function_.evaluate(found.time, found.position.value, velocity_, found.momentum.value);
  return abs(function_[event]) > S(far) * largest;
}

template <class S>
void event_watch<S>::step_back() {
  const auto count = static_cast<std::ptrdiff_t>(events_.size());
  std::copy_n(values_.begin(), count, values_.end() - count);
}

template <class S>
event_search event_watch<S>::look(const phase_state<S>& before, const phase_state<S>& after,
                                  std::span<const S> velocity, step_workspace<S>& by, std::vector<event_hit<S>>& hits) {
  using std::abs;
  hits.clear();
  const std::size_t count = events_.size(), last = rows_ - 1;
  std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(last * count), count, values_.begin());
  const taken_step taken{before, after.time - before.time, by};
  for (std::size_t row = 1; row < last; ++row) {
    evaluate_inside(taken, S(static_cast<double>(row)) / S(static_cast<double>(last)));
    keep(row);
  }
  function_.evaluate(after.time, after.position.value, velocity, after.momentum.value);
  keep(last);
  const S nearly = S(1024) * epsilon<S>() * abs(taken.length);
  const auto add = [&](std::size_t e, section_point<S>&& state) {
    if (abs(S(state.length - taken.length)) <= nearly) {  // at the end of the step: it needs no other
      static_cast<phase_state<S>&>(state) = after;
      state.length = taken.length;
    }
    hits.push_back({e, std::move(state)});
  };
  for (std::size_t e = 0; e < count; ++e) {
    section_step<S> step{value(0, e), value(last, e), is_first_};
    if (!is_finite(step.before) || !is_finite(step.after) || !is_wanted(e, step)) continue;
    if (step.turns) {
      // Beyond a jump of friction a long step leads anywhere, and the value is noise: a shorter one meets its first
      // change.
      grids_left_ = events_[e].ends_step ? most_grids_of_kinks : most_grids;
      find_turns(taken, e, S(0), S(1), 0, *step.turns);
      if (grids_left_ == 0) return event_search::unreachable;
      std::erase_if(*step.turns, [](const S& part) { return !(part > S(0) && part < S(1)); });
      std::ranges::sort(*step.turns);
    }
    section_findings<S> found;
    if (!finders_[e].search(before, taken.length, step, found)) return event_search::unreachable;
    const auto turned = std::ranges::find(turned_, e, &std::pair<std::size_t, int>::first);
    if (turned != turned_.end() && found.crossings.empty() && sign_of(step.after) == turned->second) {
      return event_search::again;
    }
    if (is_first_ && has_happened(e) && turned == turned_.end()) {  // the state may be on the side from which it came
      const S at_once = S(64) * epsilon<S>() * std::max<S>(abs(before.time), abs(taken.length));
      const auto is_the_same = [&](const section_point<S>& state) { return abs(state.length) <= at_once; };
      std::erase_if(found.crossings, is_the_same);
      std::erase_if(found.touches, is_the_same);
    }
    if (std::ranges::any_of(found.crossings, [&](const auto& state) { return is_torn(e, state); })) {
      return event_search::unreachable;
    }
    if (found.ends_on_surface) values_[last * count + e] = S(0);
    for (section_point<S>& state : found.crossings) add(e, std::move(state));
    if (events_[e].direction != crossing::both) continue;
    for (section_point<S>& state : found.touches) add(e, std::move(state));
  }
  is_first_ = false;
  happened_.clear();
  turned_.clear();
  const auto distance = [&](const event_hit<S>& hit) { return S(hit.state.length / taken.length); };
  std::ranges::stable_sort(hits, [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return event_search::complete;
}

#define ACTIO_INSTANTIATE(S) template class event_watch<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
