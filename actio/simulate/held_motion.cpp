#include "actio/simulate/held_motion.hpp"

#include <algorithm>

#include "actio/backend/evaluate.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio {

expr held_chain::in_what_is_left(expr e) const {
  for (std::size_t k = 0; k < relations.size(); ++k) e = relations[k].in_what_is_left(wholes[k], e);
  return e;
}

std::optional<held_chain> held_by_all(const lagrangian_system& system, std::span<const expr> values) {
  held_chain chain{system, {}, {}};
  if (system.recursions) write_out_recursions(chain.left);
  for (const expr& w : values) {
    auto next = held(chain.left, chain.in_what_is_left(w), chain.relations.size() + 1);
    if (!next) return std::nullopt;
    chain.wholes.push_back(std::move(chain.left));
    chain.left = std::move(next->system);
    chain.relations.push_back(std::move(next->relation));
  }
  return chain;
}

template <class S>
held_coordinates<S>::held_coordinates(const held_chain& chain, const phase_space<S>& whole)
    : symbols_(whole.system().parameter_symbols()), values_(whole.parameters()) {
  for (const held_relation& relation : chain.relations) {
    coefficients_.push_back(relation.rate);
    coefficients_.insert(coefficients_.end(), relation.ratios.begin(), relation.ratios.end());
    links_.push_back({relation.leading, S(0), S(0), std::vector<S>(relation.ratios.size(), S(0))});
  }
  renew();
}

template <class S>
void held_coordinates<S>::renew() {
  const std::vector<S> numbers = evaluate<S>(coefficients_, symbols_, values_.values());
  auto at = numbers.begin();
  for (link& l : links_) {
    l.rate = *at++;
    for (S& ratio : l.ratios) ratio = *at++;
  }
}

template <class S>
std::vector<S> held_coordinates<S>::left(std::span<const S> whole) const {
  std::vector<S> result(whole.begin(), whole.end());
  for (const link& l : links_) result.erase(result.begin() + static_cast<std::ptrdiff_t>(l.leading));
  return result;
}

template <class S>
void held_coordinates<S>::hold(const phase_state<S>& state) {
  std::vector<S> now = state.position.value;
  for (link& l : links_) {
    l.offset = now[l.leading] - l.rate * state.time;
    now.erase(now.begin() + static_cast<std::ptrdiff_t>(l.leading));
    for (std::size_t k = 0; k < now.size(); ++k) l.offset -= l.ratios[k] * now[k];
  }
}

template <class S>
std::vector<S> held_coordinates<S>::parameters() const {
  std::vector<S> all = values_.values();
  for (const link& l : links_) all.push_back(l.offset);
  return all;
}

template <class S>
phase_state<S> held_coordinates<S>::left(const phase_state<S>& whole) const {
  phase_state<S> state = whole;
  state.velocity.clear();
  for (const link& l : links_) {
    const auto place = static_cast<std::ptrdiff_t>(l.leading);
    const S p = state.momentum.value[l.leading], rest = state.momentum.remainder[l.leading];
    for (compensated_vector<S>* part : {&state.position, &state.momentum}) {
      part->value.erase(part->value.begin() + place);
      part->remainder.erase(part->remainder.begin() + place);
    }
    for (std::size_t k = 0; k < l.ratios.size(); ++k) {
      if (l.ratios[k] == S(0)) continue;
      state.momentum.add(k, S(l.ratios[k] * p));
      state.momentum.add(k, S(l.ratios[k] * rest));
    }
  }
  return state;
}

template <class S>
std::vector<S> held_coordinates<S>::position(const S& t, std::span<const S> left) const {
  std::vector<S> result(left.begin(), left.end());
  for (auto l = links_.rbegin(); l != links_.rend(); ++l) {
    S q = l->offset + l->rate * t;
    for (std::size_t k = 0; k < result.size(); ++k) q += l->ratios[k] * result[k];
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(l->leading), q);
  }
  return result;
}

template <class S>
std::vector<S> held_coordinates<S>::velocity(std::span<const S> left) const {
  std::vector<S> result(left.begin(), left.end());
  for (auto l = links_.rbegin(); l != links_.rend(); ++l) {
    S v = l->rate;
    for (std::size_t k = 0; k < result.size(); ++k) v += l->ratios[k] * result[k];
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(l->leading), v);
  }
  return result;
}

template <class S>
S held_coordinates<S>::power_of_relations(std::span<const S> momentum) const {
  std::vector<S> p(momentum.begin(), momentum.end());
  S sum(0);
  for (const link& l : links_) {
    const S leading = p[l.leading];
    sum += l.rate * leading;
    p.erase(p.begin() + static_cast<std::ptrdiff_t>(l.leading));
    for (std::size_t k = 0; k < p.size(); ++k) p[k] += l.ratios[k] * leading;
  }
  return sum;
}

