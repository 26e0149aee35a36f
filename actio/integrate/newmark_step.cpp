#include "actio/integrate/newmark_step.hpp"

#include <algorithm>
#include <limits>

namespace actio {

template <class S>
newmark_step<S>::newmark_step(const rational& beta, const rational& gamma, const step_context<S>& context)
    : remembering_step<S>(context),
      beta_(from_rational<S>(beta)),
      gamma_(from_rational<S>(gamma)),
      step_(context.step),
      n_(context.space.size()),
      field_(velocity_field<S>(context.space)),
      legendre_(context.space),
      branch_(context.space),
      output_(context.space),
      newton_(n_),
      y_(std::vector<S>(2 * n_, S(0))),
      next_(y_),
      acceleration_(n_, S(0)),
      x_(acceleration_),
      argument_(2 * n_, S(0)),
      rate_(argument_),
      momentum_(acceleration_),
      slopes_(2 * n_, 2 * n_) {}

template <class S>
bool newmark_step<S>::enter(const phase_state<S>& state) {
  if (kept_index_ == state.index + 1) return true;
  kept_index_ = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    y_.value[i] = state.position.value[i];
    y_.remainder[i] = state.position.remainder[i];
    y_.remainder[n_ + i] = S(0);
  }
  const std::span<S> velocity = std::span<S>(y_.value).subspan(n_);
  if (!legendre_.velocity_at(state.time, state.position.value, state.momentum.value, velocity, state.velocity) ||
      !field_->evaluate(state.time, y_.value, rate_, power_)) {
    return false;
  }
  std::copy_n(rate_.begin() + static_cast<long>(n_), n_, acceleration_.begin());
  return true;
}

template <class S>
S newmark_step<S>::increment(std::size_t m, std::span<const S> x) const {
  const std::size_t a = m % n_;
  const S start = step_ * acceleration_[a];
  if (m >= n_) return S((S(1) - gamma_) * start + gamma_ * x[a]);
  return S(step_ * (y_.value[n_ + a] + (y_.remainder[n_ + a] + ((S(1) / S(2) - beta_) * start + beta_ * x[a]))));
}

// x − h a(t_1, q_1(x), v_1(x)) = 0.
template <class S>
struct newmark_step<S>::end_equations {
  newmark_step& step;
  const S& time;
  bool is_defined = true;

  void evaluate(std::span<const S> x, bool with_jacobian) {
    for (std::size_t m = 0; m < step.argument_.size(); ++m) {
      step.argument_[m] = step.y_.value[m] + (step.y_.remainder[m] + step.increment(m, x));
    }
    std::ranges::copy(x, step.x_.begin());
    is_defined = step.field_->evaluate(time, step.argument_, step.rate_, step.next_power_) &&
                 (!with_jacobian || step.field_->jacobian(time, step.argument_, step.slopes_));
  }
  void residual(std::span<S> r) {
    for (std::size_t a = 0; a < r.size(); ++a) {
      r[a] = is_defined ? S(step.x_[a] - step.step_ * step.rate_[step.n_ + a])
                        : S(std::numeric_limits<double>::quiet_NaN());
    }
  }
  void jacobian(matrix<S>& J) {
    const std::size_t n = step.n_;
    const S by_position = step.beta_ * step.step_ * step.step_, by_velocity = step.gamma_ * step.step_;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        J(i, j) = S(i == j ? 1 : 0) - by_position * step.slopes_(n + i, j) - by_velocity * step.slopes_(n + i, n + j);
      }
    }
  }
  S weight(std::size_t j) {
    using std::abs;
    const S size = abs(step.x_[j]) + S(1e-3) * abs(step.argument_[step.n_ + j]);
    return size > S(0) ? size : S(1e-3 * abs(step.argument_[j]) / abs(step.step_) + abs(step.step_));
  }
  void rounding(std::span<S> r) {
    using std::abs;
    const std::size_t n = step.n_;
    for (std::size_t i = 0; i < n; ++i) {
      S size = abs(step.x_[i]);
      for (std::size_t m = 0; m < 2 * n; ++m) size += abs(S(step.step_ * step.slopes_(n + i, m) * step.argument_[m]));
      r[i] = epsilon<S>() * size + (std::same_as<S, multi> ? S(0) : S(std::numeric_limits<S>::min()));
    }
  }
};

template <class S>
newton_result newmark_step<S>::solve(const S& next_time) {
  for (std::size_t a = 0; a < n_; ++a) momentum_[a] = step_ * acceleration_[a];
  end_equations equations{*this, next_time};
  newton_result result = newton_.solve(equations, momentum_);
  if (result.outcome != newton_outcome::converged) {
    for (std::size_t a = 0; a < n_; ++a) momentum_[a] = step_ * acceleration_[a];
    const int tried = result.iterations;
    result = newton_.solve_damped(equations, momentum_);
    result.iterations += tried;
  }
  std::ranges::copy(momentum_, x_.begin());
  return result;
}

