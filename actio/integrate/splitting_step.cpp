#include "actio/integrate/splitting_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "actio/base/row_operations.hpp"

namespace actio {

namespace {

template <class S>
bool are_equal(const std::vector<S>& a, const std::vector<S>& b) {
  if constexpr (std::same_as<S, double>) return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
  return a == b;
}

}  // namespace

template <class S>
splitting_step<S>::splitting_step(const splitting_scheme& scheme, const step_context<S>& context)
    : step_workspace<S>(context),
      tableau_(make_splitting<S>(scheme, context.step)),
      scheme_(scheme),
      step_(context.step),
      n_(context.space.size()),
      parts_(separable_parts_of<S>(context.space)),
      // The power is linear along a kick when the mass is constant; otherwise the rule has the order of the method.
      along_kick_(gauss_rule<S>(parts_->has_constant_mass() ? 1 : (static_cast<std::size_t>(scheme.order) + 1) / 2)),
      branch_(context.space),
      q_(std::vector<S>(n_, S(0))),
      p_(q_),
      force_(n_, S(0)),
      velocity_(n_, S(0)),
      along_(parts_->has_power() ? n_ : 0, S(0)),
      force_position_(n_, S(0)) {
  left_.position = q_;
  left_.momentum = p_;
}

template <class S>
void splitting_step<S>::parameters_changed() {
  parts_->parameters_changed();
  force_known_ = false;
}

template <class S>
bool splitting_step<S>::force_at(const S& t, sums q) {
  if (force_known_ && force_time_ == t && are_equal<S>(force_position_, q.value)) return true;
  force_known_ = parts_->force(t, q.value, force_);
  force_time_ = t;
  std::ranges::copy(q.value, force_position_.begin());
  return force_known_;
}

template <class S>
bool splitting_step<S>::add_work(const S& length, const S& t, sums q, sums p) {
  for (std::size_t k = 0; k < along_kick_.size(); ++k) {
    for (std::size_t i = 0; i < n_; ++i) along_[i] = p[i] + along_kick_.nodes[k] * length * force_[i];
    if (!parts_->velocity(t, q.value, along_, velocity_)) return false;
    work_ += along_kick_.weights[k] * length * parts_->power(t, q.value, along_, velocity_);
  }
  return is_finite(work_);
}

template <class S>
bool splitting_step<S>::kick(std::size_t i, const S& t, sums q, sums p) {
  if (!force_at(t, q)) return false;
  const S &head = tableau_.kick.head[i], &tail = tableau_.kick.tail[i];
  if (parts_->has_power() && !add_work(head, t, q, p)) return false;
  add_multiple<S>(n_, head, tail, force_.data(), {p.value.data(), p.remainder.data()},
                  {p_.value.data(), p_.remainder.data()});
  return true;
}

template <class S>
bool splitting_step<S>::drift(std::size_t i, const S& t, sums q) {
  if (!parts_->velocity(t, q.value, p_.value, velocity_)) return false;
  const S &head = tableau_.drift.head[i], &tail = tableau_.drift.tail[i];
  add_multiple<S>(n_, head, tail, velocity_.data(), {q.value.data(), q.remainder.data()},
                  {q_.value.data(), q_.remainder.data()});
  return is_finite_row<S>(n_, q_.value.data());
}

// Both at once, where velocities are momenta times constants and no work is done.
template <class S>
bool splitting_step<S>::kick_and_drift_by(std::size_t i, const S& t, sums q, sums p,
                                          std::span<const S> inverse_masses) {
  return force_at(t, q) && move_rows<S>(n_, {.kick = tableau_.kick.head[i],
                                             .kick_tail = tableau_.kick.tail[i],
                                             .drift = tableau_.drift.head[i],
                                             .drift_tail = tableau_.drift.tail[i],
                                             .force = force_.data(),
                                             .factor = inverse_masses.data(),
                                             .p = {p.value.data(), p.remainder.data()},
                                             .q = {q.value.data(), q.remainder.data()},
                                             .new_p = {p_.value.data(), p_.remainder.data()},
                                             .new_q = {q_.value.data(), q_.remainder.data()}});
}

// A whole step from (q, p) into q_ and p_.
template <class S>
bool splitting_step<S>::move(const S& time, const S& next_time, sums q, sums p) {
  const std::size_t kicks = tableau_.kick.head.size(), drifts = tableau_.drift.head.size();
  const std::span<const S> inverse_masses = parts_->has_power() ? std::span<const S>() : parts_->inverse_masses();
  for (std::size_t i = 0; i < kicks; ++i) {
    const S t = i < drifts ? S(time + tableau_.time[i]) : next_time;
    if (i < drifts && !inverse_masses.empty()) {
      if (!kick_and_drift_by(i, t, i == 0 ? q : q_, i == 0 ? p : p_, inverse_masses)) return false;
      continue;
    }
    if (!kick(i, t, i == 0 ? q : q_, i == 0 ? p : p_)) return false;
    if (i < drifts && !drift(i, t, i == 0 ? q : q_)) return false;
  }
  return true;
}

template <class S>
void splitting_step<S>::set_step(const S& step) {
  if (step == step_) return;
  if (unit_.time.empty()) unit_ = make_splitting<S>(scheme_, S(1));
  step_ = step;
  const auto scale = [&](const split_sequence<S>& from, split_sequence<S>& to) {
    for (std::size_t i = 0; i < from.head.size(); ++i) {
      to.head[i] = step * from.head[i];
      to.tail[i] = step * from.tail[i];
      if constexpr (std::same_as<S, double>) to.tail[i] += std::fma(step, from.head[i], -to.head[i]);
    }
  };
  scale(unit_.kick, tableau_.kick);
  scale(unit_.drift, tableau_.drift);
  for (std::size_t i = 0; i < unit_.time.size(); ++i) tableau_.time[i] = step * unit_.time[i];
}

template <class S>
step_status splitting_step<S>::advance(phase_state<S>& state) {
  const int kicks = static_cast<int>(tableau_.kick.head.size());
  const auto failed = [&](bool branch_ended) {
    return step_status{branch_ended ? step_code::mass_singular : step_code::left_domain, kicks, 0};
  };
  const S next_time = state.time_after(step_);
  std::ranges::copy(state.velocity, velocity_.begin());
  work_ = S(0);
  right_known_ = false;
  if (!move(state.time, next_time, state.position, state.momentum)) return failed(parts_->branch_ended());
  branch_.start(state);
  left_.time = state.time;
  left_.velocity = state.velocity;
  std::swap(state.position, q_);
  std::swap(state.momentum, p_);
  std::swap(left_.position, q_);
  std::swap(left_.momentum, p_);
  state.step_on(step_);
  right_time_ = state.time;
  if (!branch_.finish(state, velocity_)) return failed(true);
  return {step_code::ok, static_cast<int>(tableau_.drift.head.size()), 0};
}

// The right end is where the step leads from the left one; few steps are looked into.
template <class S>
void splitting_step<S>::interpolate(const S& fraction, std::span<S> position) {
  if (!right_known_) {
    const S kept_work = work_;
    std::ranges::copy(left_.velocity, velocity_.begin());
    move(left_.time, right_time_, left_.position, left_.momentum);
    work_ = kept_work;
    right_.time = right_time_;
    right_.position = q_;
    right_.momentum = p_;
    if (branch_.has_branches()) right_.velocity = velocity_;
    if (!output_) output_.emplace(this->space());
    output_->start(left_);
    output_->finish(right_);
    right_known_ = true;
  }
  output_->at(fraction, position);
}

// A kick of length k has the action −k V(q), a drift of length d the action d T(v).
template <class S>
S splitting_step<S>::action(const phase_state<S>& before) {
  q_ = before.position;
  p_ = before.momentum;
  std::ranges::copy(before.velocity, velocity_.begin());
  const S kept_work = work_;
  S sum(0);
  for (std::size_t i = 0; i < tableau_.kick.head.size(); ++i) {
    const S t = before.time + tableau_.time[i];
    sum += tableau_.kick.head[i] * parts_->kick_action(t, q_.value);
    kick(i, t, q_, p_);
    if (i == tableau_.drift.head.size()) break;
    drift(i, t, q_);
    sum += tableau_.drift.head[i] * parts_->drift_action(t, q_.value, p_.value, velocity_);
  }
  work_ = kept_work;
  return sum;
}

// A kick changes dp by b h G_q dq, a drift changes dq by a h ∂v/∂p dp.
template <class S>
matrix<S> splitting_step<S>::tangent_map(const phase_state<S>& state) {
  const std::size_t size = 2 * n_, drifts = tableau_.drift.head.size();
  matrix<S> result = matrix<S>::identity(size), slope(n_, n_);
  const auto add_product = [&](const matrix<S>& factor, const S& length, std::size_t to, std::size_t from) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        S sum(0);
        for (std::size_t k = 0; k < n_; ++k) sum += factor(i, k) * result(from + k, j);
        result(to + i, j) += length * sum;
      }
    }
  };
  q_ = state.position;
  p_ = state.momentum;
  std::ranges::copy(state.velocity, velocity_.begin());
  const S kept_work = work_;
  bool defined = true;
  for (std::size_t i = 0; i < tableau_.kick.head.size() && defined; ++i) {
    const S t = state.time + tableau_.time[i];
    defined = kick(i, t, q_, p_) && parts_->force_slopes(t, q_.value, slope);
    add_product(slope, tableau_.kick.head[i], n_, 0);
    if (i == drifts || !defined) break;
    const std::vector<S> position = q_.value;
    defined = drift(i, t, q_) && parts_->velocity_slopes(t, position, p_.value, velocity_, slope);
    add_product(slope, tableau_.drift.head[i], 0, n_);
  }
  work_ = kept_work;
  return defined ? result : matrix<S>();
}

// The same for one displacement.
template <class S>
bool splitting_step<S>::move_tangent(const phase_state<S>& state, std::span<S> position, std::span<S> momentum) {
  const std::size_t drifts = tableau_.drift.head.size();
  std::vector<S> change(n_, S(0));
  q_ = state.position;
  p_ = state.momentum;
  const S kept_work = work_;
  bool defined = true;
  for (std::size_t i = 0; i < tableau_.kick.head.size() && defined; ++i) {
    const S t = state.time + tableau_.time[i];
    defined = kick(i, t, q_, p_) && parts_->force_slope_along(t, q_.value, position, change);
    for (std::size_t k = 0; k < n_; ++k) momentum[k] += tableau_.kick.head[i] * change[k];
    if (i == drifts || !defined) break;
    defined = parts_->velocity_slope_along(t, q_.value, momentum, change) && drift(i, t, q_);
    for (std::size_t k = 0; k < n_; ++k) position[k] += tableau_.drift.head[i] * change[k];
  }
  work_ = kept_work;
  return defined;
}

#define ACTIO_INSTANTIATE(S) template class splitting_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