template <class S>
held_step<S>::held_step(const step_context<S>& context, const held_chain& chain, const integrator<S>* left)
    : step_workspace<S>(context),
      coordinates_(chain, context.space),
      legendre_(context.space),
      step_(context.step),
      velocity_(chain.left.size(), S(0)),
      place_(velocity_) {
  if (left == nullptr) return;
  left_space_.emplace(left->space().with_parameters(shared_parameters<S>(coordinates_.parameters())));
  left_point_.emplace(*left_space_);
  inner_.emplace(*left, *left_space_);
}

template <class S>
void held_step<S>::hold(const phase_state<S>& state) {
  coordinates_.hold(state);
  if (!left_space_) return;
  shared_parameters<S> shared = left_space_->parameters();
  const std::vector<S> now = coordinates_.parameters();
  if (!std::ranges::equal(shared, now)) shared.assign(now);
}

// Position and momentum of the whole system, from the state of what is left.
template <class S>
bool held_step<S>::fill(const phase_state<S>& left, phase_state<S>& whole) {
  if (left_point_ && !left_point_->velocity_at(left.time, left.position.value, left.momentum.value, velocity_)) {
    return false;
  }
  std::vector<S> q = coordinates_.position(left.time, left.position.value), p(q.size(), S(0));
  if (!legendre_.momentum_of(left.time, q, coordinates_.velocity(velocity_), p)) return false;
  const bool is_finite_there = std::ranges::all_of(p, [](const S& x) { return is_finite(x); }) &&
                               std::ranges::all_of(q, [](const S& x) { return is_finite(x); });
  if (!is_finite_there) return false;
  whole.position = compensated_vector<S>(std::move(q));
  whole.momentum = compensated_vector<S>(std::move(p));
  return true;
}

template <class S>
step_status held_step<S>::advance(phase_state<S>& state) {
  hold(state);
  phase_state<S> left = coordinates_.left(state), moved = state;
  place_ = left.position.value;
  step_status status;
  if (inner_) status = inner_->advance(left, step_);
  else left.step_by(step_);
  if (!status) return status;
  moved.step_on(step_);
  left.begin_at(moved.time);
  if (!fill(left, moved) || !add_work(state, moved)) return {step_code::left_domain, status.iterations, 0};
  begin_ = state.time;
  length_ = step_;
  state = std::move(moved);
  return status;
}

// What relations give that move, and what is given to the rest; all of it where there is no rest.
template <class S>
bool held_step<S>::add_work(const phase_state<S>& before, const phase_state<S>& after) {
  if (inner_) {
    work_ = inner_->workspace().work() + (coordinates_.power_of_relations(after.momentum.value) -
                                          coordinates_.power_of_relations(before.momentum.value));
    return true;
  }
  if (!legendre_.measure(before.time, before.position.value, before.momentum.value)) return false;
  const S energy = legendre_.energy_change();
  if (!legendre_.measure(after.time, after.position.value, after.momentum.value)) return false;
  work_ = legendre_.energy_change() - energy;
  return true;
}

template <class S>
void held_step<S>::interpolate(const S& fraction, std::span<S> position) {
  if (inner_) inner_->workspace().interpolate(fraction, place_);
  std::ranges::copy(coordinates_.position(S(begin_ + fraction * length_), place_), position.begin());
}

template <class S>
typename sliding_rates<S>::side sliding_rates<S>::make_side(const phase_space<S>& whole, const expr& w,
                                                            std::span<const expr> others, int sign) const {
  lagrangian_system sided = on_side(whole.system(), w, sign);
  sided.observables.clear();
  sided.invariants.clear();
  sided.symmetries.clear();
  sided.found.emplace();
  std::optional<held_chain> chain = held_by_all(sided, others);
  ACTIO_ASSERT(chain);
  chain->left.observables.push_back({"rate", time_derivative(chain->left, chain->in_what_is_left(w)), {}});
  held_coordinates<S> coordinates(*chain, whole);
  const phase_space<S> space(chain->left, shared_parameters<S>(coordinates.parameters()));
  return {std::move(coordinates), space, phase_point<S>(space)};
}

template <class S>
sliding_rates<S>::sliding_rates(const phase_space<S>& whole, const expr& w, std::span<const expr> others)
    : above_(make_side(whole, w, others, 1)), below_(make_side(whole, w, others, -1)) {}

template <class S>
std::optional<S> sliding_rates<S>::rate_on(side& of, const phase_state<S>& state) const {
  of.coordinates.renew();
  of.coordinates.hold(state);
  shared_parameters<S> shared = of.space.parameters();
  shared.assign(of.coordinates.parameters());
  const phase_state<S> left = of.coordinates.left(state);
  if (!of.point.measure(left.time, left.position.value, left.momentum.value)) return std::nullopt;
  const S rate = of.point.observables()[0];
  return is_finite(rate) ? std::optional(rate) : std::nullopt;
}

template <class S>
std::optional<typename sliding_rates<S>::rates> sliding_rates<S>::at(const phase_state<S>& state) {
  const std::optional<S> above = rate_on(above_, state), below = rate_on(below_, state);
  if (!above || !below) return std::nullopt;
  return rates{*above, *below};
}

#define ACTIO_INSTANTIATE(S)          \
  template class held_coordinates<S>; \
  template class held_step<S>;        \
  template class sliding_rates<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
