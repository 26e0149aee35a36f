#include "actio/integrate/runge_kutta_step.hpp"

#include <algorithm>

namespace actio {

namespace {

template <class S>
std::unique_ptr<vector_field<S>> field_of(const step_context<S>& context) {
  if (!context.space.has_energy()) return equation_field<S>(context.space);
  return context.velocity_state ? velocity_field<S>(context.space) : hamilton_field<S>(context.space);
}

}  // namespace

template <class S>
runge_kutta_step<S>::runge_kutta_step(const butcher_table& table, const step_context<S>& context)
    : remembering_step<S>(context),
      a_(table.stages(), table.stages()),
      step_(context.step),
      velocity_state_(context.velocity_state),
      n_(context.space.size()),
      momenta_(context.space.momentum_size()),
      size_(n_ + momenta_),
      field_(field_of(context)),
      legendre_(context.space),
      branch_(context.space),
      output_(context.space),
      y_(std::vector<S>(size_, S(0))),
      next_(y_),
      k_(table.stages(), std::vector<S>(size_, S(0))),
      argument_(size_, S(0)),
      increment_(size_, S(0)),
      power_(table.stages(), S(0)),
      momentum_(momenta_, S(0)) {
  for (std::size_t i = 0; i < table.stages(); ++i) {
    for (std::size_t j = 0; j < table.a[i].size(); ++j) a_(i, j) = from_rational<S>(table.a[i][j]);
    b_.push_back(from_rational<S>(table.b[i]));
    c_.push_back(from_rational<S>(table.c[i]));
  }
}

// Sets y_ to the state. A velocity state is kept between steps: converting it to momenta and back would round it.
template <class S>
bool runge_kutta_step<S>::enter(const phase_state<S>& state) {
  field_->set_branch(state.velocity);
  if (velocity_state_ && y_index_ == state.index + 1) return true;
  for (std::size_t i = 0; i < n_; ++i) {
    y_.value[i] = state.position.value[i];
    y_.remainder[i] = state.position.remainder[i];
  }
  for (std::size_t i = 0; i < momenta_; ++i) {
    y_.value[n_ + i] = velocity_state_ ? S(0) : state.momentum.value[i];
    y_.remainder[n_ + i] = velocity_state_ ? S(0) : state.momentum.remainder[i];
  }
  if (!velocity_state_) return true;
  return legendre_.velocity_at(state.time, state.position.value, state.momentum.value,
                               std::span<S>(y_.value).subspan(n_), state.velocity);
}

template <class S>
bool runge_kutta_step<S>::stage(std::size_t i, const S& t) {
  for (std::size_t m = 0; m < size_; ++m) {
    S sum(0);
    for (std::size_t j = 0; j < i; ++j) sum += a_(i, j) * k_[j][m];
    argument_[m] = y_.value[m] + step_ * sum;
  }
  return field_->evaluate(t + c_[i] * step_, argument_, k_[i], power_[i]);
}

template <class S>
step_status runge_kutta_step<S>::advance(phase_state<S>& state) {
  const step_status failed{step_code::left_domain, 0, 0}, ended{step_code::mass_singular, 0, 0};
  if (!enter(state)) return failed;
  branch_.start(state);
  for (std::size_t i = 0; i < b_.size(); ++i) {
    if (!stage(i, state.time)) return field_->branch_ended() ? ended : failed;
  }
  work_ = S(0);
  for (std::size_t m = 0; m < size_; ++m) {
    S sum(0);
    for (std::size_t i = 0; i < b_.size(); ++i) sum += b_[i] * k_[i][m];
    increment_[m] = step_ * sum;
    if (!is_finite(increment_[m])) return failed;
  }
  for (std::size_t i = 0; i < b_.size(); ++i) work_ += step_ * b_[i] * power_[i];
  output_.start(state);
  const S next_time = state.time_after(step_);
  if (velocity_state_) {
    next_ = y_;
    for (std::size_t m = 0; m < size_; ++m) next_.add(m, increment_[m]);
    const std::span<const S> all(next_.value);
    if (!legendre_.momentum_of(next_time, all.first(n_), all.subspan(n_), momentum_)) return failed;
    if (branch_.has_branches() &&
        !legendre_.is_on_branch(next_time, all.first(n_), momentum_, all.subspan(n_), state.velocity)) {
      return ended;
    }
    std::swap(y_, next_);
    y_index_ = state.index + 2;
    for (std::size_t i = 0; i < n_; ++i) {
      state.position.value[i] = y_.value[i];
      state.position.remainder[i] = y_.remainder[i];
      state.momentum.value[i] = momentum_[i];
      state.momentum.remainder[i] = S(0);
    }
  } else {
    for (std::size_t i = 0; i < n_; ++i) state.position.add(i, increment_[i]);
    for (std::size_t i = 0; i < momenta_; ++i) state.momentum.add(i, increment_[n_ + i]);
  }
  state.step_on(step_);
  if (!branch_.finish(state)) {
    y_index_ = 0;
    return ended;
  }
  output_.finish(state);
  return {step_code::ok, static_cast<int>(b_.size()), 0};
}

template <class S>
S runge_kutta_step<S>::action(const phase_state<S>& before) {
  if (!jet_) jet_.emplace(legendre_.space().jet().at(b_.size(), legendre_.space().parameters()));
  enter(before);
  for (std::size_t i = 0; i < b_.size(); ++i) {
    stage(i, before.time);
    for (std::size_t a = 0; a < n_; ++a) {
      jet_->position(a)[i] = argument_[a];
      jet_->velocity(a)[i] = k_[i][a];
    }
    jet_->time()[i] = before.time + c_[i] * step_;
  }
  jet_->evaluate_value();
  S sum(0);
  for (std::size_t i = 0; i < b_.size(); ++i) sum += b_[i] * jet_->lagrangian()[i];
  return step_ * sum;
}

// Differentiates every stage: D k_i = A(y_i) (D y_0 + h Σ_j a_ij D k_j).
template <class S>
matrix<S> runge_kutta_step<S>::tangent_map(const phase_state<S>& state) {
  if (!enter(state)) return {};
  y_index_ = 0;
  const std::size_t size = size_, stages = b_.size();
  std::vector<matrix<S>> slope(stages, matrix<S>(size, size));
  matrix<S> start = matrix<S>::identity(size), A(size, size);
  const std::vector<S> q(y_.value.begin(), y_.value.begin() + static_cast<long>(n_));
  std::vector<S> v(y_.value.begin() + static_cast<long>(n_), y_.value.end());
  if (velocity_state_ && !legendre_.velocity_jacobian(state.time, q, v, start)) return {};
  matrix<S> end = start;
  for (std::size_t i = 0; i < stages; ++i) {
    matrix<S> argument = start;
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t m = 0; m < size * size; ++m) argument.data()[m] += step_ * a_(i, j) * slope[j].data()[m];
    }
    if (!stage(i, state.time) || !field_->jacobian(state.time + c_[i] * step_, argument_, A)) return {};
    slope[i] = A * argument;
    for (std::size_t m = 0; m < size * size; ++m) end.data()[m] += step_ * b_[i] * slope[i].data()[m];
  }
  if (!velocity_state_) return end;
  std::vector<S> q1(n_), v1(n_);
  for (std::size_t m = 0; m < size; ++m) {
    S sum = y_.value[m];
    for (std::size_t i = 0; i < stages; ++i) sum += step_ * b_[i] * k_[i][m];
    (m < n_ ? q1[m] : v1[m - n_]) = sum;
  }
  matrix<S> to_momentum(size, size);
  if (!legendre_.momentum_jacobian(state.time + step_, q1, v1, to_momentum)) return {};
  return to_momentum * end;
}

template <class S>
void runge_kutta_step<S>::remember(step_memory<S>& memory) {
  memory.count(y_index_, most_steps_counted);
  if (!velocity_state_) return;
  memory.numbers(y_.value);
  memory.numbers(y_.remainder);
}

#define ACTIO_INSTANTIATE(S) template class runge_kutta_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
