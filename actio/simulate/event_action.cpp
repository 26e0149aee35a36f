#include "actio/simulate/event_action.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace actio {

bool changes_motion(std::span<const model_event> events) {
  return std::ranges::any_of(events, [](const model_event& e) { return !e.set.empty(); });
}

void require_still_constraints(const lagrangian_system& system, std::span<const std::size_t> parameters) {
  for (const named_expr& g : system.constraints) {
    for (const std::size_t k : parameters) {
      if (!depends_on(g.value, expr::symbol(system.parameters[k].name))) continue;
      throw input_error("parameters-unsuited",
                        fmt::format("'{}' changes on the way, the constraint '{}' depends on it, and the work of a "
                                    "constraint that moves so is not known",
                                    system.parameters[k].name, g.name),
                        g.place, "write the constraint as a function of t");
    }
  }
}

template <class S>
event_actions<S>::event_actions(const phase_space<S>& space, std::span<const model_event> events) : events_(events) {
  std::vector<std::size_t> changed;
  for (const model_event& event : events) {
    std::vector<expr> values;
    for (const assigned_value& a : event.set) {
      values.push_back(a.value);
      if (a.kind == assigned_kind::parameter) changed.push_back(a.index);
    }
    values_.push_back(values.empty() ? nullptr : std::make_unique<state_function<S>>(space, values));
  }
  require_still_constraints(space.system(), changed);
}

template <class S>
std::string event_actions<S>::carry_out(std::size_t event, step_workspace<S>& workspace, phase_point<S>& point,
                                        phase_state<S>& state) {
  state_function<S>& values = *values_[event];
  std::vector<S> parameters = workspace.space().parameters().values();
  std::vector<S> position = state.position.value, momentum = state.momentum.value;
  std::vector<S> velocity(point.velocity().begin(), point.velocity().end());
  bool sets_velocities = false;
  values.evaluate(state.time, position, velocity, momentum);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const assigned_value& to = events_[event].set[k];
    if (!is_finite(values[k])) return "a value is not finite";
    sets_velocities = sets_velocities || to.kind == assigned_kind::velocity;
    switch (to.kind) {
      case assigned_kind::parameter: parameters[to.index] = values[k]; break;
      case assigned_kind::position: position[to.index] = values[k]; break;
      case assigned_kind::velocity: velocity[to.index] = values[k]; break;
      case assigned_kind::momentum: momentum[to.index] = values[k]; break;
    }
  }
  try {
    if (!std::ranges::equal(parameters, workspace.space().parameters())) workspace.set_parameters(parameters);
  } catch (const input_error& error) {
    return error.message();
  }
  if (sets_velocities && !point.momentum_of(state.time, position, velocity, momentum)) {
    return "the Lagrangian is not finite there";
  }
  if (workspace.space().constraints() != nullptr) {
    if (!point.velocity_at(state.time, position, momentum, velocity, state.velocity))
      return "no velocity belongs to it";
    for (std::size_t i = 0; i < momentum.size(); ++i) momentum[i] -= point.normal_momentum()[i];
  }
  if (!state.velocity.empty()) state.velocity = velocity;
  state.position = compensated_vector<S>(std::move(position));
  state.momentum = compensated_vector<S>(std::move(momentum));
  return "";
}

#define ACTIO_INSTANTIATE(S) template class event_actions<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
