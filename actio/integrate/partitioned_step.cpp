#include "actio/integrate/partitioned_step.hpp"

#include <algorithm>

namespace actio {

template <class S>
partitioned_step<S>::partitioned_step(std::size_t stages, const step_context<S>& context)
    : base(make_lobatto_pair<S>(stages), context), dq_(n_, S(0)), dp_(dq_) {}

template <class S>
S partitioned_step<S>::action(const phase_state<S>& before) {
  this->start(before);
  action_.evaluate(x_, false);
  return action_.value();
}

template <class S>
step_status partitioned_step<S>::advance(phase_state<S>& state) {
  const step_status status = branch_.judged(status_of(this->solve(state)), state, step_);
  if (!status) return status;
  action_.momentum_increment(dp_);
  action_.position_increment(x_, dq_);
  const S gained = action_.work();
  this->set_weights();
  branch_.start(state);
  const step_status ended{step_code::mass_singular, status.iterations, status.update};
  if (branch_.has_branches() && !this->stays_on_branch(state)) return ended;
  for (std::size_t a = 0; a < n_; ++a) {
    left_[a] = state.position[a];
    state.position.add(a, dq_[a]);
    state.momentum.add(a, dp_[a]);
  }
  state.step_on(step_);
  if (!branch_.finish(state, velocity_)) return ended;
  this->work_ = gained;
  this->predictor_.record(x_, this->weights_);
  return status;
}

template <class S>
void partitioned_step<S>::interpolate(const S& fraction, std::span<S> position) {
  std::ranges::copy(left_, position.begin());
  const std::vector<S> integral = basis_integrals<S>(tableau_.node, tableau_.weights.head.data(), fraction);
  for (std::size_t j = 0; j < integral.size(); ++j) {
    for (std::size_t a = 0; a < n_; ++a) position[a] += integral[j] * x_[j * n_ + a];
  }
}

// q_1 = q_0 + Σ b_i X_i, and p_0 stands with its negative in every stage.
template <class S>
matrix<S> partitioned_step<S>::tangent_map(const phase_state<S>& state) {
  const std::vector<S> kept = x_;
  const bool solved = this->solve(state).outcome == newton_outcome::converged;
  if (solved) action_.evaluate(x_, true);
  x_ = kept;
  matrix<S> J(x_.size(), x_.size());
  lu_factorisation<S> lu(x_.size());
  if (solved) action_.jacobian(J);
  if (!solved || !lu.factorise(J)) return {};
  return this->derivative(
      lu, [&](std::size_t j, std::size_t a) { return S(j % n_ == a ? 1 : 0); },
      [&](S dq, const std::vector<S>& dx, std::size_t a) {
        for (std::size_t i = 0; i < tableau_.stages; ++i) dq += tableau_.weights.head(0, i) * dx[i * n_ + a];
        return dq;
      });
}

#define ACTIO_INSTANTIATE(S) template class partitioned_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
