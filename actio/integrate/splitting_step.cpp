#include "actio/integrate/splitting_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "actio/base/placed_row.hpp"
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
      force_(placed_row<S>(n_)),
      along_(parts_->has_power() ? n_ : 0, S(0)),
      force_position_(placed_row<S>(n_)) {
  prepare();
  for (compensated_vector<S>* part : {&left_.position, &left_.momentum}) {
    part->value = placed_row<S>(n_);
    part->remainder = placed_row<S>(n_);
  }
}

template <class S>
void splitting_step<S>::prepare() {
  const std::span<const S> inverse_masses = parts_->inverse_masses();
  in_sweeps_ = !inverse_masses.empty();
  if (!in_sweeps_) return make_room();
  has_equal_masses_ = std::ranges::all_of(inverse_masses, [&](const S& m) { return m == inverse_masses[0]; });
}

template <class S>
void splitting_step<S>::make_room() {
  if (velocity_.size() == n_) return;
  q_ = p_ = compensated_vector<S>(std::vector<S>(n_, S(0)));
  velocity_.assign(n_, S(0));
}

template <class S>
void splitting_step<S>::parameters_changed() {
  parts_->parameters_changed();
  force_known_ = false;
  prepare();
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

// A whole step from (q, p) into q_ and p_.
template <class S>
bool splitting_step<S>::move(const S& time, const S& next_time, sums q, sums p) {
  const std::size_t kicks = tableau_.kick.head.size(), drifts = tableau_.drift.head.size();
  for (std::size_t i = 0; i < kicks; ++i) {
    const S t = i < drifts ? S(time + tableau_.time[i]) : next_time;
    if (!kick(i, t, i == 0 ? q : q_, i == 0 ? p : p_)) return false;
    if (i < drifts && !drift(i, t, i == 0 ? q : q_)) return false;
  }
  return true;
}

// A kick and a drift, and behind the last drift the kick that ends the step.
template <class S>
class splitting_step<S>::stage final : public sweep_visitor {
 public:
  stage(const splitting_tableau<S>& tableau, const stage_rows<S>& rows) : tableau_(tableau), rows_(rows) {}

  std::size_t count() const { return tableau_.drift.head.size(); }
  void begin(std::size_t i) {
    is_known_ = true;
    rows_.is_first = i == 0;
    rows_.is_last = i + 1 == count();
    moving_ = at_kick(i);
    moving_.drift = tableau_.drift.head[i];
    moving_.drift_tail = tableau_.drift.tail[i];
    if (rows_.is_last) ending_ = at_kick(i + 1);
  }
  bool is_known() const { return is_known_; }  // positions at the left end were those of the forces

  bool open(std::size_t first, std::size_t count) override {
    const sweep_outcome outcome = move_stage<S>(count, part(moving_, first));
    is_known_ = outcome.is_known;
    return outcome.is_finite && outcome.is_known;
  }
  bool close(std::size_t first, std::size_t count) override {
    return !rows_.is_last || end_stages<S>(count, part(ending_, first));
  }

 private:
  stage_rows<S> at_kick(std::size_t i) const {
    const bool exists = i < tableau_.kick.head.size();
    stage_rows<S> rows = rows_;
    rows.kick = exists ? tableau_.kick.head[i] : S(0);
    rows.kick_tail = exists ? tableau_.kick.tail[i] : S(0);
    return rows;
  }
  static stage_rows<S> part(stage_rows<S> rows, std::size_t first) {
    for (sum_rows<const S>* row : {&rows.p, &rows.q}) row->values += first, row->remainders += first;
    for (sum_rows<S>* row : {&rows.new_p, &rows.new_q}) row->values += first, row->remainders += first;
    if (rows.factor != nullptr) rows.factor += first;
    rows.force += first;
    rows.force_position += first;
    return rows;
  }

  const splitting_tableau<S>& tableau_;
  stage_rows<S> rows_, moving_, ending_;
  bool is_known_ = true;
};

template <class S>
bool splitting_step<S>::sweep_stages(const S& time, stage& by, std::span<const S> q) {
  for (std::size_t i = 0; i < by.count(); ++i) {
    by.begin(i);
    if (!parts_->sweep(time, q, force_, by)) return false;
  }
  return true;
}

// Whether the forces at hand belong to the left end shows when it is read.
template <class S>
bool splitting_step<S>::move_in_sweeps(const S& time, sums q, sums p, compensated_vector<S>& to_q,
                                       compensated_vector<S>& to_p) {
  stage_rows<S> rows{};
  const std::span<const S> inverse_masses = parts_->inverse_masses();
  rows.factor = has_equal_masses_ ? nullptr : inverse_masses.data();
  rows.equal_factor = inverse_masses[0];
  rows.p = {p.value.data(), p.remainder.data()};
  rows.q = {q.value.data(), q.remainder.data()};
  rows.new_p = {to_p.value.data(), to_p.remainder.data()};
  rows.new_q = {to_q.value.data(), to_q.remainder.data()};
  rows.force = force_.data();
  rows.force_position = force_position_.data();
  stage by(tableau_, rows);
  if (!force_known_ && !force_at(time, q)) return false;
  bool moved = sweep_stages(time, by, to_q.value);
  if (!by.is_known()) {
    force_known_ = false;
    moved = force_at(time, q) && sweep_stages(time, by, to_q.value);
  }
  force_known_ = moved;
  return moved;
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
step_status splitting_step<S>::advance_in_sweeps(phase_state<S>& state) {
  if (!rows_placed_) {
    for (compensated_vector<S>* part : {&state.position, &state.momentum}) {
      for (std::vector<S>* row : {&part->value, &part->remainder}) {
        std::vector<S> placed = placed_row<S>(n_);
        std::ranges::copy(*row, placed.begin());
        row->swap(placed);
      }
    }
    rows_placed_ = true;
  }
  right_known_ = false;
  if (!move_in_sweeps(state.time, state.position, state.momentum, left_.position, left_.momentum)) {
    return {step_code::left_domain, static_cast<int>(tableau_.kick.head.size()), 0};
  }
  std::swap(state.position, left_.position);
  std::swap(state.momentum, left_.momentum);
  left_.time = state.time;
  state.step_on(step_);
  right_time_ = state.time;
  return {step_code::ok, static_cast<int>(tableau_.drift.head.size()), 0};
}

template <class S>
step_status splitting_step<S>::advance(phase_state<S>& state) {
  if (in_sweeps_) return advance_in_sweeps(state);
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
    make_room();
    const S kept_work = work_;
    std::ranges::copy(left_.velocity, velocity_.begin());
    if (in_sweeps_) move_in_sweeps(left_.time, left_.position, left_.momentum, q_, p_);
    else move(left_.time, right_time_, left_.position, left_.momentum);
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
  make_room();
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
  make_room();
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
  make_room();
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
