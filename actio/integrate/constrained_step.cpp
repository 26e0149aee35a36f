#include "actio/integrate/constrained_step.hpp"

#include <algorithm>

namespace actio {

template <class S>
constrained_step<S>::constrained_step(const galerkin_scheme& scheme, const step_context<S>& context)
    : base(make_tableau<S>(scheme), context),
      end_weights_(lobatto_rule<S>(scheme.degree + 1).weights),
      end_slopes_(lagrange_basis<S>(this->control_, S(1)).slope),
      right_(left_),
      right_momentum_(left_),
      increment_(left_),
      multipliers_((tableau_.degree + 1) * context.space.constraint_count(), S(0)) {}

template <class S>
constrained_action<S>& constrained_step<S>::path_action() {
  if (!on_path_) on_path_ = std::make_unique<constrained_action<S>>(tableau_, this->space(), step_);
  return *on_path_;
}

template <class S>
bool constrained_step<S>::close(const phase_state<S>& state) {
  const std::size_t last = action_.increments() - n_;
  action_.momentum_increment(x_, increment_);
  for (std::size_t a = 0; a < n_; ++a) {
    right_[a] = state.position[a] + (state.position.remainder[a] + x_[last + a]);
    right_momentum_[a] = state.momentum[a] + (state.momentum.remainder[a] + increment_[a]);
  }
  const S time = state.time_after(step_);
  if (!this->space().has_one_branch()) {
    return legendre_.velocity_at(time, right_, right_momentum_, velocity_, state.velocity);
  }
  for (std::size_t a = 0; a < n_; ++a) {  // that of the path, which is near
    S sum(0);
    for (std::size_t k = 1; k <= tableau_.degree; ++k) sum += end_slopes_[k] * x_[(k - 1) * n_ + a];
    velocity_[a] = sum / step_;
  }
  return legendre_.velocity_at(time, right_, right_momentum_, velocity_, velocity_);
}

template <class S>
step_status constrained_step<S>::advance(phase_state<S>& state) {
  const newton_result found = this->solve(state);
  step_status status = status_of(found);
  if (!status) return status;
  action_.settle(x_, found.update);
  if (!close(state)) {
    status.code = legendre_.branch_ended() ? step_code::mass_singular : step_code::singular;
    return status;
  }
  if (!this->space().has_one_branch()) std::copy(velocity_.begin(), velocity_.end(), state.velocity.begin());
  const std::size_t m = this->space().constraint_count(), s = tableau_.degree, last = (s - 1) * n_;
  for (std::size_t a = 0; a < n_; ++a) {
    left_[a] = state.position[a];
    this->weights_[a] = to_double(action_.weight(a));
    state.position.add(a, x_[last + a]);
    state.momentum.add(a, increment_[a] - legendre_.normal_momentum()[a]);
  }
  S& work = this->work_ = action_.work(x_);
  for (std::size_t c = 0; c < m; ++c) {
    for (std::size_t k = 0; k < s; ++k) {
      multipliers_[k * m + c] = x_[action_.increments() + k * m + c] / (step_ * step_ * end_weights_[k]);
    }
    const S& impulse = legendre_.normal_multipliers()[c];
    multipliers_[s * m + c] = -impulse / (step_ * end_weights_[s]);
    if (this->space().constraints()->depends_on_time()) work += impulse * legendre_.constraint_rate(c);
  }
  predictor_.record(x_, this->weights_);
  state.step_on(step_);
  return status;
}

template <class S>
void constrained_step<S>::remember(step_memory<S>& memory) {
  memory.numbers(std::span<S>(x_).subspan(action_.increments()));
  predictor_.remember(memory);
}

// p_0 stands in the rows of k = 0, times h. The projection P(q_1, v) + Aᵀν = p⁻, A v + g_t = 0 is differentiated
// likewise, and p_1 = p⁻ − Aᵀν.
template <class S>
matrix<S> constrained_step<S>::tangent_map(const phase_state<S>& state) {
  const std::vector<S> kept = x_;
  const bool solved = this->solve(state).outcome == newton_outcome::converged;
  const std::size_t last = action_.increments() - n_;
  saddle_point_solver<S> K = action_.equations();
  matrix<S> result;
  if (solved) {
    action_.linearise(x_);
    action_.jacobian(K);
  }
  if (solved && K.factorise()) {
    const matrix<S> to_right = this->derivative(
        K, [&](std::size_t j, std::size_t a) { return j == a ? S(-step_) : S(0); },
        [&](const S& dq, const std::vector<S>& dx, std::size_t a) { return S(dx[last + a] + dq); });
    if (close(state)) result = legendre_.projection_jacobian();
    if (result.rows() > 0) result = result * to_right;
  }
  x_ = kept;
  return result;
}

#define ACTIO_INSTANTIATE(S) template class constrained_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
