#include "actio/integrate/partitioned_step.hpp"

#include <algorithm>

#include "actio/integrate/guessed_newton.hpp"
#include "actio/integrate/newton_status.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

template <class S>
partitioned_step<S>::partitioned_step(std::size_t stages, const step_context<S>& context)
    : step_workspace<S>(context),
      pair_(make_lobatto_pair<S>(stages)),
      n_(context.space.size()),
      step_(context.step),
      action_(pair_, context.space, context.step),
      newton_(action_.unknowns()),
      predictor_(n_, pair_.extension, context.guess),
      legendre_(context.space),
      branch_(context.space),
      x_(action_.unknowns(), S(0)),
      guess_(x_),
      kept_(x_),
      ones_(stages + 1, S(1)),
      left_(n_, S(0)),
      velocity_(left_),
      dq_(left_),
      dp_(left_),
      stage_position_(left_),
      stage_velocity_(left_),
      stage_momentum_(left_),
      weights_(n_, 1.0) {}

template <class S>
void partitioned_step<S>::start(const phase_state<S>& state) {
  action_.start(state.time, state.position.value, state.position.remainder, state.momentum.value,
                state.momentum.remainder);
}

template <class S>
bool partitioned_step<S>::guess_by_velocity(const phase_state<S>& state) {
  if (!legendre_.velocity_at(state.time, state.position.value, state.momentum.value, velocity_, state.velocity)) {
    return false;
  }
  for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = step_ * velocity_[j % n_];
  return true;
}

// The unknowns begin as η v: all stages have the velocity of the state.
template <class S>
bool partitioned_step<S>::follow_path(const phase_state<S>& state, std::span<S> x) {
  if (!legendre_.velocity_at(state.time, state.position.value, state.momentum.value, velocity_, state.velocity)) {
    return false;
  }
  if (!path_) path_.emplace(x_.size(), x_.size(), dense_equations<S>(x_.size()));
  const auto start_with = [&](const S& length) {
    action_.set_step(length);
    start(state);
  };
  return path_->find(action_, step_, ones_, velocity_, start_with, x);
}

template <class S>
newton_result partitioned_step<S>::confirmed(const phase_state<S>& state, newton_result result) {
  if (!follow_path(state, guess_)) {
    result.outcome = newton_outcome::elsewhere;
    return result;
  }
  action_.evaluate(guess_, false);  // weights are those of the last evaluation
  const bool same = is_same_solution<S>(guess_, x_, [&](std::size_t j) { return action_.weight(j); });
  if (same) {
    action_.evaluate(x_, false);
    return result;
  }
  predictor_.clear();
  std::ranges::copy(guess_, x_.begin());
  const int tried = result.iterations;
  result = newton_.solve(action_, x_);
  result.iterations += tried;
  return result;
}

template <class S>
newton_result partitioned_step<S>::solve(const phase_state<S>& state) {
  start(state);
  return solve_from_guesses<S>(
      newton_, action_, predictor_, std::span<S>(x_), x_.size(), [&] { return guess_by_velocity(state); },
      [&](const newton_result& result) { return confirmed(state, result); });
}

// From stage to stage: each velocity must be on the branch of the one before.
template <class S>
bool partitioned_step<S>::stages_stay_on_branch(const phase_state<S>& state) {
  std::ranges::copy(state.velocity, velocity_.begin());
  action_.evaluate(x_, false);
  for (std::size_t i = 0; i < pair_.stages; ++i) {
    for (std::size_t a = 0; a < n_; ++a) {
      stage_position_[a] = action_.stage_position(a, i);
      stage_velocity_[a] = action_.stage_velocity(a, i);
      stage_momentum_[a] = action_.stage_momentum(a, i);
    }
    const S& time = action_.stage_time(i);
    if (!legendre_.is_on_branch(time, stage_position_, stage_momentum_, stage_velocity_, velocity_)) return false;
    std::swap(velocity_, stage_velocity_);
  }
  return true;
}

