#include "actio/discrete/constrained_action.hpp"

#include <algorithm>
#include <initializer_list>

#include "actio/base/largest.hpp"

namespace actio {

namespace {

template <class S>
bool has_entries(const phase_space<S>& space, std::initializer_list<jet_block> blocks) {
  return std::ranges::any_of(space.jet().entries(),
                             [&](const jet_entry& e) { return std::ranges::find(blocks, e.block) != blocks.end(); });
}

}  // namespace

template <class S>
constrained_action<S>::constrained_action(const galerkin_tableau<S>& tableau, const phase_space<S>& space,
                                          const S& step)
    : tableau_(&tableau),
      map_(space.constraints()),
      size_(space.size()),
      held_size_(map_->size()),
      step_(step),
      action_(tableau, space, step),
      held_(map_->at(tableau.degree + 1, space.parameters())),
      depends_on_time_(map_->depends_on_time()),
      is_settled_((tableau.degree == 1 || !depends_on_time_) && !space.system().is_forced() &&
                  !has_entries(space, {jet_block::force_q, jet_block::force_v})),
      is_linear_(is_settled_ && !has_entries(space, {jet_block::momentum_q}) &&
                 space.system().is_quadratic_in_velocities()),
      groups_(held_groups(space, tableau.degree)),
      q_(size_, S(0)),
      q_remainder_(size_, S(0)),
      p_(size_, S(0)),
      x_(unknowns(), S(0)),
      weights_(increments(), S(0)),
      rounded_off_(size_ * (tableau.degree + 1), S(0)),
      impulse_(size_, S(0)) {}

template <class S>
void constrained_action<S>::start(const S& t, std::span<const S> q, std::span<const S> q_remainder,
                                  std::span<const S> p, std::span<const S> p_remainder) {
  using std::abs;
  action_.start(t, q, q_remainder, p, p_remainder);
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(q_remainder.begin(), q_remainder.end(), q_remainder_.begin());
  momentum_scale_ = S(0);
  position_scale_ = largest_size(q);
  for (const S& x : p) momentum_scale_ = std::max<S>(momentum_scale_, abs(x));
  for (std::size_t k = 0; k <= tableau_->degree; ++k) held_.time()[k] = t + tableau_->control[k] * step_;
}

template <class S>
void constrained_action<S>::evaluate(std::span<const S> x, bool with_jacobian) {
  using std::abs;
  const std::size_t s = tableau_->degree, n = size_, m = held_size_;
  std::copy(x.begin(), x.end(), x_.begin());
  knows_weights_ = knows_impulse_ = false;
  action_.evaluate(x.first(increments()), with_jacobian);
  extent_ = S(0);
  for (std::size_t j = 0; j < increments(); ++j) extent_ = std::max<S>(extent_, abs(x[j]));
  for (std::size_t a = 0; a < n; ++a) {
    S* q = held_.position(a);
    for (std::size_t k = 0; k <= s; ++k) {
      const S dq = k == 0 ? q_remainder_[a] : S(q_remainder_[a] + x[(k - 1) * n + a]);
      q[k] = q_[a] + dq;
      const S part = q[k] - q_[a];  // two-sum: what the control point loses by rounding
      rounded_off_[a * (s + 1) + k] = (q_[a] - (q[k] - part)) + (dq - part);
    }
  }
  for (std::size_t c = 0; c < m; ++c) {
    for (std::size_t k = 0; k <= s; ++k) held_.multiplier(c)[k] = k < s ? x[increments() + k * m + c] : S(0);
  }
  // Where there are no control points between the ends, no equation bends with an unknown.
  with_jacobian&& s > 1 ? held_.evaluate_second() : held_.evaluate_first();
}

template <class S>
void constrained_action<S>::settle(std::span<const S> x, double update) {
  if (!is_settled_ && update > to_double(S(8) * epsilon<S>())) evaluate(x, false);
}

template <class S>
void constrained_action<S>::linearise(std::span<const S> x) {
  evaluate(x, true);
  held_.evaluate_second();
}

// g(Q_k) is that of the control point before rounding: value there + A · (what rounding took away).
template <class S>
void constrained_action<S>::residual(std::span<S> r) {
  const std::size_t s = tableau_->degree, n = size_, m = held_size_, constraints = increments();
  action_.residual(r.first(constraints));
  for (std::size_t j = 0; j < constraints; ++j) r[j] *= step_;
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t c = 0; c < m; ++c) r[constraints + k * m + c] = held_.value(c)[k + 1];
  }
  for (const constraint_entry& e : map_->jacobian()) {
    const S* slope = held_.entry(e);
    for (std::size_t k = 0; k < s; ++k) {
      r[k * n + e.column] += slope[k] * x_[constraints + k * m + e.row];
      r[constraints + k * m + e.row] += slope[k + 1] * rounded_off_[e.column * (s + 1) + k + 1];
    }
  }
}

