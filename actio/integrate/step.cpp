#include "actio/integrate/step.hpp"

#include <algorithm>

#include "actio/base/newton.hpp"

namespace actio {

std::string to_text(step_code code) {
  switch (code) {
    case step_code::ok: return "ok";
    case step_code::no_convergence: return "no-convergence";
    case step_code::singular: return "singular";
    case step_code::left_domain: return "left-domain";
    case step_code::too_long: return "step-too-long";
    case step_code::mass_singular: return "mass-singular";
  }
  return "";
}

step_status status_of(const newton_result& result) {
  const auto code = [&] {
    switch (result.outcome) {
      case newton_outcome::converged: return step_code::ok;
      case newton_outcome::stalled: return step_code::no_convergence;
      case newton_outcome::singular: return step_code::singular;
      case newton_outcome::elsewhere: return step_code::too_long;
      case newton_outcome::not_finite: break;
    }
    return step_code::left_domain;
  };
  return {code(), result.iterations, result.update};
}

template <class S>
void save(const phase_state<S>& state, snapshot& to) {
  to.put_text("state.index", std::to_string(state.index));
  to.put_text("state.count", std::to_string(state.count));
  to.put("state.time", std::vector<S>{state.time, state.origin, state.origin_remainder});
  to.put("state.position", state.position.value);
  to.put("state.position_remainder", state.position.remainder);
  to.put("state.momentum", state.momentum.value);
  to.put("state.momentum_remainder", state.momentum.remainder);
  if (!state.velocity.empty()) to.put("state.velocity", state.velocity);
}

template <class S>
void step_workspace<S>::set_parameters(std::span<const S> values) {
  require_parameters<S>(space_.system(), values);
  if (suits_) suits_(values);
  std::ranges::copy(space_.parameters(), before_.begin());
  shared_parameters<S> shared = space_.parameters();
  shared.assign(values);
  try {
    parameters_changed();
  } catch (const input_error&) {
    shared.assign(before_);
    parameters_changed();
    throw;
  }
}

static std::size_t count_in(const snapshot& from, const std::string& name) {
  const std::string& count = from.text(name);
  if (count.empty() || count.size() > 18 || count.find_first_not_of("0123456789") != std::string::npos) {
    throw snapshot_error("its step number is not a number");
  }
  return std::stoull(count);
}

template <class S>
phase_state<S> load_state(const snapshot& from, const phase_space<S>& space) {
  const std::size_t positions = space.size(), momenta = space.momentum_size();
  phase_state<S> state;
  state.index = count_in(from, "state.index");
  state.count = count_in(from, "state.count");
  const std::vector<S> time = from.get<S>("state.time", 3);
  state.time = time[0];
  state.origin = time[1];
  state.origin_remainder = time[2];
  state.position.value = from.get<S>("state.position", positions);
  state.position.remainder = from.get<S>("state.position_remainder", positions);
  state.momentum.value = from.get<S>("state.momentum", momenta);
  state.momentum.remainder = from.get<S>("state.momentum_remainder", momenta);
  if (!space.has_one_branch()) state.velocity = from.get<S>("state.velocity", positions);
  return state;
}

#define ACTIO_INSTANTIATE(S)                               \
  template class step_workspace<S>;                        \
  template void save<S>(const phase_state<S>&, snapshot&); \
  template phase_state<S> load_state<S>(const snapshot&, const phase_space<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
