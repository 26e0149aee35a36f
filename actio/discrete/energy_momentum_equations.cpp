#include "actio/discrete/energy_momentum_equations.hpp"

#include <algorithm>
#include <cmath>

#include "actio/base/snapshot.hpp"

namespace actio {

namespace {

enum point : std::size_t { middle_point, right_point, left_point };

template <class S>
S largest_of(std::span<const S> values) {
  using std::abs;
  S largest(0);
  for (const S& x : values) largest = std::max<S>(largest, abs(x));
  return largest;
}

template <class S>
void load_entries(std::span<const constraint_entry> entries, const constraint_evaluation<S>& from, std::size_t point,
                  matrix<S>& into) {
  into.set_zero();
  for (const constraint_entry& e : entries) into(e.row, e.column) += from.entry(e)[point];
}

}  // namespace

template <class S>
energy_momentum_equations<S>::energy_momentum_equations(const phase_space<S>& space, const S& step)
    : n_(space.size()),
      m_(space.constraint_count()),
      step_(step),
      functions_(&space.jet()),
      map_(space.constraints()),
      legendre_(space),
      horizontal_(space),
      jet_(space.jet().at(2, space.parameters())),
      q0_(n_, S(0)),
      q0_remainder_(q0_),
      p0_(q0_),
      p0_remainder_(q0_),
      v0_(q0_),
      x_(unknowns(), S(0)),
      middle_(q0_),
      velocity_(q0_),
      rounded_off_(q0_),
      force_(q0_),
      e_(q0_),
      reference_(q0_),
      length_by_position_(q0_),
      length_by_velocity_(q0_),
      at_middle_(n_),
      at_right_(n_),
      e_q_(n_, n_),
      e_v_(n_, n_),
      force_q_(n_, n_),
      force_v_(n_, n_),
      slope_middle_(m_, n_),
      slope_left_(m_, n_),
      slope_right_(m_, n_),
      bend_middle_(n_, n_),
      bend_left_(n_, n_),
      bend_right_(n_, n_),
      hidden_slope_(m_, n_) {
  if (map_ == nullptr) return;
  held_.emplace(map_->at(3, space.parameters()));
  rate_.emplace(map_->at(1, space.parameters()));
}

template <class S>
bool energy_momentum_equations<S>::start(const compensated_vector<S>& position, const compensated_vector<S>& momentum,
                                         std::span<const S> branch) {
  using std::abs;
  using std::sqrt;
  std::ranges::copy(position.value, q0_.begin());
  std::ranges::copy(position.remainder, q0_remainder_.begin());
  std::ranges::copy(momentum.value, p0_.begin());
  std::ranges::copy(momentum.remainder, p0_remainder_.begin());
  if (!legendre_.measure(S(0), q0_, p0_, branch)) return false;
  std::ranges::copy(legendre_.velocity(), v0_.begin());
  const S& energy = legendre_.energy_change();  // the jet has no constant terms either
  const S allowed = is_waiting_ ? S(sqrt(epsilon<S>())) : S(S(roundings_of_motion) * epsilon<S>());
  if (!energy_ || abs(energy - *energy_) > allowed * legendre_.energy_scale()) {
    set_memory({});
    energy_ = energy;
  }
  return true;
}

template <class S>
void energy_momentum_equations<S>::parameters_changed() {
  horizontal_ = horizontal_part<S>(legendre_.space());
  set_memory({});
}

template <class S>
void energy_momentum_equations<S>::correct_energy(bool wanted) {
  is_corrected_ = wanted;
  const bool has_reference = std::ranges::any_of(reference_, [](const S& x) { return x != S(0); });
  if (!wanted || has_reference) return;
  find_direction();
  std::ranges::copy(e_, reference_.begin());
}

template <class S>
void energy_momentum_equations<S>::remember(bool is_waiting) {
  last_phi_ = x_.back();
  is_waiting_ = is_waiting;
  std::ranges::copy(e_, reference_.begin());
}

template <class S>
std::vector<S> energy_momentum_equations<S>::memory() const {
  if (!energy_) return {};
  std::vector<S> saved{*energy_, last_phi_, S(is_waiting_ ? 1 : 0)};
  saved.insert(saved.end(), reference_.begin(), reference_.end());
  return saved;
}

template <class S>
void energy_momentum_equations<S>::set_memory(std::span<const S> saved) {
  if (!saved.empty() && saved.size() != 3 + n_) {
    throw snapshot_error("its history does not belong to this method and system");
  }
  energy_ = saved.empty() ? std::optional<S>() : std::optional<S>(saved[0]);
  last_phi_ = saved.empty() ? S(0) : saved[1];
  is_waiting_ = !saved.empty() && saved[2] != S(0);
  for (std::size_t i = 0; i < n_; ++i) reference_[i] = saved.empty() ? S(0) : saved[3 + i];
}

template <class S>
void energy_momentum_equations<S>::guess(std::span<S> x) const {
  std::ranges::fill(x, S(0));
  for (std::size_t i = 0; i < n_; ++i) {
    x[i] = step_ * v0_[i];
    x[n_ + i] = v0_[i];
  }
  x.back() = last_phi_;
}

template <class S>
void energy_momentum_equations<S>::evaluate(std::span<const S> x, bool with_jacobian) {
  using std::abs;
  std::ranges::copy(x, x_.begin());
  const std::span<const S> v1 = x.subspan(n_, n_);
  for (std::size_t i = 0; i < n_; ++i) {
    middle_[i] = q0_[i] + (q0_remainder_[i] + x[i] / S(2));
    velocity_[i] = x[i] / step_;
    const S dq = q0_remainder_[i] + x[i], q1 = q0_[i] + dq, part = q1 - q0_[i];
    rounded_off_[i] = (q0_[i] - (q1 - part)) + (dq - part);  // two-sum
    jet_.position(i)[middle_point] = middle_[i];
    jet_.velocity(i)[middle_point] = velocity_[i];
    jet_.position(i)[right_point] = q1;
    jet_.velocity(i)[right_point] = v1[i];
    if (map_ == nullptr) continue;
    held_->position(i)[middle_point] = middle_[i];
    held_->position(i)[right_point] = *rate_->position(i) = q1;
    held_->position(i)[left_point] = q0_[i];
    *rate_->velocity(i) = v1[i];
  }
  jet_.evaluate_value();
  const S L = jet_.lagrangian()[right_point];
  with_jacobian ? jet_.evaluate_second() : jet_.evaluate_first();
  S pv(0);
  for (std::size_t i = 0; i < n_; ++i) pv += jet_.momentum(i)[right_point] * v1[i];
  right_energy_ = pv - L;
  energy_scale_ = abs(pv) + abs(L);

  if (map_ != nullptr) {
    for (std::size_t c = 0; c < m_; ++c) {
      held_->multiplier(c)[middle_point] = x[2 * n_ + c];
      held_->multiplier(c)[right_point] = held_->multiplier(c)[left_point] = x[2 * n_ + m_ + c];
    }
    with_jacobian ? held_->evaluate_second() : held_->evaluate_first();
    load_entries(map_->jacobian(), *held_, middle_point, slope_middle_);
    load_entries(map_->jacobian(), *held_, right_point, slope_right_);
    load_entries(map_->jacobian(), *held_, left_point, slope_left_);
  }
  find_direction();
  S force_scale(0);
  for (std::size_t i = 0; i < n_; ++i) {
    const S G = jet_.force(i)[middle_point];
    force_scale = std::max<S>(force_scale, abs(G));
    S held(0);
    for (std::size_t c = 0; c < m_; ++c) held += slope_middle_(c, i) * x[2 * n_ + c];
    force_[i] = step_ * (G - x_.back() * e_[i]) + held;
  }
  extent_ = largest_of<S>(x.first(n_));
  speed_ = std::max<S>(largest_of<S>(v1), extent_ / abs(step_));
  momentum_scale_ = largest_of<S>(p0_) + abs(step_) * force_scale;
  slope_scale_ = largest_of<S>(slope_right_.data());
  if (with_jacobian) fill_slopes();
}

// e = ±b/|b| with b the horizontal part of v; or of the direction of the step before, where φ is that of the step
// before and where roundings are all that is left of the horizontal part of v.
template <class S>
void energy_momentum_equations<S>::find_direction() {
  using std::sqrt;
  const auto square = [](std::span<const S> vector) {
    S sum(0);
    for (const S& x : vector) sum += x * x;
    return sum;
  };
  const S least = epsilon<S>() * square(velocity_);
  is_along_reference_ = !is_corrected_;
  if (is_corrected_) {
    horizontal_.evaluate(middle_, velocity_);
    is_along_reference_ = square(horizontal_.value()) <= least;
  }
  if (is_along_reference_) horizontal_.evaluate(middle_, reference_);
  const std::span<const S> b = horizontal_.value();
  length_ = sqrt(square(b));
  if (!(length_ > S(0))) {  // no direction
    length_ = S(1);
    std::ranges::fill(e_, S(0));
    return;
  }
  S along(0);
  for (std::size_t i = 0; i < n_; ++i) along += b[i] * reference_[i];
  if (along < S(0)) length_ = -length_;
  for (std::size_t i = 0; i < n_; ++i) e_[i] = b[i] / length_;
}

template <class S>
void energy_momentum_equations<S>::fill_slopes() {
  for (const auto& [into, at] : {std::pair(&at_middle_, middle_point), std::pair(&at_right_, right_point)}) {
    matrix<S>* const blocks[] = {&into->force_q, &into->force_v, &into->momentum_q, &into->momentum_v};
    for (matrix<S>* block : blocks) block->set_zero();
    for (const jet_entry& e : functions_->entries()) {
      (*blocks[static_cast<int>(e.block)])(e.row, e.column) = jet_.entry(e)[at];
    }
  }
  if (map_ != nullptr) {
    load_entries(map_->hessian(), *held_, middle_point, bend_middle_);
    load_entries(map_->hessian(), *held_, right_point, bend_right_);
    load_entries(map_->hessian(), *held_, left_point, bend_left_);
    rate_->evaluate_slopes();
    load_entries(map_->hidden_slope(), *rate_, 0, hidden_slope_);
  }
  horizontal_.slopes(e_q_, e_v_);  // of b
  if (is_along_reference_) e_v_.set_zero();
  for (matrix<S>* slope : {&e_q_, &e_v_}) {
    for (std::size_t j = 0; j < n_; ++j) {
      S along(0);
      for (std::size_t i = 0; i < n_; ++i) along += e_[i] * (*slope)(i, j);
      for (std::size_t i = 0; i < n_; ++i) (*slope)(i, j) = ((*slope)(i, j) - e_[i] * along) / length_;
      if (slope == &e_q_) length_by_position_[j] = along;
      else length_by_velocity_[j] = along;
    }
  }
  const S& phi = x_.back();
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      force_q_(i, j) = step_ * (at_middle_.force_q(i, j) - phi * e_q_(i, j)) + bend_middle_(i, j);
      force_v_(i, j) = step_ * (at_middle_.force_v(i, j) - phi * e_v_(i, j));
    }
  }
}