template <class S>
step_status newmark_step<S>::advance(phase_state<S>& state) {
  const step_status failed{step_code::left_domain, 0, 0};
  if (!enter(state)) return failed;
  const S next_time = state.time_after(step_);
  const step_status status = branch_.judged(status_of(solve(next_time)), state, step_);
  if (!status) return status;
  next_ = y_;
  for (std::size_t m = 0; m < 2 * n_; ++m) next_.add(m, increment(m, x_));
  const std::span<const S> all(next_.value);
  if (!legendre_.momentum_of(next_time, all.first(n_), all.subspan(n_), momentum_)) return failed;
  const step_status ended{step_code::mass_singular, status.iterations, status.update};
  if (branch_.has_branches() &&
      !legendre_.is_on_branch(next_time, all.first(n_), momentum_, all.subspan(n_), state.velocity)) {
    return ended;
  }
  branch_.start(state);
  output_.start(state);
  std::swap(y_, next_);
  for (std::size_t i = 0; i < n_; ++i) {
    state.position.value[i] = y_.value[i];
    state.position.remainder[i] = y_.remainder[i];
    state.momentum.value[i] = momentum_[i];
    state.momentum.remainder[i] = S(0);
    acceleration_[i] = x_[i] / step_;
  }
  work_ = step_ * (power_ + next_power_) / S(2);
  power_ = next_power_;
  state.step_on(step_);
  kept_index_ = state.index + 1;
  if (!branch_.finish(state, std::span<const S>(y_.value).subspan(n_))) {
    kept_index_ = 0;
    return ended;
  }
  output_.finish(state);
  return status;
}

// On (q, v): da_0 = A_0 (dq_0, dv_0), and dx solves the equations of the right end, linearised.
template <class S>
matrix<S> newmark_step<S>::tangent_map(const phase_state<S>& state) {
  const S next_time = state.time + step_;
  kept_index_ = 0;
  if (!enter(state)) return {};
  matrix<S> start(2 * n_, 2 * n_), to_momentum(2 * n_, 2 * n_), left(2 * n_, 2 * n_), end(2 * n_, 2 * n_);
  const std::span<const S> all(y_.value);
  if (!legendre_.velocity_jacobian(state.time, all.first(n_), all.subspan(n_), start) ||
      !field_->jacobian(state.time, y_.value, left)) {
    return {};
  }
  end_equations equations{*this, next_time};
  if (solve(next_time).outcome != newton_outcome::converged) return {};
  std::ranges::copy(x_, momentum_.begin());
  equations.evaluate(momentum_, true);
  if (!equations.is_defined) return {};
  matrix<S> J(n_, n_);
  equations.jacobian(J);
  lu_factorisation<S> lu(n_);
  if (!lu.factorise(J)) return {};
  const S h = step_, half = S(1) / S(2);
  std::vector<S> dx(n_), da(n_);
  for (std::size_t column = 0; column < 2 * n_; ++column) {
    for (std::size_t i = 0; i < n_; ++i) {
      da[i] = S(0);
      for (std::size_t m = 0; m < 2 * n_; ++m) da[i] += left(n_ + i, m) * start(m, column);
    }
    for (std::size_t i = 0; i < n_; ++i) {  // what is known of the end, without dx
      end(i, column) = start(i, column) + h * start(n_ + i, column) + h * h * (half - beta_) * da[i];
      end(n_ + i, column) = start(n_ + i, column) + h * (S(1) - gamma_) * da[i];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      dx[i] = S(0);
      for (std::size_t m = 0; m < 2 * n_; ++m) dx[i] += h * slopes_(n_ + i, m) * end(m, column);
    }
    lu.solve_in_place(dx);
    for (std::size_t i = 0; i < n_; ++i) {
      end(i, column) += beta_ * h * dx[i];
      end(n_ + i, column) += gamma_ * dx[i];
    }
  }
  const std::span<const S> right(argument_);
  if (!legendre_.momentum_jacobian(next_time, right.first(n_), right.subspan(n_), to_momentum)) return {};
  return to_momentum * end;
}

template <class S>
void newmark_step<S>::remember(step_memory<S>& memory) {
  memory.count(kept_index_, most_steps_counted);
  memory.number(power_);
  for (std::vector<S>* const part : {&y_.value, &y_.remainder, &acceleration_}) memory.numbers(*part);
}

#define ACTIO_INSTANTIATE(S) template class newmark_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
