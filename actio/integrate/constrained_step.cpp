#include "actio/integrate/constrained_step.hpp"

#include <algorithm>

#include "actio/integrate/galerkin_step.hpp"
#include "actio/integrate/guessed_newton.hpp"
#include "actio/integrate/newton_status.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

template <class S>
constrained_step<S>::constrained_step(const galerkin_scheme& scheme, const step_context<S>& context)
    : step_workspace<S>(context),
      tableau_(make_tableau<S>(scheme)),
      end_weights_(lobatto_rule<S>(scheme.degree + 1).weights),
      step_(context.step),
      action_(tableau_, context.space, context.step),
      newton_(action_.unknowns()),
      predictor_(context.space.size(), polynomial_continuation(tableau_), context.guess),
      legendre_(context.space),
      x_(action_.unknowns(), S(0)),
      left_(context.space.size(), S(0)),
      right_(left_),
      right_momentum_(left_),
      velocity_(left_),
      increment_(left_),
      multipliers_((tableau_.degree + 1) * context.space.constraint_count(), S(0)),
      weights_(left_.size(), 0.0) {}

template <class S>
void constrained_step<S>::start(constrained_action<S>& action, const phase_state<S>& state) {
  action.start(state.time, state.position.value, state.position.remainder, state.momentum.value,
               state.momentum.remainder);
}

template <class S>
bool constrained_step<S>::velocity_of(const phase_state<S>& state) {
  return legendre_.velocity_at(state.time, state.position.value, state.momentum.value, velocity_, state.velocity);
}

template <class S>
bool constrained_step<S>::guess_by_velocity(const phase_state<S>& state) {
  if (!velocity_of(state)) return false;
  std::fill(x_.begin(), x_.end(), S(0));
  for (std::size_t k = 1; k <= tableau_.degree; ++k) {
    for (std::size_t a = 0; a < velocity_.size(); ++a) {
      x_[(k - 1) * velocity_.size() + a] = tableau_.control[k] * step_ * velocity_[a];
    }
  }
  return true;
}

// A solution that may not belong to the state is compared with the one that does, which takes its place. Multipliers
// follow from the increments. The path has an action of its own: momenta are those of the last evaluation of action_.
template <class S>
newton_result constrained_step<S>::confirmed(const phase_state<S>& state, newton_result result) {
  if (!path_) path_ = std::make_unique<connection>(tableau_, this->space(), step_);
  auto& [action, path, x] = *path_;
  const auto start_with = [&](const S& length) {
    action.set_step(length);
    start(action, state);
  };
  if (!velocity_of(state) || !path.find(action, step_, tableau_.control, velocity_, start_with, x)) {
    result.outcome = newton_outcome::elsewhere;
    return result;
  }
  const auto increments = [&](const std::vector<S>& of) { return std::span<const S>(of).first(action_.increments()); };
  const auto weight = [&](std::size_t j) { return action_.weight(j); };
  if (is_same_solution<S>(increments(x), increments(x_), weight)) return result;
  predictor_.clear();
  x_ = x;
  return newton_.solve(action_, x_);
}

// The multipliers are guessed to stay: the equations are linear in them.
template <class S>
newton_result constrained_step<S>::solve(const phase_state<S>& state) {
  start(action_, state);
  return solve_from_guesses<S>(
      newton_, action_, predictor_, std::span<S>(x_), action_.increments(), [&] { return guess_by_velocity(state); },
      [&](const newton_result& result) { return confirmed(state, result); });
}

template <class S>
bool constrained_step<S>::close(const phase_state<S>& state) {
  const std::size_t n = left_.size(), last = action_.increments() - n;
  action_.momentum_increment(x_, increment_);
  for (std::size_t a = 0; a < n; ++a) {
    right_[a] = state.position[a] + (state.position.remainder[a] + x_[last + a]);
    right_momentum_[a] = state.momentum[a] + (state.momentum.remainder[a] + increment_[a]);
  }
  const S time = state.origin + S(static_cast<double>(state.index + 1)) * step_;
  return legendre_.velocity_at(time, right_, right_momentum_, velocity_, state.velocity);
}