// The first two equations of the header, the second as the difference of both.
template <class S>
void energy_momentum_equations<S>::residual(std::span<S> r) {
  for (std::size_t i = 0; i < n_; ++i) {
    S left(0), right(0);
    for (std::size_t c = 0; c < m_; ++c) {
      const S& nu = x_[2 * n_ + m_ + c];
      left += slope_left_(c, i) * nu;
      right += slope_right_(c, i) * nu;
    }
    r[i] = (p0_[i] - jet_.momentum(i)[middle_point]) + (p0_remainder_[i] + force_[i] / S(2) + left);
    r[n_ + i] = (jet_.momentum(i)[right_point] - p0_[i]) - (p0_remainder_[i] + force_[i] - (right - left));
  }
  for (std::size_t c = 0; c < m_; ++c) {
    S value = held_->value(c)[right_point], rate(0);
    for (std::size_t i = 0; i < n_; ++i) {
      value += slope_right_(c, i) * rounded_off_[i];
      rate += slope_right_(c, i) * x_[n_ + i];
    }
    r[2 * n_ + c] = value;
    r[2 * n_ + m_ + c] = rate;
  }
  S& last = r[2 * n_ + 2 * m_];
  if (!is_corrected_) last = x_.back() - last_phi_;
  else last = is_along_reference_ ? S(0) : S(excess() / length_);
}

