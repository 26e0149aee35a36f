#include "actio/integrate/stage_newton_step.hpp"

#include <algorithm>

#include "actio/tableaux/quadrature.hpp"

namespace actio {

template <class S>
stage_equations<S>::stage_equations(const collocation_tableau<S>& tableau, std::unique_ptr<vector_field<S>> field,
                                    const S& step)
    : tableau_(tableau),
      field_(std::move(field)),
      step_(step),
      size_(field_->size()),
      left_(size_, S(0)),
      remainder_(left_),
      argument_(left_),
      extent_(left_),
      rates_(tableau.points, left_),
      z_(rates_),
      powers_(tableau.points, S(0)),
      slopes_(tableau.points, matrix<S>(size_, size_)) {}

template <class S>
void stage_equations<S>::start(const phase_state<S>& state) {
  const std::size_t n = state.position.size();
  for (std::size_t c = 0; c < size_; ++c) {
    const compensated_vector<S>& part = c < n ? state.position : state.momentum;
    left_[c] = part.value[c < n ? c : c - n];
    remainder_[c] = part.remainder[c < n ? c : c - n];
  }
  time_ = state.time;
  field_->set_branch(state.velocity);
}

template <class S>
bool stage_equations<S>::first_rates(std::span<S> rate) {
  S power(0);
  return field_->evaluate(time_, left_, rate, power);
}

// Where the field is not defined the rates are not finite, and so are residuals.
template <class S>
void stage_equations<S>::evaluate(std::span<const S> z, bool with_jacobian) {
  using std::abs;
  std::ranges::fill(extent_, S(0));
  for (std::size_t i = 0; i < tableau_.points; ++i) {
    for (std::size_t c = 0; c < size_; ++c) {
      const S& own = z_[i][c] = z[i * size_ + c];
      argument_[c] = left_[c] + (remainder_[c] + own);
      extent_[c] = std::max<S>(extent_[c], abs(own));
    }
    const S t = time_ + tableau_.node[i] * step_;
    bool defined = field_->evaluate(t, argument_, rates_[i], powers_[i]);
    if (defined && with_jacobian) defined = field_->jacobian(t, argument_, slopes_[i]);
    if (!defined) std::ranges::fill(rates_[i], std::numeric_limits<S>::quiet_NaN());
  }
}

template <class S>
void stage_equations<S>::residual(std::span<S> r) const {
  for (std::size_t i = 0; i < tableau_.points; ++i) {
    for (std::size_t c = 0; c < size_; ++c) {
      S sum(0), rest(0);
      for (std::size_t j = 0; j < tableau_.points; ++j) {
        sum += tableau_.stages.head(i, j) * rates_[j][c];
        rest += tableau_.stages.tail(i, j) * rates_[j][c];
      }
      r[i * size_ + c] = z_[i][c] - step_ * (sum + rest);
    }
  }
}

template <class S>
void stage_equations<S>::jacobian(matrix<S>& J) const {
  for (std::size_t i = 0; i < tableau_.points; ++i) {
    for (std::size_t j = 0; j < tableau_.points; ++j) {
      const S factor = step_ * tableau_.stages.head(i, j);
      for (std::size_t c = 0; c < size_; ++c) {
        for (std::size_t d = 0; d < size_; ++d) {
          const S unit(i == j && c == d ? 1 : 0);
          J(i * size_ + c, j * size_ + d) = unit - factor * slopes_[j](c, d);
        }
      }
    }
  }
}

// How far the component moves in the step.
template <class S>
S stage_equations<S>::weight(std::size_t j) const {
  const S& own = extent_[j % size_];
  return own > S(0) && is_finite(own) ? own : S(1);
}

template <class S>
void stage_equations<S>::rounding(std::span<S> r) const {
  using std::abs;
  for (std::size_t i = 0; i < tableau_.points; ++i) {
    for (std::size_t c = 0; c < size_; ++c) {
      S sum(0);
      for (std::size_t j = 0; j < tableau_.points; ++j) {
        S size = abs(rates_[j][c]);
        for (std::size_t d = 0; d < size_; ++d) size += abs(slopes_[j](c, d)) * (abs(left_[d]) + abs(z_[j][d]));
        sum += abs(tableau_.stages.head(i, j)) * size;
      }
      r[i * size_ + c] = epsilon<S>() * (abs(z_[i][c]) + abs(step_) * sum);
    }
  }
}

template <class S>
stage_newton_step<S>::stage_newton_step(std::size_t points, const step_context<S>& context)
    : remembering_step<S>(context),
      tableau_(make_gauss_collocation<S>(points)),
      equations_(tableau_, hamilton_field<S>(context.space), context.step),
      newton_(equations_.unknowns()),
      step_(context.step),
      n_(context.space.size()),
      guess_kind_(context.guess),
      z_(equations_.unknowns(), S(0)),
      solution_(z_),
      rate_(equations_.size(), S(0)),
      left_(n_, S(0)),
      control_{S(0)},
      rates_(z_) {
  control_.insert(control_.end(), tableau_.node.begin(), tableau_.node.end());
}

template <class S>
void stage_newton_step<S>::set_rates(std::span<const S> rates) {
  std::ranges::copy(rates, rates_.begin());
  has_rates_ = true;
}

// Z of the last polynomial continued, or of motion at the rates of the state.
template <class S>
bool stage_newton_step<S>::guess(bool from_rates) {
  const std::size_t s = tableau_.points, size = equations_.size();
  if (!from_rates && !equations_.first_rates(rate_)) return false;
  for (std::size_t c = 0; c < size; ++c) {
    for (std::size_t i = 0; i < s; ++i) {
      S sum(0);
      for (std::size_t j = 0; j < s && from_rates; ++j) {
        S continued(0);
        for (std::size_t l = 0; l < s; ++l) continued += tableau_.extension(j, l) * rates_[c * s + l];
        sum += tableau_.stages.head(i, j) * continued;
      }
      if (!from_rates) sum = guess_kind_ == first_guess::state ? S(0) : S(tableau_.node[i] * rate_[c]);
      z_[i * size + c] = step_ * sum;
    }
  }
  return true;
}

template <class S>
newton_result stage_newton_step<S>::solve(const phase_state<S>& state) {
  equations_.start(state);
  const bool looks_back = has_rates_ && guess_kind_ == first_guess::extrapolation;
  return solution_search{.guess_by_past = [&] { return looks_back && guess(true); },
                         .guess_by_state = [&] { return guess(false); },
                         .iterate = [&] { return newton_.solve(equations_, std::span<S>(z_)); },
                         .iterate_damped = [&] { return newton_.solve_damped(equations_, std::span<S>(z_)); },
                         .is_near_past = [](const newton_result& result) { return belongs_to_state(result, true); },
                         .confirm = [&](const newton_result& result) { return confirmed(state, result); }}();
}

// A solution that may not belong to the state is compared with the one that does, which takes its place.
template <class S>
newton_result stage_newton_step<S>::confirmed(const phase_state<S>& state, newton_result result) {
  const std::size_t unknowns = equations_.unknowns();
  if (!path_) path_.emplace(unknowns, unknowns, dense_equations<S>(unknowns));
  const auto start_with = [&](const S& length) {
    equations_.set_step(length);
    equations_.start(state);
  };
  if (!equations_.first_rates(rate_) || !path_->find(equations_, step_, std::span<const S>(control_),
                                                     std::span<const S>(rate_), start_with, std::span<S>(solution_))) {
    result.outcome = newton_outcome::elsewhere;
    return result;
  }
  equations_.evaluate(solution_, false);  // weights are those of the last evaluation
  const auto weight = [&](std::size_t j) { return equations_.weight(j); };
  const int tried = result.iterations;
  if (!is_same_solution<S>(solution_, z_, weight)) z_ = solution_;
  result = newton_.solve(equations_, std::span<S>(z_));
  result.iterations += tried;
  return result;
}

template <class S>
S stage_newton_step<S>::increment(std::size_t c) const {
  S sum(0), rest(0);
  for (std::size_t i = 0; i < tableau_.points; ++i) {
    sum += tableau_.weights.head(0, i) * equations_.rate(i, c);
    rest += tableau_.weights.tail(0, i) * equations_.rate(i, c);
  }
  return step_ * (sum + rest);
}

template <class S>
step_status stage_newton_step<S>::advance(phase_state<S>& state) {
  const step_status status = status_of(solve(state));
  if (!status) {
    has_rates_ = false;
    return status;
  }
  const std::size_t s = tableau_.points;
  std::ranges::copy(state.position.value, left_.begin());
  work_ = S(0);
  for (std::size_t c = 0; c < equations_.size(); ++c) {
    if (c < n_) state.position.add(c, increment(c));
    else state.momentum.add(c - n_, increment(c));
    for (std::size_t i = 0; i < s; ++i) rates_[c * s + i] = equations_.rate(i, c);
  }
  for (std::size_t i = 0; i < s; ++i) work_ += step_ * tableau_.weights.head(0, i) * equations_.power(i);
  state.step_on(step_);
  has_rates_ = true;
  return status;
}

// q_0 + h ∫_0^x Σ ℓ_j K_j.
template <class S>
void stage_newton_step<S>::interpolate(const S& x, std::span<S> position) {
  const std::size_t s = tableau_.points;
  const std::vector<S> integral = basis_integrals<S>(tableau_.node, tableau_.weights.head.data(), x);
  for (std::size_t a = 0; a < n_; ++a) {
    S sum(0);
    for (std::size_t j = 0; j < s; ++j) sum += integral[j] * rates_[a * s + j];
    position[a] = left_[a] + step_ * sum;
  }
}

// (1 − h a⊗A) dZ = h a⊗A 1, and dy_1 = 1 + h Σ b_j A_j (1 + dZ_j).
template <class S>
matrix<S> stage_newton_step<S>::tangent_map(const phase_state<S>& state) {
  const std::size_t s = tableau_.points, size = equations_.size(), unknowns = equations_.unknowns();
  if (solve(state).outcome != newton_outcome::converged) return {};
  equations_.evaluate(z_, true);
  matrix<S> J(unknowns, unknowns), result = matrix<S>::identity(size);
  equations_.jacobian(J);
  lu_factorisation<S> lu(unknowns);
  if (!lu.factorise(J)) return {};
  std::vector<S> dz(unknowns);
  for (std::size_t column = 0; column < size; ++column) {
    for (std::size_t k = 0; k < unknowns; ++k) {
      S sum(0);
      for (std::size_t j = 0; j < s; ++j) {
        sum += tableau_.stages.head(k / size, j) * equations_.slopes(j)(k % size, column);
      }
      dz[k] = step_ * sum;
    }
    lu.solve_in_place(dz);
    for (std::size_t c = 0; c < size; ++c) {
      S sum(0);
      for (std::size_t j = 0; j < s; ++j) {
        S moved = equations_.slopes(j)(c, column);
        for (std::size_t d = 0; d < size; ++d) moved += equations_.slopes(j)(c, d) * dz[j * size + d];
        sum += tableau_.weights.head(0, j) * moved;
      }
      result(c, column) += step_ * sum;
    }
  }
  return result;
}

template <class S>
void stage_newton_step<S>::remember(step_memory<S>& memory) {
  memory.flag(has_rates_);
  memory.numbers(rates_);
}

#define ACTIO_INSTANTIATE(S)         \
  template class stage_equations<S>; \
  template class stage_newton_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
