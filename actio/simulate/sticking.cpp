#include "actio/simulate/sticking.hpp"

#include <algorithm>
#include <utility>

#include "actio/expr/derivative.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

namespace {

// Values that forces may hold, by the places of their kinks.
std::map<std::size_t, expr> values_that_hold(const lagrangian_system& system, std::span<const model_event> events) {
  std::map<std::size_t, expr> values;
  if (!system.has_lagrangian()) return values;
  for (std::size_t k = 0; k < events.size(); ++k) {
    if (events[k].ends_step && held(system, events[k].when, 1)) values.emplace(k, events[k].when);
  }
  return values;
}

std::vector<expr> with_slopes(const lagrangian_system& system, const std::map<std::size_t, expr>& values) {
  std::vector<expr> all;
  for (const auto& [kink, value] : values) all.push_back(value);
  for (const auto& [kink, value] : values) {
    for (const expr& slope : gradient(value, system.velocities())) all.push_back(slope);
  }
  return all;
}

}  // namespace

template <class S>
sticking<S>::sticking(const integrator<S>& flow, const phase_space<S>& space, std::span<const model_event> events)
    : flow_(flow),
      space_(space),
      step_(flow.step()),
      values_(values_that_hold(space.system(), events)),
      numbers_(space, with_slopes(space.system(), values_)),
      legendre_(space),
      velocity_(space.size(), S(0)) {}

template <class S>
std::vector<expr> sticking<S>::values_of(std::span<const std::size_t> kinks) const {
  std::vector<expr> result;
  for (const std::size_t k : kinks) result.push_back(values_.at(k));
  return result;
}

template <class S>
bool sticking<S>::measure(const phase_state<S>& state) {
  if (!legendre_.velocity_at(state.time, state.position.value, state.momentum.value, velocity_, state.velocity)) {
    return false;
  }
  numbers_.evaluate(state.time, state.position.value, velocity_, state.momentum.value);
  return true;
}

// Below rounding of Σ |a_k q_k'| a value is zero.
template <class S>
std::vector<std::size_t> sticking<S>::places_near(const phase_state<S>& state, std::optional<std::size_t> met,
                                                  double part) {
  using std::abs;
  constexpr double roundings = 256;
  std::vector<std::size_t> result;
  if (!measure(state)) return result;
  const std::size_t n = space_.size();
  std::size_t at = 0;
  for (const auto& [kink, value] : values_) {
    const S w = abs(numbers_[at]);
    S size(0);
    for (std::size_t i = 0; i < n; ++i) size += abs(S(numbers_[values_.size() + at * n + i] * velocity_[i]));
    ++at;
    bool is_near = w <= S(roundings) * epsilon<S>() * size || kink == met;
    if (!is_near && part > 0) {
      const auto rates = rates_of(kink, with_held(kink)).at(state);
      measure(state);
      is_near = rates && w <= S(part) * abs(step_) * std::max<S>(abs(rates->above), abs(rates->below));
    }
    if (is_near) result.push_back(kink);
  }
  return result;
}

template <class S>
std::vector<std::size_t> sticking<S>::approached(const phase_state<S>& state) {
  using std::abs;
  constexpr double ahead = 1.5;  // steps
  if (!rates_of_all_) {
    lagrangian_system observed = space_.system();
    if (observed.recursions) write_out_recursions(observed);
    observed.observables.clear();
    observed.invariants.clear();
    observed.symmetries.clear();
    observed.found.emplace();
    for (const auto& [kink, value] : values_) {
      observed.observables.push_back({"rate", time_derivative(observed, value), {}});
    }
    rates_of_all_.emplace(phase_space<S>(observed, space_.parameters()));
  }
  std::vector<std::size_t> result;
  if (!measure(state)) return result;
  if (!rates_of_all_->measure(state.time, state.position.value, state.momentum.value, state.velocity)) return result;
  std::size_t at = 0;
  for (const auto& [kink, value] : values_) {
    const S w = numbers_[at];
    S rate = rates_of_all_->observables()[at++];
    if (std::ranges::find(held_, kink) != held_.end() || has_side(kink)) continue;
    if (!held_.empty()) {  // what is held pushes back
      const auto held_rates = rates_of(kink, with_held(kink)).at(state);
      if (!held_rates) continue;
      rate = w > S(0) ? held_rates->above : held_rates->below;
    }
    const S change = S(ahead) * step_ * rate;
    if ((w > S(0)) != (change > S(0)) && abs(w) <= abs(change)) result.push_back(kink);
  }
  return result;
}

