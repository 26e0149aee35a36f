#include "actio/simulate/failure_reason.hpp"

#include <fmt/format.h>

#include <limits>
#include <span>

#include "actio/expr/branches.hpp"
#include "actio/expr/derivative.hpp"
#include "actio/expr/written_form.hpp"
#include "actio/mechanics/state_function.hpp"
#include "actio/mechanics/switching.hpp"
#include "actio/simulate/constraint_start.hpp"

namespace actio {

namespace {

// Rows of ∂g/∂q nearer to one another than this make equations that were regular before singular.
constexpr double nearly_dependent = 1e-3;

// Whether momenta may jump with a velocity: L has |v| in it.
bool has_kinks_in_velocities(const lagrangian_system& system) {
  const std::vector<expr> velocities = system.velocities();
  return !with_free_signs(gradient(system.lagrangian, velocities), velocities).jumps.empty();
}

}  // namespace

template <class S>
std::string held_at(const phase_space<S>& space, const phase_state<S>& state) {
  using std::abs;
  constexpr double nearly = 1e-6;
  const lagrangian_system& system = space.system();
  phase_point<S> point(space);
  if (!point.measure(state.time, state.position.value, state.momentum.value, state.velocity)) return "";
  for (const switching_value& kink : switching_values(system)) {
    if (!depends_on_any(kink.value, system.is_first_order() ? system.coordinates : system.velocities())) continue;
    state_function<S> value(space, std::span(&kink.value, 1));
    value.evaluate(state.time, state.position.value, point.velocity(), state.momentum.value);
    if (is_finite(value[0]) && abs(value[0]) <= S(nearly)) return kink.text;
  }
  return "";
}

std::string sticking_reason(double time, const std::string& kink) {
  return fmt::format(
      "the motion sticks at t = {:.9g}: where {} the forces jump and drive it back from both sides, and no step leads "
      "on from there",
      time, kink);
}

template <class S>
std::string failure_reason(step_code code, const phase_state<S>& state, const step_status& status,
                           const phase_space<S>& space) {
  const lagrangian_system& system = space.system();
  const std::size_t step = state.index + 1;
  const double time = to_double(state.time);
  const std::string where = fmt::format("step {} at t = {:.6g}", step, time);
  const bool has_lagrangian = system.has_lagrangian();
  switch (code) {
    case step_code::no_convergence:
      if (const std::string held = held_at(space, state); !held.empty()) {
        return sticking_reason(time, held);
      }
      return fmt::format("{} {} (the last update was {:.1e} of the step after {} iterations)", where,
                         system.is_constrained() ? "could not reach the constraints" : "could not be solved",
                         status.update, status.iterations);
    case step_code::singular: {
      const bool by_constraints =
          system.is_constrained() &&
          constraint_start<S>(space, state.time).are_nearly_dependent(state.position.value, S(nearly_dependent));
      return fmt::format("{} has singular equations{}", where,
                         by_constraints ? ": the constraints depend on one another near there" : "");
    }
    case step_code::left_domain: {
      std::string signals;
      for (const switching_times& s : switching_times_of(system)) {
        signals += fmt::format("; the signal '{}' is known from {} to {}", s.signal,
                               to_brief(from_rational<double>(s.times.front()), 8),
                               to_brief(from_rational<double>(s.times.back()), 8));
      }
      return fmt::format("{} leaves the domain of the {} (a value there is not finite{})", where,
                         has_lagrangian            ? "Lagrangian"
                         : system.is_hamiltonian() ? "Hamiltonian"
                                                   : "equations",
                         signals);
    }
    case step_code::too_long:
      return fmt::format("{} is too long for the method: its equations have no solution that the state leads to",
                         where);
    case step_code::mass_singular:
      return fmt::format("{}: {}, and no motion goes on from this state", where,
                         has_kinks_in_velocities(system)
                             ? "the Lagrangian has a kink in a velocity there, or a singular mass matrix"
                             : "the mass matrix, the second derivatives of the Lagrangian by the velocities, becomes "
                               "singular there");
    case step_code::ok: break;
  }
  return "";
}

template <class S>
std::string vanishing_scale(const phase_space<S>& space, const phase_state<S>& first, const phase_state<S>& last) {
  constexpr double vanishing = 1e-3;  // of what it was at the start
  const lagrangian_system& system = space.system();
  if (!system.time_scale) return "";
  state_function<S> scale(space, std::span(&system.time_scale->value, 1));
  phase_point<S> point(space);
  const auto at = [&](const phase_state<S>& state) {
    if (!point.measure(state.time, state.position.value, state.momentum.value, state.velocity)) {
      return S(std::numeric_limits<double>::quiet_NaN());
    }
    scale.evaluate(state.time, state.position.value, point.velocity(), state.momentum.value);
    return scale[0];
  };
  const S begin = at(first), end = at(last);
  if (!is_finite(begin) || (is_finite(end) && end > S(vanishing) * begin)) return "";
  return fmt::format("the scale of time, {} at the start, is {} at t = {:.6g} and comes to zero near there",
                     to_brief(begin, 3), is_finite(end) ? to_brief(end, 3) : "not finite", to_double(last.time));
}

#define ACTIO_INSTANTIATE(S)                                                                                    \
  template std::string held_at<S>(const phase_space<S>&, const phase_state<S>&);                                \
  template std::string vanishing_scale<S>(const phase_space<S>&, const phase_state<S>&, const phase_state<S>&); \
  template std::string failure_reason<S>(step_code, const phase_state<S>&, const step_status&, const phase_space<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