template <class S>
S partitioned_step<S>::action(const phase_state<S>& before) {
  start(before);
  action_.evaluate(x_, false);
  return action_.value();
}

template <class S>
step_status partitioned_step<S>::advance(phase_state<S>& state) {
  step_status status = status_of(solve(state));
  if (!status) {
    status.code = branch_.reason(status.code, state, step_);
    return status;
  }
  action_.momentum_increment(dp_);
  action_.position_increment(x_, dq_);
  const S gained = action_.work();
  for (std::size_t a = 0; a < n_; ++a) {
    const double weight = to_double(action_.weight(a));
    weights_[a] = weight > 0 && std::isfinite(weight) ? weight : 1.0;
  }
  branch_.start(state);
  const step_status ended{step_code::mass_singular, status.iterations, status.update};
  if (branch_.has_branches() && !stages_stay_on_branch(state)) return ended;
  for (std::size_t a = 0; a < n_; ++a) {
    left_[a] = state.position[a];
    state.position.add(a, dq_[a]);
    state.momentum.add(a, dp_[a]);
  }
  ++state.index;
  state.time = state.origin + S(static_cast<double>(state.index)) * step_;
  if (!branch_.finish(state, velocity_)) return ended;
  work_ = gained;
  predictor_.record(x_, weights_);
  return status;
}

template <class S>
void partitioned_step<S>::interpolate(const S& fraction, std::span<S> position) {
  std::ranges::copy(left_, position.begin());
  const quadrature_rule<S> rule = lobatto_rule<S>(pair_.stages);  // integrates the basis exactly
  for (std::size_t m = 0; m < pair_.stages; ++m) {
    const basis_values<S> basis = lagrange_basis<S>(pair_.node, fraction * rule.nodes[m]);
    for (std::size_t j = 0; j < pair_.stages; ++j) {
      const S factor = fraction * rule.weights[m] * basis.value[j];
      for (std::size_t a = 0; a < n_; ++a) position[a] += factor * x_[j * n_ + a];
    }
  }
}

// dX = −J⁻¹ (B dq_0 − dp_0 in every stage); then q_1 = q_0 + Σ b_i X_i and p_1 = p_0 + h Σ b_i G_i.
template <class S>
matrix<S> partitioned_step<S>::tangent_map(const phase_state<S>& state) {
  kept_ = x_;
  const newton_result solved = solve(state);
  if (solved.outcome == newton_outcome::converged) action_.evaluate(x_, true);
  x_ = kept_;
  if (solved.outcome != newton_outcome::converged) return {};
  const std::size_t unknowns = x_.size();
  matrix<S> J(unknowns, unknowns), B(unknowns, n_), by_left(n_, n_), by_unknowns(n_, unknowns), result(2 * n_, 2 * n_);
  action_.jacobian(J);
  action_.left_jacobian(B);
  action_.momentum_jacobian(by_left, by_unknowns);
  lu_factorisation<S> lu(unknowns);
  if (!lu.factorise(J)) return {};
  std::vector<S> dx(unknowns);
  for (std::size_t column = 0; column < 2 * n_; ++column) {
    const bool by_position = column < n_;
    for (std::size_t j = 0; j < unknowns; ++j) {
      dx[j] = by_position ? S(-B(j, column)) : S(j % n_ == column - n_ ? 1 : 0);
    }
    lu.solve_in_place(dx);
    for (std::size_t a = 0; a < n_; ++a) {
      S dq(a == column ? 1 : 0), dp = by_position ? by_left(a, column) : S(a == column - n_ ? 1 : 0);
      for (std::size_t i = 0; i < pair_.stages; ++i) dq += pair_.weights.head(0, i) * dx[i * n_ + a];
      for (std::size_t j = 0; j < unknowns; ++j) dp += by_unknowns(a, j) * dx[j];
      result(a, column) = dq;
      result(n_ + a, column) = dp;
    }
  }
  return result;
}

#define ACTIO_INSTANTIATE(S) template class partitioned_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
