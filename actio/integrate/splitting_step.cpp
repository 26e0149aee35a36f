#include "actio/integrate/splitting_step.hpp"

#include <algorithm>
#include <cmath>

#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"

namespace actio {

namespace {

// ∂L/∂v = M v + A with numbers M and A.
bool has_constant_mass(const lagrangian_system& system) {
  std::vector<expr> others = system.coordinates;
  others.push_back(time_symbol());
  const std::vector<expr> momenta = gradient(system.lagrangian, system.velocities());
  return system.is_quadratic_in_velocities() &&
         std::ranges::none_of(momenta, [&](const expr& p) { return depends_on_any(p, others); });
}

template <class S>
bool finite(std::span<const S> values) {
  return std::ranges::all_of(values, [](const S& x) { return is_finite(x); });
}

}  // namespace

template <class S>
kinetic_flow<S>::kinetic_flow(const phase_space<S>& space)
    : entries_(space.jet().entries()),
      legendre_(space),
      jet_(space.jet().at(1, space.parameters())),
      mass_(space.size(), space.size()),
      lu_(space.size()),
      offset_(space.size(), S(0)) {
  parameters_changed();
}

template <class S>
void kinetic_flow<S>::parameters_changed() {
  const std::vector<S> zero(offset_.size(), S(0));
  constant_mass_ = actio::has_constant_mass(legendre_.space().system()) && factorise(S(0), zero, zero);
  for (std::size_t i = 0; i < offset_.size() && constant_mass_; ++i) offset_[i] = *jet_.momentum(i);
}

template <class S>
bool kinetic_flow<S>::factorise(const S& t, std::span<const S> q, std::span<const S> v) {
  for (std::size_t i = 0; i < q.size(); ++i) {
    *jet_.position(i) = q[i];
    *jet_.velocity(i) = v[i];
  }
  *jet_.time() = t;
  jet_.evaluate_second();
  mass_.set_zero();
  diagonal_ = true;
  for (const jet_entry& e : entries_) {
    if (e.block != jet_block::momentum_v) continue;
    mass_(e.row, e.column) = *jet_.entry(e);
    diagonal_ = diagonal_ && e.row == e.column;
  }
  return lu_.factorise(mass_);
}

template <class S>
bool kinetic_flow<S>::velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) {
  if (!constant_mass_) return legendre_.velocity_at(t, q, p, v, v);
  if (diagonal_) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = (p[i] - offset_[i]) / mass_(i, i);
  } else {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = p[i] - offset_[i];
    lu_.solve_in_place(v);
  }
  return true;
}

template <class S>
bool kinetic_flow<S>::inverse_mass(const S& t, std::span<const S> q, std::span<const S> v, matrix<S>& result) {
  if (!constant_mass_ && !factorise(t, q, v)) return false;
  std::vector<S> column(v.size());
  for (std::size_t j = 0; j < v.size(); ++j) {
    std::ranges::fill(column, S(0));
    column[j] = S(1);
    lu_.solve_in_place(column);
    for (std::size_t i = 0; i < v.size(); ++i) result(i, j) = column[i];
  }
  return true;
}

template <class S>
splitting_step<S>::splitting_step(const splitting_scheme& scheme, const step_context<S>& context)
    : step_workspace<S>(context),
      tableau_(make_splitting<S>(scheme, context.step)),
      scheme_(scheme),
      step_(context.step),
      n_(context.space.size()),
      has_power_(context.space.jet().has_power()),
      kinetic_(context.space),
      // The power is linear along a kick when the mass is constant; otherwise the rule has the order of the method.
      along_kick_(gauss_rule<S>(kinetic_.has_constant_mass() ? 1 : (static_cast<std::size_t>(scheme.order) + 1) / 2)),
      jet_(context.space.jet().at(1, context.space.parameters())),
      output_(context.space),
      branch_(context.space),
      q_(std::vector<S>(n_, S(0))),
      p_(q_),
      force_(n_, S(0)),
      velocity_(n_, S(0)),
      along_(n_, S(0)),
      force_position_(n_, S(0)) {}

template <class S>
void splitting_step<S>::parameters_changed() {
  kinetic_.parameters_changed();
  force_known_ = false;
}

template <class S>
void splitting_step<S>::place_jet(const S& t, bool at_rest) {
  for (std::size_t i = 0; i < n_; ++i) {
    *jet_.position(i) = q_[i];
    *jet_.velocity(i) = at_rest ? S(0) : velocity_[i];
  }
  *jet_.time() = t;
}

