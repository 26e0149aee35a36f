#include "actio/simulate/shadow_energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "actio/base/largest.hpp"

namespace actio {

namespace {

// Their errors are far below what the differences of the highest order leave of most methods.
constexpr std::string_view guiding = "gauss-8", guiding_constrained = "lobatto-7";

constexpr std::size_t fewest_values = 16;  // from which a variation is seen
constexpr double little_more = 2;          // times the least variation

// Those of G_ij for m steps, symmetric: above the diagonal only.
template <class S>
matrix<S> difference_weights(std::size_t m) {
  const auto real = [](std::size_t x) { return S(static_cast<double>(x)); };
  std::vector<S> binomial{S(1)};
  for (std::size_t i = 1; i <= m; ++i) binomial.push_back(binomial.back() * real(m + 1 - i) / real(i));
  S all(0);  // C(2m, m) = Σ C(m, i)²
  for (const S& b : binomial) all += b * b;
  matrix<S> weights(m + 1, m + 1);
  for (std::size_t i = 0; i <= m; ++i) {
    for (std::size_t j = i + 1; j <= m; ++j) {
      weights(i, j) = binomial[i] * binomial[j] / all;
      if ((j - i) % 2 == 0) weights(i, j) = -weights(i, j);
    }
  }
  return weights;
}

// Control points between two states are known to the rounding of positions, and the action is quadratic in their
// errors: nothing, unless a step is so short that positions hardly change.
template <class S>
S coarseness(const phase_state<S>& before, const phase_state<S>& after, const S& kinetic_energy) {
  using std::abs;
  constexpr double slopes = 32;  // of the basis that takes velocities from control points
  S size(0), moved(0);
  for (std::size_t k = 0; k < after.position.size(); ++k) {
    raise_to(size, S(abs(after.position[k])));
    raise_to(moved, S(abs(after.position.beyond(before.position, k))));
  }
  if (!(moved > S(0))) return S(0);
  const S part = S(slopes) * epsilon<S>() * size / moved;
  return kinetic_energy * part * part;
}

template <class S>
S no_number() {
  return std::numeric_limits<S>::quiet_NaN();
}

template <class S>
const phase_space<S>& space_with_energy(const integrator<S>& flow) {
  const phase_space<S>& space = flow.space();
  if (space.has_jet() && !space.has_power()) return space;
  throw input_error("no-shadow-energy",
                    !space.has_energy() ? "equations without a Lagrangian have no energy, and so no shadow energy"
                    : !space.has_jet()
                        ? "shadow energies follow from discrete Lagrangians, and the model gives a Hamiltonian"
                        : "forces or the time change the energy of this system: it has no shadow energy",
                    {}, "leave @shadow out: the ledger of energy and work is always there");
}

}  // namespace

template <class S>
typename shadow_meter<S>::guide shadow_meter<S>::guide_of(const integrator<S>& flow, const S& step) {
  const method& m = *find_method(flow.space().constraints() != nullptr ? guiding_constrained : guiding);
  auto workspace = m.make<S>(step_context<S>{.space = flow.space(), .step = step});
  step_action<S> action(m, flow.space(), *workspace, step);
  std::vector<S> fresh = workspace->history();
  return {std::move(workspace), std::move(action), std::move(fresh)};
}

template <class S>
shadow_meter<S>::shadow_meter(const integrator<S>& flow, const step_workspace<S>& workspace)
    : space_(&space_with_energy(flow)),
      step_(flow.step()),
      action_(flow.method(), *space_, workspace, step_),
      forward_(guide_of(flow, step_)),
      backward_(guide_of(flow, S(-step_))),
      guided_(width),
      time_(no_number<S>()),
      energy_(no_number<S>()) {
  for (const std::size_t m : differences) {
    rules_.push_back({flow.method().traits.order + 2 * static_cast<int>(m), difference_weights<S>(m),
                      conserved_meter<S>("shadow energy")});
  }
}

template <class S>
void shadow_meter<S>::start(const phase_state<S>& state, const phase_point<S>& point) {
  constant_ = point.energy() - point.energy_change();
  passed_.assign(1, {state, point.energy_change(), S(0)});
}

template <class S>
bool shadow_meter<S>::follow_energy() {
  for (guide* g : {&forward_, &backward_}) g->workspace->restore_history(g->fresh);
  guided_[reach].state = passed_[reach].state;
  for (std::size_t k = reach + 1; k < width; ++k) {
    phase_state<S>& state = guided_[k].state = guided_[k - 1].state;
    if (!forward_.workspace->advance(state)) return false;
    guided_[k].action = forward_.action.of(*forward_.workspace, guided_[k - 1].state, state);
  }
  for (std::size_t k = reach; k-- > 0;) {
    phase_state<S>& state = guided_[k].state = guided_[k + 1].state;
    if (!backward_.workspace->advance(state)) return false;
    guided_[k + 1].action = -backward_.action.of(*backward_.workspace, guided_[k + 1].state, state);
  }
  return true;
}

template <class S>
S shadow_meter<S>::value_of(const difference_rule& rule, const window& states) const {
  const std::size_t m = rule.weights.rows() - 1, first = reach - m / 2;
  S sum(0);
  for (std::size_t i = 0; i < m; ++i) {
    const phase_state<S>& a = states[first + i].state;
    S action(0);
    for (std::size_t j = i + 1; j <= m; ++j) {
      const phase_state<S>& b = states[first + j].state;
      action += states[first + j].action;
      S part = S(-2) * action;
      for (std::size_t k = 0; k < a.position.size(); ++k) {
        part += (a.momentum[k] + b.momentum[k]) * b.position.beyond(a.position, k);
      }
      sum += rule.weights(i, j) * part / (S(static_cast<double>(j - i)) * step_);
    }
  }
  return sum;
}

template <class S>
void shadow_meter<S>::add(const phase_state<S>& state, const phase_point<S>& point, step_workspace<S>& workspace) {
  if (passed_.size() == width) std::rotate(passed_.begin(), passed_.begin() + 1, passed_.end());
  else passed_.emplace_back();
  const phase_state<S> before = passed_[passed_.size() - 2].state;
  passed_.back() = {state, point.energy_change(), action_.of(workspace, before, state)};
  if (passed_.size() < width || !follow_energy()) return;
  time_ = passed_[reach].state.time;
  ++values_;
  raise_to(coarseness_, coarseness(before, state, point.kinetic_energy()));
  for (difference_rule& rule : rules_) {
    const S energy = passed_[reach].energy + (value_of(rule, passed_) - value_of(rule, guided_));
    rule.meter.started() ? rule.meter.add(time_, energy) : rule.meter.start(time_, energy);
    energy_ = energy + constant_;
    // Three energies, each a difference of p·q' and L.
    rule.meter.look_at(S(0), S(S(3) * point.energy_rounding()));
  }
}

template <class S>
shadow_record<S> shadow_meter<S>::record(double swings, bool is_symplectic) const {
  using std::abs;
  shadow_record<S> result;
  if (values_ < fewest_values) return result;
  S least = rules_.front().meter.max_error();
  for (const difference_rule& rule : rules_) {
    result.all.push_back({rule.order, rule.meter.max_error()});
    if (rule.meter.max_error() < least) least = rule.meter.max_error();
  }
  // Where all vary little, as on linear systems, the higher orders are nearer to what they all stand for.
  std::size_t best = rules_.size() - 1;
  while (best > 0 && !(rules_[best].meter.max_error() <= S(little_more) * least)) --best;
  result.order = rules_[best].order;
  result.energy = rules_[best].meter.record(swings, is_symplectic);
  if (best > 0) result.uncertainty = abs(S(rules_[best].meter.initial() - rules_[best - 1].meter.initial()));
  raise_to(result.uncertainty, coarseness_);
  result.energy.initial += constant_;
  result.energy.final += constant_;
  return result;
}

template <class S>
void shadow_meter<S>::save(snapshot& to) const {
  std::vector<S> numbers{constant_};
  for (std::size_t k = 0; k < passed_.size(); ++k) {
    numbers.insert(numbers.end(), {passed_[k].energy, passed_[k].action});
    snapshot one;
    actio::save(passed_[k].state, one);
    for (const auto& [name, texts] : one.all()) to.put_texts(fmt::format("shadow.state.{}.{}", k, name), texts);
  }
  to.put("shadow.steps", numbers);
  for (std::size_t k = 0; k < rules_.size(); ++k) rules_[k].meter.save(to, fmt::format("shadow.order.{}", k));
  to.put("shadow.values", std::vector<double>{static_cast<double>(values_)});
  to.put<S>("shadow.coarseness", std::vector<S>{coarseness_});
  if (values_ > 0) to.put<S>("shadow.latest", std::vector<S>{time_, energy_});
}

template <class S>
void shadow_meter<S>::load(const snapshot& from) {
  const std::vector<S> numbers = from.get<S>("shadow.steps");
  if (numbers.size() < 3 || numbers.size() % 2 == 0 || numbers.size() > 2 * width + 1) {
    throw snapshot_error("its record of the shadow energy has another size");
  }
  constant_ = numbers[0];
  passed_.clear();
  for (std::size_t k = 0; 2 * k + 1 < numbers.size(); ++k) {
    const std::string prefix = fmt::format("shadow.state.{}.", k);
    snapshot one;
    for (const auto& [name, texts] : from.all()) {
      if (name.starts_with(prefix)) one.put_texts(name.substr(prefix.size()), texts);
    }
    passed_.push_back({load_state<S>(one, *space_), numbers[2 * k + 1], numbers[2 * k + 2]});
  }
  for (std::size_t k = 0; k < rules_.size(); ++k) rules_[k].meter.load(from, fmt::format("shadow.order.{}", k));
  values_ = from.counts("shadow.values", 1)[0];
  coarseness_ = from.get<S>("shadow.coarseness", 1)[0];
  if (values_ == 0) return;
  const std::vector<S> latest = from.get<S>("shadow.latest", 2);
  time_ = latest[0];
  energy_ = latest[1];
}

#define ACTIO_INSTANTIATE(S) template class shadow_meter<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