template <class S>
step_status constrained_step<S>::advance(phase_state<S>& state) {
  const newton_result solved = solve(state);
  step_status status = status_of(solved);
  if (!status) return status;
  if (!close(state)) {
    status.code = legendre_.branch_ended() ? step_code::mass_singular : step_code::singular;
    return status;
  }
  if (!this->space().has_one_branch()) std::copy(velocity_.begin(), velocity_.end(), state.velocity.begin());
  const std::size_t n = left_.size(), m = this->space().constraint_count(), s = tableau_.degree, last = (s - 1) * n;
  for (std::size_t a = 0; a < n; ++a) {
    left_[a] = state.position[a];
    weights_[a] = to_double(action_.weight(a));
    state.position.add(a, x_[last + a]);
    state.momentum.add(a, increment_[a] - legendre_.normal_momentum()[a]);
  }
  work_ = action_.work(x_);
  for (std::size_t c = 0; c < m; ++c) {
    for (std::size_t k = 0; k < s; ++k) {
      multipliers_[k * m + c] = x_[action_.increments() + k * m + c] / (step_ * step_ * end_weights_[k]);
    }
    const S& impulse = legendre_.normal_multipliers()[c];
    multipliers_[s * m + c] = -impulse / (step_ * end_weights_[s]);
    if (this->space().constraints()->depends_on_time()) work_ += impulse * legendre_.constraint_rate(c);
  }
  predictor_.record(std::span<const S>(x_).first(action_.increments()), weights_);
  ++state.index;
  state.time = state.origin + S(static_cast<double>(state.index)) * step_;
  return status;
}

template <class S>
void constrained_step<S>::interpolate(const S& fraction, std::span<S> position) {
  const basis_values<S> basis = lagrange_basis<S>(tableau_.control, fraction);
  const std::size_t n = left_.size();
  for (std::size_t a = 0; a < n; ++a) {
    S sum(0);
    for (std::size_t k = 1; k <= tableau_.degree; ++k) sum += basis.value[k] * x_[(k - 1) * n + a];
    position[a] = left_[a] + sum;
  }
}

template <class S>
std::vector<S> constrained_step<S>::history() const {
  std::vector<S> saved(x_.begin() + static_cast<std::ptrdiff_t>(action_.increments()), x_.end());
  const std::vector<S> predicted = predictor_.save();
  saved.insert(saved.end(), predicted.begin(), predicted.end());
  return saved;
}

template <class S>
void constrained_step<S>::restore_history(std::span<const S> saved) {
  const std::size_t multipliers = x_.size() - action_.increments();
  if (saved.size() < multipliers) throw snapshot_error("its history belongs to another method");
  std::copy_n(saved.begin(), multipliers, x_.begin() + static_cast<std::ptrdiff_t>(action_.increments()));
  predictor_.load(saved.subspan(multipliers));
}

// With F(x; q_0, p_0) = 0 the equations of the step, dx = −K⁻¹ (B dq_0 + h E dp_0), E the identity in the rows of k =
// 0. Then q_1 = q_0 + z_s and p⁻; the projection P(q_1, v) + Aᵀν = p⁻, A v + g_t = 0 is differentiated likewise, and
// p_1 = p⁻ − Aᵀν.
template <class S>
matrix<S> constrained_step<S>::tangent_map(const phase_state<S>& state) {
  const std::vector<S> kept = x_;
  const bool solved = solve(state).outcome == newton_outcome::converged;
  const std::size_t n = left_.size(), unknowns = x_.size(), last = action_.increments() - n;
  matrix<S> result;
  if (solved) {
    action_.evaluate(x_, true);
    saddle_point_solver<S> K(unknowns);
    action_.jacobian(K);
    matrix<S> B(unknowns, n), by_left(n, n), by_unknowns(n, unknowns), to_right(2 * n, 2 * n);
    action_.left_jacobian(B);
    action_.momentum_jacobian(by_left, by_unknowns);
    if (K.factorise()) {
      std::vector<S> dx(unknowns);
      for (std::size_t column = 0; column < 2 * n; ++column) {
        const bool by_position = column < n;
        for (std::size_t j = 0; j < unknowns; ++j) dx[j] = by_position ? S(-B(j, column)) : S(0);
        if (!by_position) dx[column - n] = -step_;
        K.solve_in_place(dx);
        for (std::size_t a = 0; a < n; ++a) {
          to_right(a, column) = dx[last + a] + (a == column ? S(1) : S(0));
          S dp = by_position ? by_left(a, column) : S(a == column - n ? 1 : 0);
          for (std::size_t j = 0; j < unknowns; ++j) dp += by_unknowns(a, j) * dx[j];
          to_right(n + a, column) = dp;
        }
      }
      if (close(state)) result = legendre_.projection_jacobian();
      if (result.rows() > 0) result = result * to_right;
    }
  }
  x_ = kept;
  return result;
}

#define ACTIO_INSTANTIATE(S) template class constrained_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