template <class S>
bool splitting_step<S>::force_at(const S& t) {
  if (force_known_ && force_time_ == t && force_position_ == q_.value) return true;
  place_jet(t, true);  // G does not depend on velocities
  jet_.evaluate_first();
  for (std::size_t i = 0; i < n_; ++i) force_[i] = *jet_.force(i);
  force_known_ = finite<S>(force_);
  force_time_ = t;
  std::ranges::copy(q_.value, force_position_.begin());
  return force_known_;
}

template <class S>
bool splitting_step<S>::add_work(const S& length, const S& t) {
  for (std::size_t k = 0; k < along_kick_.size(); ++k) {
    for (std::size_t i = 0; i < n_; ++i) along_[i] = p_[i] + along_kick_.nodes[k] * length * force_[i];
    if (!kinetic_.velocity(t, q_.value, along_, velocity_)) return false;
    place_jet(t, false);
    jet_.evaluate_first();
    work_ += along_kick_.weights[k] * length * *jet_.power();
  }
  return is_finite(work_);
}

template <class S>
bool splitting_step<S>::kick(std::size_t i, const S& t) {
  if (!force_at(t)) return false;
  const S &head = tableau_.kick.head[i], &tail = tableau_.kick.tail[i];
  if (has_power_ && !add_work(head, t)) return false;
  for (std::size_t m = 0; m < n_; ++m) p_.add(m, head * force_[m] + tail * force_[m]);
  return true;
}

template <class S>
bool splitting_step<S>::drift(std::size_t i, const S& t) {
  if (!kinetic_.velocity(t, q_.value, p_.value, velocity_)) return false;
  const S &head = tableau_.drift.head[i], &tail = tableau_.drift.tail[i];
  for (std::size_t m = 0; m < n_; ++m) q_.add(m, head * velocity_[m] + tail * velocity_[m]);
  return finite<S>(q_.value);
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
  const std::size_t kicks = tableau_.kick.head.size(), drifts = tableau_.drift.head.size();
  const auto failed = [&](bool branch_ended) {
    return step_status{branch_ended ? step_code::mass_singular : step_code::left_domain, static_cast<int>(kicks), 0};
  };
  const S next_time = state.time_after(step_);
  q_ = state.position;
  p_ = state.momentum;
  std::ranges::copy(state.velocity, velocity_.begin());
  work_ = S(0);
  for (std::size_t i = 0; i < kicks; ++i) {
    const S t = i < drifts ? S(state.time + tableau_.time[i]) : next_time;
    if (!kick(i, t) || (i < drifts && !drift(i, t))) return failed(kinetic_.branch_ended());
  }
  output_.start(state);
  branch_.start(state);
  std::swap(state.position, q_);
  std::swap(state.momentum, p_);
  state.step_on(step_);
  if (!branch_.finish(state, velocity_)) return failed(true);
  output_.finish(state);
  return {step_code::ok, static_cast<int>(drifts), 0};
}

template <class S>
S splitting_step<S>::lagrangian_at(const S& t, bool at_rest) {
  place_jet(t, at_rest);
  jet_.evaluate_value();
  return *jet_.lagrangian();
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
    const S at_rest = lagrangian_at(t, true);
    sum += tableau_.kick.head[i] * at_rest;
    kick(i, t);
    if (i == tableau_.drift.head.size()) break;
    drift(i, t);
    sum += tableau_.drift.head[i] * (lagrangian_at(t, false) - lagrangian_at(t, true));
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
    defined = kick(i, t);
    place_jet(t, true);
    jet_.evaluate_second();
    slope.set_zero();
    for (const jet_entry& e : kinetic_.entries()) {
      if (e.block == jet_block::force_q) slope(e.row, e.column) = *jet_.entry(e);
    }
    add_product(slope, tableau_.kick.head[i], n_, 0);
    if (i == drifts || !defined) break;
    const std::vector<S> position = q_.value;
    defined = drift(i, t) && kinetic_.inverse_mass(t, position, velocity_, slope);
    add_product(slope, tableau_.drift.head[i], 0, n_);
  }
  work_ = kept_work;
  return defined ? result : matrix<S>();
}

#define ACTIO_INSTANTIATE(S)      \
  template class kinetic_flow<S>; \
  template class splitting_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