// Velocities of a state come from its momenta: a value that is held is zero to the rounding of all of them.
template <class S>
void sticking<S>::look_at_change(const phase_state<S>& state) {
  using std::abs;
  constexpr double roundings = 1024;
  left_.clear();
  if (held_.empty() || !measure(state)) return;
  const std::size_t n = space_.size();
  S fastest(0);
  for (const S& v : velocity_) fastest = std::max<S>(fastest, abs(v));
  std::size_t at = 0;
  for (const auto& [kink, value] : values_) {
    const S w = numbers_[at];
    S slopes(0);
    for (std::size_t i = 0; i < n; ++i) slopes += abs(S(numbers_[values_.size() + at * n + i]));
    ++at;
    if (std::ranges::find(held_, kink) == held_.end()) continue;
    if (abs(w) > S(roundings) * epsilon<S>() * slopes * fastest) left_.push_back(kink);
  }
}

template <class S>
std::vector<std::size_t> sticking<S>::places_on(const phase_state<S>& state) {
  std::vector<std::size_t> all = places_near(state, {}, 0);
  std::erase_if(all, [&](std::size_t k) { return std::ranges::find(held_, k) != held_.end(); });
  return all;
}

template <class S>
sliding_rates<S>& sticking<S>::rates_of(std::size_t kink, const kink_set& all) {
  auto& known = rates_[{kink, all}];
  if (!known) {
    kink_set others;
    std::ranges::copy_if(all, std::back_inserter(others), [&](std::size_t k) { return k != kink; });
    known = std::make_unique<sliding_rates<S>>(space_, values_.at(kink), values_of(others));
  }
  return *known;
}

// Against the direction of a run back in time what drives a velocity to zero drives it away.
template <class S>
std::optional<S> sticking<S>::excess(std::size_t kink, const kink_set& all, const phase_state<S>& state, int* side) {
  const auto rates = rates_of(kink, all).at(state);
  if (!rates) return std::nullopt;
  const S onward(step_ < S(0) ? -1 : 1);
  const S up = onward * rates->above, down = -onward * rates->below;
  if (side != nullptr) *side = up > down ? 1 : -1;
  if (up + down >= S(0)) return std::max<S>({up, down, S(1)});  // no forces that jump towards it
  return std::max<S>(up, down);
}

template <class S>
std::vector<std::size_t> sticking<S>::holding_at(const phase_state<S>& state, std::optional<std::size_t> met,
                                                 bool nearly) {
  constexpr double short_time = 1e-7;
  kink_set all = places_near(state, met, nearly ? short_time : 0);
  for (const std::size_t k : held_) {
    const bool has_left = std::ranges::find(left_, k) != left_.end();
    if (!has_left && std::ranges::find(all, k) == all.end()) all.push_back(k);
  }
  std::ranges::sort(all);
  while (!all.empty()) {
    std::size_t worst = 0;
    S most(0);
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::optional<S> now = excess(all[i], all, state);
      if (now && (*now <= S(0) || (any && *now <= most))) continue;
      any = true;
      worst = i;
      if (!now) break;
      most = *now;
    }
    if (!any) break;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(worst));
  }
  return all;
}

// The value of a kink, by a change of the velocities along its slopes.
template <class S>
void sticking<S>::shift(std::size_t kink, const S& to, phase_state<S>& state) {
  if (!measure(state)) return;
  const auto place = static_cast<std::size_t>(std::distance(values_.begin(), values_.find(kink)));
  const std::size_t n = space_.size();
  const auto slope = [&](std::size_t i) -> const S& { return numbers_[values_.size() + place * n + i]; };
  S square(0);
  for (std::size_t i = 0; i < n; ++i) square += slope(i) * slope(i);
  const S change = (to - numbers_[place]) / square;
  for (std::size_t i = 0; i < n; ++i) velocity_[i] += change * slope(i);
  std::vector<S> momentum(n, S(0));
  if (!legendre_.momentum_of(state.time, state.position.value, velocity_, momentum)) return;
  state.momentum = compensated_vector<S>(std::move(momentum));
  if (!state.velocity.empty()) state.velocity = velocity_;
}

template <class S>
void sticking<S>::turn_sides(const kink_set& kinks, phase_state<S>& state, const around& also) {
  constexpr double roundings = 1024;  // of what forces make of a velocity in a step
  using std::abs;
  const kink_set lying = places_near(state, also.met, 0);
  sides_.clear();
  for (const std::size_t k : also.widely ? places_near(state, also.met, 1) : lying) {
    if (std::ranges::find(kinks, k) != kinks.end()) continue;
    int side = 1;
    if (std::ranges::find(lying, k) == lying.end()) {
      side = side_of(k, state);
    } else {
      kink_set with = kinks;
      with.push_back(k);
      std::ranges::sort(with);
      const auto rates = rates_of(k, with).at(state);
      if (!rates || !(rates->below > rates->above) || !excess(k, with, state, &side)) continue;
      shift(k, S(S(side) * S(roundings) * epsilon<S>() * abs(step_) * abs(S(rates->above - rates->below))), state);
    }
    sides_.emplace_back(k, side);
  }
}