template <class S>
void energy_momentum_equations<S>::jacobian(saddle_point_solver<S>& K) {
  const std::size_t v = n_, lambda = 2 * n_, nu = 2 * n_ + m_, phi = 2 * n_ + 2 * m_;
  K.set_zero();
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      const S P = at_middle_.momentum_q(i, j) / S(2) + at_middle_.momentum_v(i, j) / step_;
      const S F = force_q_(i, j) / S(2) + force_v_(i, j) / step_;
      K.add(i, j, F / S(2) - P);
      K.add(n_ + i, j, at_right_.momentum_q(i, j) + bend_right_(i, j) - F);
      K.add(n_ + i, v + j, at_right_.momentum_v(i, j));
    }
    for (std::size_t c = 0; c < m_; ++c) {
      K.add(i, lambda + c, slope_middle_(c, i) / S(2));
      K.add(n_ + i, lambda + c, -slope_middle_(c, i));
      K.add(i, nu + c, slope_left_(c, i));
      K.add(n_ + i, nu + c, slope_right_(c, i) - slope_left_(c, i));
      K.add(lambda + c, i, slope_right_(c, i));
      K.add(nu + c, i, hidden_slope_(c, i));
      K.add(nu + c, v + i, slope_right_(c, i));
    }
    const S kick = step_ * e_[i];
    K.add(i, phi, -kick / S(2));
    K.add(n_ + i, phi, kick);
  }
  if (is_along_reference_) return K.add(phi, phi, S(1));
  const S quotient = excess() / length_;
  for (std::size_t j = 0; j < n_; ++j) {
    S by_position = -jet_.force(j)[right_point], by_velocity(0);
    for (std::size_t i = 0; i < n_; ++i) {
      by_position += x_[v + i] * at_right_.momentum_q(i, j);
      by_velocity += x_[v + i] * at_right_.momentum_v(i, j);
    }
    const S length = length_by_position_[j] / S(2) + length_by_velocity_[j] / step_;
    K.add(phi, j, (by_position - quotient * length) / length_);
    K.add(phi, v + j, by_velocity / length_);
  }
}

