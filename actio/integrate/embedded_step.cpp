#include "actio/integrate/embedded_step.hpp"

namespace actio {

template <class S>
embedded_step<S>::embedded_step(const galerkin_scheme& scheme, const embedding& surface, const step_context<S>& context)
    : base(make_tableau<S>(scheme), context, surface), momentum_(n_, S(0)) {}

template <class S>
step_status embedded_step<S>::advance(phase_state<S>& state) {
  const step_status status = branch_.judged(status_of(this->solve(state)), state, step_);
  if (!status) return status;
  branch_.start(state);
  const std::size_t last = x_.size() - n_;
  action_.evaluate(x_, false);
  action_.right_momentum(momentum_);
  this->work_ = action_.work();
  for (std::size_t i = 0; i < n_; ++i) {
    this->left_[i] = state.position[i];
    this->weights_[i] = to_double(action_.weight(i));
    state.position.add(i, x_[last + i]);
    state.momentum.add(i, momentum_[i] - state.momentum[i] - state.momentum.remainder[i]);
  }
  state.step_on(step_);
  if (!branch_.finish(state)) return {step_code::mass_singular, status.iterations, status.update};
  this->predictor_.record(x_, this->weights_);
  return status;
}

template <class S>
matrix<S> embedded_step<S>::tangent_map(const phase_state<S>& state) {
  const std::vector<S> kept = x_;
  matrix<S> result;
  if (this->solve(state).outcome == newton_outcome::converged) {
    action_.evaluate(x_, true);
    result = action_.tangent();
  }
  x_ = kept;
  return result;
}

method intrinsic_method(const method& m, embedding surface, const source_place& place) {
  if (!m.scheme || !m.holds_constraints) {
    throw input_error("method-refuses-charts",
                      "method '" + m.name + "' cannot discretise in the ambient space of a chart", place,
                      "choose midpoint, verlet, simpson or another Lobatto method, or leave @formulation out");
  }
  const auto space = std::make_shared<const embedding>(std::move(surface));
  method intrinsic = m;
  intrinsic.text = {};
  return with_factory(std::move(intrinsic), [scheme = *m.scheme, space]<class S>(const step_context<S>& context) {
    return std::unique_ptr<step_workspace<S>>(std::make_unique<embedded_step<S>>(scheme, *space, context));
  });
}

#define ACTIO_INSTANTIATE(S) template class embedded_step<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