template <class S>
int sticking<S>::side_of(std::size_t kink, const phase_state<S>& state) {
  if (!measure(state)) return 1;
  return numbers_[static_cast<std::size_t>(std::distance(values_.begin(), values_.find(kink)))] < S(0) ? -1 : 1;
}

template <class S>
void sticking<S>::take_side(std::size_t kink, const phase_state<S>& state) {
  std::erase_if(sides_, [&](const auto& side) { return side.first == kink; });
  sides_.emplace_back(kink, side_of(kink, state));
  std::ranges::sort(sides_);
  trial_.reset();
  mode_ = &mode_of(held_, sides_);
}

template <class S>
bool sticking<S>::has_side(std::size_t kink) const {
  return std::ranges::any_of(sides_, [&](const auto& side) { return side.first == kink; });
}

template <class S>
bool sticking<S>::jumps_at(std::size_t kink, const phase_state<S>& state) {
  if (!values_.contains(kink)) return false;
  const auto rates = rates_of(kink, with_held(kink)).at(state);
  return rates && rates->below > rates->above;
}

template <class S>
typename sticking<S>::kink_set sticking<S>::with_held(std::size_t kink) const {
  kink_set all = held_;
  if (std::ranges::find(all, kink) == all.end()) all.push_back(kink);
  std::ranges::sort(all);
  return all;
}

template <class S>
void sticking<S>::hold(std::vector<std::size_t> kinks, phase_state<S>& state, const around& also) {
  turn_sides(kinks, state, also);
  for (const std::size_t k : kinks) shift(k, S(0), state);
  held_ = std::move(kinks);
  left_.clear();
  trial_.reset();
  mode_ = held_.empty() && sides_.empty() ? nullptr : &mode_of(held_, sides_);
}

template <class S>
const typename sticking<S>::mode& sticking<S>::mode_of(const kink_set& kinks, const kink_sides& sides) {
  const std::pair key(kinks, sides);
  const auto known = modes_.find(key);
  if (known != modes_.end()) return known->second;
  lagrangian_system sided = space_.system();
  for (const auto& [kink, side] : sides) sided = on_side(sided, values_.at(kink), side);
  mode made{held_by_all(sided, values_of(kinks)), nullptr, flow_};
  ACTIO_ASSERT(made.chain);
  if (made.chain->left.size() > 0) {
    integrator_options<S> options = flow_.options();
    options.allow_unstable = true;
    options.velocity_state = false;
    made.left = std::make_unique<integrator<S>>(made.chain->left, options);
  }
  mode& kept = modes_.emplace(key, std::move(made)).first->second;
  kept.flow = flow_.with_steps([&kept](const step_context<S>& context) {
    return std::make_unique<held_step<S>>(context, *kept.chain, kept.left.get());
  });
  return kept;
}

template <class S>
std::optional<typename sticking<S>::release> sticking<S>::look(const phase_state<S>& before,
                                                               const phase_state<S>& after) {
  using std::abs;
  if (held_.empty()) return std::nullopt;
  if (!trial_) trial_.emplace(mode_->flow, space_);
  constexpr int parts = 4, most_trials = 200;
  const S whole = after.time - before.time;
  std::optional<release> first;
  const auto excess_at = [&](std::size_t kink, const S& length) -> std::optional<S> {
    if (length == whole) return excess(kink, held_, after);
    phase_state<S> there = before;
    if (!trial_->advance(there, length)) return std::nullopt;
    return excess(kink, held_, there);
  };
  for (const std::size_t kink : held_) {
    S from(0), to(0);
    bool is_free = false;
    for (int k = 1; k <= parts && !is_free; ++k) {
      to = k == parts ? whole : S(whole * S(k) / S(parts));
      const std::optional<S> now = excess_at(kink, to);
      is_free = now && *now > S(0);
      if (!is_free) from = to;
    }
    for (int k = 0; k < most_trials && is_free; ++k) {
      const S middle = (from + to) / S(2);
      if (abs(S(to - from)) <= S(4) * epsilon<S>() * std::max<S>(abs(whole), abs(after.time))) break;
      const std::optional<S> now = excess_at(kink, middle);
      (now && *now > S(0) ? to : from) = middle;
    }
    if (is_free && (!first || abs(to) < abs(first->length))) first = release{kink, to};
  }
  return first;
}

#define ACTIO_INSTANTIATE(S) template class sticking<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