template <class S>
void constrained_action<S>::rounding(std::span<S> r) {
  using std::abs;
  const std::size_t s = tableau_->degree, n = size_, m = held_size_, constraints = increments();
  action_.rounding(r.first(constraints));
  for (std::size_t j = 0; j < constraints; ++j) r[j] *= abs(step_);
  std::ranges::fill(r.subspan(constraints), S(0));
  for (const constraint_entry& e : map_->jacobian()) {
    const S* slope = held_.entry(e);
    for (std::size_t k = 0; k < s; ++k) {
      r[k * n + e.column] += epsilon<S>() * abs(S(slope[k] * x_[constraints + k * m + e.row]));
      r[constraints + k * m + e.row] += epsilon<S>() * abs(S(slope[k + 1] * held_.position(e.column)[k + 1]));
    }
  }
}

template <class S>
void constrained_action<S>::jacobian(saddle_point_solver<S>& K) {
  const std::size_t s = tableau_->degree, n = size_, m = held_size_, constraints = increments();
  using std::abs;
  K.set_zero();
  S bend_scale(0), force_scale(0);
  action_.each_jacobian_entry(&step_, [&](std::size_t i, std::size_t j, const S& value) { K.add(i, j, value); });
  for (const constraint_entry& e : map_->jacobian()) {
    const S* slope = held_.entry(e);
    for (std::size_t k = 0; k < s; ++k) {
      force_scale = std::max<S>(force_scale, abs(slope[k] * x_[constraints + k * m + e.row]));
      K.add(k * n + e.column, constraints + k * m + e.row, slope[k]);
      K.add(constraints + k * m + e.row, k * n + e.column, slope[k + 1]);
    }
  }
  for (const constraint_entry& e : map_->hessian()) {
    const S* bend = held_.entry(e);
    for (std::size_t k = 1; k < s; ++k) {
      K.add(k * n + e.row, (k - 1) * n + e.column, bend[k]);
      bend_scale = std::max<S>(bend_scale, abs(bend[k]));
    }
  }
  force_scale_ = s > 1 ? force_scale : S(0);  // without points between the ends bends are not known, and not needed
  blur_ = force_scale_ > S(0) ? to_double(S(position_scale_ * epsilon<S>() * bend_scale / force_scale_)) : 0;
}

template <class S>
double constrained_action<S>::size_of(std::span<const S> update) {
  using std::abs;
  S turn(0), moved(0), reach(0);
  for (std::size_t j = 0; j < increments(); ++j) {
    moved = std::max<S>(moved, abs(update[j]));
    reach = std::max<S>(reach, abs(S(x_[j] - update[j])));
  }
  for (const constraint_entry& e : map_->hessian()) {
    for (std::size_t k = 1; k < tableau_->degree; ++k) {
      turn = std::max<S>(turn, abs(S(held_.entry(e)[k] * update[(k - 1) * size_ + e.column])));
    }
  }
  turn_ = force_scale_ > S(0) ? to_double(S(turn / force_scale_)) : 1;
  part_ = moved < reach ? to_double(S(moved / reach)) : 1;
  return to_double(largest_ratio<S>(update.first(increments()), weights()));
}

// Constraints couple the coordinates: one that hardly moves has the rounding of those that do.
template <class S>
std::span<const S> constrained_action<S>::weights() {
  using std::abs;
  if (knows_weights_) return std::span<const S>(weights_).first(increments());
  for (std::size_t a = 0; a < size_; ++a) {
    weights_[a] = action_.weight(a) + S(1e-3) * extent_;
    for (std::size_t k = 1; k < tableau_->degree; ++k) weights_[k * size_ + a] = weights_[a];
  }
  knows_weights_ = true;
  return std::span<const S>(weights_).first(increments());
}

