#include "actio/integrate/step_action.hpp"

#include <fmt/format.h>

namespace actio {

template <class S>
step_action<S>::step_action(const method& m, const phase_space<S>& space, const step_workspace<S>& workspace,
                            const S& step)
    : step_(step), point_(space.size(), S(0)) {
  if (workspace.has_action()) return;
  if (!m.scheme) {
    throw input_error("no-discrete-action",
                      fmt::format("no discrete action is known of method '{}', and so no shadow energy", m.name), {},
                      "choose a variational method such as simpson, verlet or gauss-4, or rk4");
  }
  tableau_ = make_tableau<S>(*m.scheme);
  jet_.emplace(space.jet().at(tableau_->points, space.parameters()));
  z_.assign(tableau_->degree, std::vector<S>(space.size(), S(0)));
}

// The ends are those of the states, so that consecutive steps meet. An error of the control points between them hardly
// matters: L_d is stationary there.
template <class S>
void step_action<S>::load_path(step_workspace<S>& workspace, const phase_state<S>& before,
                               const phase_state<S>& after) {
  const galerkin_tableau<S>& T = *tableau_;
  const std::size_t n = point_.size();
  for (std::size_t k = 1; k < T.degree; ++k) {
    workspace.interpolate(T.control[k], point_);
    for (std::size_t a = 0; a < n; ++a) z_[k - 1][a] = point_[a] - before.position[a];
  }
  for (std::size_t a = 0; a < n; ++a) z_.back()[a] = after.position.beyond(before.position, a);
  for (std::size_t i = 0; i < T.points; ++i) {
    jet_->time()[i] = before.time + T.node[i] * step_;
    for (std::size_t a = 0; a < n; ++a) {
      S moved(0), slope(0);
      for (std::size_t k = 1; k <= T.degree; ++k) {
        moved += T.value.head(i, k) * z_[k - 1][a];
        slope += T.slope.head(i, k) * z_[k - 1][a];
      }
      jet_->position(a)[i] = before.position[a] + moved;
      jet_->velocity(a)[i] = slope / step_;
    }
  }
}

template <class S>
S step_action<S>::of(step_workspace<S>& workspace, const phase_state<S>& before, const phase_state<S>& after) {
  if (!tableau_) return workspace.action(before);
  load_path(workspace, before, after);
  jet_->evaluate_value();
  S sum(0);
  for (std::size_t i = 0; i < tableau_->points; ++i) sum += tableau_->weight[i] * jet_->lagrangian()[i];
  return step_ * sum;
}

#define ACTIO_INSTANTIATE(S) template class step_action<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