template <class S>
S energy_momentum_equations<S>::weight(std::size_t j) {
  using std::abs;
  S size = abs(x_[j]);
  if (j < n_) size += S(1e-3) * extent_;
  else if (j < 2 * n_) size += S(1e-3) * speed_;
  else if (j < 2 * n_ + m_) size += abs(step_) * momentum_scale_ / slope_scale_;
  else if (j < 2 * n_ + 2 * m_) size += momentum_scale_ / slope_scale_;
  else size += momentum_scale_ / abs(step_);
  // Towards a circular orbit, the least energy that goes with the momentum, β and φ are lost in roundings together.
  if (is_corrected_ && excess_is_below(S(roundings_of_point) * epsilon<S>())) size *= S(1024);
  return size > S(0) && is_finite(size) ? size : S(1);
}

template <class S>
bool energy_momentum_equations<S>::excess_is_below(const S& part) const {
  using std::abs;
  return abs(excess()) <= part * energy_scale_;
}

template <class S>
S energy_momentum_equations<S>::rounding_kick() {
  using std::sqrt;
  horizontal_.evaluate(middle_, velocity_);
  S square(0);
  for (const S& b : horizontal_.value()) square += b * b;
  return epsilon<S>() * energy_scale_ / (sqrt(square) * momentum_scale_);
}

template <class S>
void energy_momentum_equations<S>::momentum_increment(std::span<S> dp) const {
  for (std::size_t i = 0; i < n_; ++i) {
    S normal(0);
    for (std::size_t c = 0; c < m_; ++c) {
      normal += (slope_right_(c, i) - slope_left_(c, i)) * x_[2 * n_ + m_ + c];
    }
    dp[i] = force_[i] - normal;
  }
}

// With Δq and v_1 fixed, q and q_1 move with q_0. The energy at the start moves by −G dq_0 + v_0 dp_0.
template <class S>
void energy_momentum_equations<S>::left_jacobian(matrix<S>& B) {
  const std::size_t lambda = 2 * n_, nu = 2 * n_ + m_, phi = 2 * n_ + 2 * m_;
  B.set_zero();
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      B(i, j) = bend_left_(i, j) - at_middle_.momentum_q(i, j) + force_q_(i, j) / S(2);
      B(n_ + i, j) = at_right_.momentum_q(i, j) + bend_right_(i, j) - bend_left_(i, j) - force_q_(i, j);
    }
    B(i, n_ + i) = S(1);
    B(n_ + i, n_ + i) = S(-1);
    for (std::size_t c = 0; c < m_; ++c) {
      B(lambda + c, i) = slope_right_(c, i);
      B(nu + c, i) = hidden_slope_(c, i);
    }
  }
  if (is_along_reference_) return;
  const S quotient = excess() / length_;
  for (std::size_t j = 0; j < n_; ++j) {
    S by_position = -jet_.force(j)[right_point] - quotient * length_by_position_[j];
    for (std::size_t i = 0; i < n_; ++i) by_position += x_[n_ + i] * at_right_.momentum_q(i, j);
    B(phi, j) = by_position / length_;
    B(phi, n_ + j) = -v0_[j] / length_;
  }
  for (std::size_t i = 0; i < n_; ++i) {
    jet_.position(i)[right_point] = q0_[i];
    jet_.velocity(i)[right_point] = v0_[i];
  }
  jet_.evaluate_first();
  for (std::size_t j = 0; j < n_; ++j) B(phi, j) += jet_.force(j)[right_point] / length_;
}

// q_1 = q_0 + Δq, and p_1 is the momentum of (q_1, v_1).
template <class S>
matrix<S> energy_momentum_equations<S>::right_jacobian(const matrix<S>& dx) const {
  matrix<S> result(2 * n_, 2 * n_);
  for (std::size_t column = 0; column < 2 * n_; ++column) {
    for (std::size_t i = 0; i < n_; ++i) result(i, column) = dx(i, column) + S(i == column ? 1 : 0);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        result(n_ + i, column) += at_right_.momentum_q(i, j) * result(j, column);
        result(n_ + i, column) += at_right_.momentum_v(i, j) * dx(n_ + j, column);
      }
    }
  }
  return result;
}

#define ACTIO_INSTANTIATE(S) template class energy_momentum_equations<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
