#include "actio/integrate/energy_difference_step.hpp"

#include <algorithm>
#include <cmath>

#include "actio/integrate/newton_status.hpp"

namespace actio {

namespace {

// In a change of energy, and in all changes since the first step: an energy that differs by more from the one that is
// kept belongs to another motion, or to one that never leaves the places where gradients stand for quotients.
constexpr int roundings_of_change = 16, roundings_of_energy = 256;

}  // namespace

template <class S>
energy_difference_equations<S>::leg::leg(const phase_space<S>& space, const S& q_part, const S& p_part)
    : middle(space),
      position_part(q_part),
      momentum_part(p_part),
      extent(space.size(), S(0)),
      g(space.size(), S(0)),
      direction(space.size(), S(0)) {
  // Below it the roundings of a quotient exceed what Newton's iteration takes for rounding, the root of epsilon.
  using std::sqrt;
  small = S(2 * roundings_of_change) * sqrt(epsilon<S>());
}

// `scale` is the size of the numbers whose difference the change is; `owed` is what earlier roundings took from it,
// which is given back where there is a quotient.
template <class S>
void energy_difference_equations<S>::leg::divide(std::span<const S> gradient, const S& change_of_energy, const S& scale,
                                                 const S& owed) {
  using std::abs;
  change = change_of_energy;
  along = S(0);
  for (std::size_t i = 0; i < g.size(); ++i) along += gradient[i] * extent[i];
  is_limit = abs(change - along) <= S(roundings_of_change) * epsilon<S>() * scale && abs(along) <= small * scale;
  std::ranges::copy(gradient, direction.begin());
  if (is_limit) {
    std::ranges::copy(gradient, g.begin());
    return;
  }
  change += owed;
  if (only_component) {  // the gradient may vanish, its quotient does not
    std::ranges::fill(direction, S(0));
    direction[*only_component] = S(1);
    along = extent[*only_component];
  }
  for (std::size_t i = 0; i < g.size(); ++i) g[i] = change * direction[i] / along;
}

template <class S>
energy_difference_equations<S>::energy_difference_equations(const phase_space<S>& space, const S& step)
    : n_(space.size()),
      step_(step),
      left_(space),
      corner_(space),
      right_(space),
      position_leg_(space, S(1), S(0.5)),
      momentum_leg_(space, S(0.5), S(0)),
      q0_(n_, S(0)),
      q0_remainder_(n_, S(0)),
      p0_(n_, S(0)),
      p0_remainder_(n_, S(0)),
      q_(n_, S(0)),
      p_(n_, S(0)),
      slope_(n_, S(0)),
      x_(2 * n_, S(0)),
      column_(2 * n_, S(0)) {
  const std::vector<std::size_t> cyclic = space.system().cyclic_coordinates();
  if (n_ == 1) position_leg_.only_component = 0;
  if (cyclic.size() + 1 != n_) return;
  std::size_t other = 0;
  while (std::ranges::find(cyclic, other) != cyclic.end()) ++other;
  momentum_leg_.only_component = other;
}

template <class S>
bool energy_difference_equations<S>::start(const phase_state<S>& state) {
  std::ranges::copy(state.position.value, q0_.begin());
  std::ranges::copy(state.position.remainder, q0_remainder_.begin());
  std::ranges::copy(state.momentum.value, p0_.begin());
  std::ranges::copy(state.momentum.remainder, p0_remainder_.begin());
  for (hamiltonian_point<S>* point : {&left_, &corner_, &right_, &position_leg_.middle, &momentum_leg_.middle}) {
    point->set_branch(state.velocity);
  }
  if (!left_.evaluate(q0_, p0_)) return false;
  using std::abs;
  if (!energy_ || abs(left_.value() - *energy_) > S(roundings_of_energy) * epsilon<S>() * left_.scale())
    energy_ = left_.value();
  return true;
}

template <class S>
void energy_difference_equations<S>::set_constants(const S& beta, const S& gamma) {
  position_leg_.momentum_part = beta;
  momentum_leg_.position_part = gamma;
}

// (q_, p_) = z_0 + the given parts of x. Whole parts are rounded as the state will be, so that the energy at the end of
// a step is the energy at the start of the next one, to the last bit.
template <class S>
void energy_difference_equations<S>::move(const S& q_part, const S& p_part, std::span<const S> x) {
  for (std::size_t i = 0; i < n_; ++i) {
    q_[i] = q_part == S(0) ? q0_[i] : S(q0_[i] + (q_part * x[i] + q0_remainder_[i]));
    p_[i] = p_part == S(0) ? p0_[i] : S(p0_[i] + (p_part * x[n_ + i] + p0_remainder_[i]));
  }
}

template <class S>
void energy_difference_equations<S>::guess(std::span<S> x) {
  const auto euler = [&](const hamiltonian_point<S>& at) {
    for (std::size_t i = 0; i < n_; ++i) {
      x[i] = step_ * at.by_momentum()[i];
      x[n_ + i] = -step_ * at.by_position()[i];
    }
  };
  euler(left_);
  move(S(0.5), S(0.5), x);
  if (right_.evaluate(q_, p_)) euler(right_);
}

template <class S>
void energy_difference_equations<S>::evaluate(std::span<const S> x, bool with_jacobian) {
  std::ranges::copy(x, x_.begin());
  std::ranges::copy(x.first(n_), momentum_leg_.extent.begin());
  std::ranges::copy(x.subspan(n_), position_leg_.extent.begin());
  const auto moved = [&](hamiltonian_point<S>& point, const S& q_part, const S& p_part, bool with_second) {
    move(q_part, p_part, x);
    return point.evaluate(q_, p_, with_second);
  };
  defined_ = moved(corner_, S(1), S(0), false) && moved(right_, S(1), S(1), false);
  for (leg* l : {&position_leg_, &momentum_leg_}) {
    defined_ = defined_ && moved(l->middle, l->position_part, l->momentum_part, with_jacobian);
  }
  if (!defined_) return;
  position_leg_.divide(position_leg_.middle.by_momentum(), right_.value() - corner_.value(),
                       right_.scale() + corner_.scale(), S(0));
  momentum_leg_.divide(momentum_leg_.middle.by_position(), corner_.value() - left_.value(),
                       corner_.scale() + left_.scale(), left_.value() - *energy_);
  using std::abs;
  for (int part = 0; part < 2; ++part) {
    extent_[part] = S(0);
    for (std::size_t i = 0; i < n_; ++i) {
      const S size = abs(x[static_cast<std::size_t>(part) * n_ + i]);
      if (size > extent_[part]) extent_[part] = size;
    }
  }
}

template <class S>
void energy_difference_equations<S>::residual(std::span<S> r) {
  for (std::size_t i = 0; i < n_; ++i) {
    r[i] = x_[i] - step_ * position_leg_.g[i];
    r[n_ + i] = x_[n_ + i] + step_ * momentum_leg_.g[i];
  }
  if (!defined_) std::ranges::fill(r, std::numeric_limits<S>::quiet_NaN());
}

// A change counts beside its own size and, for small components, beside a part of the largest one.
template <class S>
S energy_difference_equations<S>::weight(std::size_t j) {
  using std::abs;
  const S own = abs(x_[j]) + extent_[j < n_ ? 0 : 1] * S(1e-3);
  return own > S(0) ? own : S(1);
}

// The change of A or of B with one variable.
template <class S>
S energy_difference_equations<S>::change_by(bool of_position_change, variable by, std::size_t j) const {
  if (of_position_change) {
    switch (by) {
      case variable::left_position:
      case variable::position_change: return right_.by_position()[j] - corner_.by_position()[j];
      case variable::left_momentum: return right_.by_momentum()[j] - corner_.by_momentum()[j];
      case variable::momentum_change: break;
    }
    return right_.by_momentum()[j];
  }
  switch (by) {
    case variable::left_position: return corner_.by_position()[j] - left_.by_position()[j];
    case variable::left_momentum: return corner_.by_momentum()[j] - left_.by_momentum()[j];
    case variable::position_change: return corner_.by_position()[j];
    case variable::momentum_change: break;
  }
  return S(0);
}

// ∂g/∂variable_j = (∂N d + N ∂d − g ∂(d·Δ))/(d·Δ), or ∂d for the limit.
template <class S>
void energy_difference_equations<S>::slope_of(const leg& l, bool of_position_change, variable by, std::size_t j,
                                              std::span<S> slope) {
  const bool by_position = by == variable::left_position || by == variable::position_change;
  const bool by_left = by == variable::left_position || by == variable::left_momentum;
  const S part = by_left ? S(1) : by_position ? l.position_part : l.momentum_part;
  const bool direction_is_fixed = l.only_component && !l.is_limit;
  for (std::size_t i = 0; i < n_; ++i) {
    const S second = of_position_change ? (by_position ? l.middle.mixed()(i, j) : l.middle.by_momenta()(i, j))
                                        : (by_position ? l.middle.by_positions()(i, j) : l.middle.mixed()(j, i));
    slope[i] = direction_is_fixed ? S(0) : S(part * second);
  }
  if (l.is_limit) return;
  const bool by_extent = by == (of_position_change ? variable::momentum_change : variable::position_change);
  S along = by_extent ? l.direction[j] : S(0);
  for (std::size_t i = 0; i < n_; ++i) along += slope[i] * l.extent[i];
  const S change = change_by(of_position_change, by, j);
  for (std::size_t i = 0; i < n_; ++i) {
    slope[i] = (change * l.direction[i] + l.change * slope[i] - l.g[i] * along) / l.along;
  }
}

template <class S>
void energy_difference_equations<S>::fill_column(variable by, std::size_t j, std::span<S> column) {
  slope_of(position_leg_, true, by, j, slope_);
  for (std::size_t i = 0; i < n_; ++i) column[i] = -step_ * slope_[i];
  slope_of(momentum_leg_, false, by, j, slope_);
  for (std::size_t i = 0; i < n_; ++i) column[n_ + i] = step_ * slope_[i];
}

template <class S>
void energy_difference_equations<S>::jacobian(matrix<S>& J) {
  for (std::size_t j = 0; j < 2 * n_; ++j) {
    fill_column(j < n_ ? variable::position_change : variable::momentum_change, j % n_, column_);
    for (std::size_t i = 0; i < 2 * n_; ++i) J(i, j) = column_[i] + S(i == j ? 1 : 0);
  }
}

template <class S>
void energy_difference_equations<S>::left_jacobian(matrix<S>& B) {
  for (std::size_t j = 0; j < 2 * n_; ++j) {
    fill_column(j < n_ ? variable::left_position : variable::left_momentum, j % n_, column_);
    for (std::size_t i = 0; i < 2 * n_; ++i) B(i, j) = column_[i];
  }
}

template <class S>
energy_difference_step<S>::energy_difference_step(const step_context<S>& context)
    : step_workspace<S>(context),
      step_(context.step),
      n_(context.space.size()),
      equations_(context.space, context.step),
      newton_(2 * n_),
      output_(context.space),
      branch_(context.space),
      x_(2 * n_, S(0)) {}

template <class S>
newton_result energy_difference_step<S>::solve(const phase_state<S>& state) {
  constexpr int most_iterations = 25;
  // How far γ, then β, leave the centre; the nearer, the less of symmetry and angular momentum is lost in that step.
  constexpr double offsets[] = {0, 0x1p-10, -0x1p-10, 0x1p-7, -0x1p-7, 0x1p-4, -0x1p-4, 0.25, -0.25};
  newton_result first{newton_outcome::not_finite, 0, 0};
  if (!equations_.start(state)) return first;
  for (std::size_t k = 0; k < 2 * std::size(offsets) - 1; ++k) {
    const bool of_gamma = k < std::size(offsets);
    const double offset = offsets[of_gamma ? k : k - std::size(offsets) + 1];
    equations_.set_constants(S(0.5 + (of_gamma ? 0 : offset)), S(0.5 + (of_gamma ? offset : 0)));
    equations_.guess(x_);
    newton_result result = newton_.solve(equations_, std::span<S>(x_), most_iterations);
    if (result.outcome == newton_outcome::converged) {
      result.iterations += first.iterations;
      return result;
    }
    const int iterations = first.iterations + result.iterations;
    if (first.iterations == 0) first = result;
    first.iterations = iterations;
  }
  return first;
}

template <class S>
step_status energy_difference_step<S>::advance(phase_state<S>& state) {
  step_status status = status_of(solve(state));
  if (!status) {
    status.code = branch_.reason(status.code, state, step_);
    return status;
  }
  branch_.start(state);
  output_.start(state);
  for (std::size_t i = 0; i < n_; ++i) {
    state.position.add(i, x_[i]);
    state.momentum.add(i, x_[n_ + i]);
  }
  ++state.index;
  state.time = state.origin + S(static_cast<double>(state.index)) * step_;
  if (!branch_.finish(state)) return {step_code::mass_singular, status.iterations, status.update};
  output_.finish(state);
  return status;
}

// R(z_0, x) = 0 gives dx = −J⁻¹ ∂R/∂z_0 dz_0, and z_1 = z_0 + x.
template <class S>
matrix<S> energy_difference_step<S>::tangent_map(const phase_state<S>& state) {
  const std::size_t size = 2 * n_;
  if (solve(state).outcome != newton_outcome::converged) return {};
  matrix<S> J(size, size), B(size, size), result(size, size);
  equations_.evaluate(x_, true);
  equations_.jacobian(J);
  equations_.left_jacobian(B);
  lu_factorisation<S> lu(size);
  if (!lu.factorise(J)) return {};
  std::vector<S> dx(size);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) dx[i] = -B(i, j);
    lu.solve_in_place(dx);
    for (std::size_t i = 0; i < size; ++i) result(i, j) = dx[i] + S(i == j ? 1 : 0);
  }
  return result;
}

template <class S>
std::vector<S> energy_difference_step<S>::history() const {
  const std::optional<S> energy = equations_.energy();
  return energy ? std::vector<S>{*energy} : std::vector<S>{};
}

template <class S>
void energy_difference_step<S>::restore_history(std::span<const S> saved) {
  if (saved.size() > 1) throw snapshot_error("its history does not belong to this method and system");
  equations_.set_energy(saved.empty() ? std::optional<S>() : std::optional<S>(saved[0]));
}

#define ACTIO_INSTANTIATE(S)                     \
  template class energy_difference_equations<S>; \
  template class energy_difference_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