// At rest, forces of constraints are measured by those that act, of which they may be no part.
template <class S>
S constrained_action<S>::weight(std::size_t j) {
  using std::abs;
  if (j < increments()) return weights()[j];
  if (!knows_impulse_) {
    action_.momentum_increment(impulse_);
    impulse_scale_ = S(0);
    for (const S& one : impulse_) impulse_scale_ = std::max<S>(impulse_scale_, abs(one));
    slope_scale_ = S(0);
    for (const constraint_entry& e : map_->jacobian()) slope_scale_ = std::max<S>(slope_scale_, abs(held_.entry(e)[0]));
    knows_impulse_ = true;
  }
  const S weight = abs(x_[j]) + abs(step_) * (momentum_scale_ + impulse_scale_) / slope_scale_;
  return weight > S(0) && is_finite(weight) ? weight : S(step_ * step_);
}

template <class S>
void constrained_action<S>::momentum_increment(std::span<const S> x, std::span<S> dp) {
  const std::size_t m = held_size_;
  action_.momentum_increment(dp);
  for (const constraint_entry& e : map_->jacobian()) {
    S sum(0);
    for (std::size_t k = 0; k < tableau_->degree; ++k) sum += held_.entry(e)[k] * x[increments() + k * m + e.row];
    dp[e.column] += sum / step_;
  }
  if (!is_settled_ || tableau_->degree == 1) return;
  for (const constraint_entry& e : map_->hessian()) {
    S sum(0);
    for (std::size_t k = 1; k < tableau_->degree; ++k) {
      const std::size_t j = (k - 1) * size_ + e.column;
      sum += held_.entry(e)[k] * (x[j] - x_[j]);
    }
    dp[e.row] += sum / step_;
  }
}

// The constraint force works where the constraint moves: λ·A v = −λ·∂g/∂t.
template <class S>
S constrained_action<S>::work(std::span<const S> x) {
  S work = action_.work();
  if (!depends_on_time_) return work;
  for (std::size_t c = 0; c < held_size_; ++c) {
    for (std::size_t k = 0; k < tableau_->degree; ++k) {
      work -= x[increments() + k * held_size_ + c] / step_ * held_.time_derivative(c)[k];
    }
  }
  return work;
}

template <class S>
void constrained_action<S>::left_jacobian(matrix<S>& B) const {
  const std::size_t s = tableau_->degree, n = size_, m = held_size_, constraints = increments();
  matrix<S> free(constraints, n);
  action_.left_jacobian(free);
  B.set_zero();
  for (std::size_t i = 0; i < constraints; ++i) {
    for (std::size_t j = 0; j < n; ++j) B(i, j) = step_ * free(i, j);
  }
  for (const constraint_entry& e : map_->hessian()) {
    for (std::size_t k = 0; k < s; ++k) B(k * n + e.row, e.column) += held_.entry(e)[k];
  }
  for (const constraint_entry& e : map_->jacobian()) {
    for (std::size_t k = 0; k < s; ++k) B(constraints + k * m + e.row, e.column) += held_.entry(e)[k + 1];
  }
}

template <class S>
void constrained_action<S>::momentum_jacobian(matrix<S>& by_left, matrix<S>& by_unknowns) const {
  const std::size_t s = tableau_->degree, n = size_, m = held_size_, constraints = increments();
  matrix<S> by_increments(n, constraints);
  action_.momentum_jacobian(by_left, by_increments);
  by_unknowns.set_zero();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < constraints; ++j) by_unknowns(i, j) = by_increments(i, j);
  }
  for (const constraint_entry& e : map_->hessian()) {
    for (std::size_t k = 0; k < s; ++k) {
      const S bend = held_.entry(e)[k] / step_;
      by_left(e.row, e.column) += bend;
      if (k > 0) by_unknowns(e.row, (k - 1) * n + e.column) += bend;
    }
  }
  for (const constraint_entry& e : map_->jacobian()) {
    for (std::size_t k = 0; k < s; ++k) by_unknowns(e.column, constraints + k * m + e.row) += held_.entry(e)[k] / step_;
  }
}

#define ACTIO_INSTANTIATE(S) template class constrained_action<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
