#include "actio/simulate/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actio/integrate/galerkin_step.hpp"
#include "actio/integrate/paced_step.hpp"
#include "actio/integrate/stability.hpp"
#include "actio/integrate/transformed_step.hpp"
#include "actio/mechanics/element_families.hpp"
#include "actio/mechanics/recursions.hpp"
#include "actio/simulate/constraint_start.hpp"
#include "actio/simulate/fastest_oscillation.hpp"
#include "actio/simulate/step_guard.hpp"
#include "actio/simulate/two_point_start.hpp"

namespace actio {

namespace {

template <class S>
void require_step(const S& step, bool may_be_found = false) {
  if (is_finite(step) && (step != S(0) || may_be_found)) return;
  throw input_error("bad-step", fmt::format("the step is {}, but it must be a number other than 0", to_brief(step, 6)),
                    {}, "give a step such as @step=0.01");
}

template <class S>
std::string listing(const std::vector<std::string>& names, const std::vector<S>& values) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 6; ++i) {
    text += fmt::format("{}{} = {}", i ? ", " : "", names[i], to_brief(values[i], 6));
  }
  return names.size() > 6 ? text + ", …" : text;
}

template <class Value>
lagrangian_system with_values(const lagrangian_system& system, Value&& value_of) {
  lagrangian_system other = system;
  for (std::size_t k = 0; k < other.parameters.size(); ++k) other.parameters[k].value = expr(rational(value_of(k)));
  return other;
}

// A method may be for a system because of the values that its parameters have: a coupling times zero. Where it is for
// one with values that have nothing to do with one another, it is for all.
bool suits_with_any(const system_code& code, const method& m) {
  if (!m.require) return true;
  return *code.piece<bool>("suits with any parameters: " + m.name, [&] {
    return suits(m, with_values(code.system(), [](std::size_t k) {
                   return 0.5 + std::fmod(0.6180339887 * static_cast<double>(k + 1), 1.0);
                 }));
  });
}

// Throws what the method requires of the system with these values of its parameters.
template <class S>
void require_suited_with(const system_code& code, const method& m, std::span<const S> values) {
  if (suits_with_any(code, m)) return;
  require_suited(m, with_values(code.system(), [&](std::size_t k) { return to_double(values[k]); }));
}

// Of a linear system that is made of elements.
template <class S>
std::optional<step_limit> exceeded_by_elements(const phase_space<S>& space, const method& m, double step) {
  if (!is_made_of_elements(space.system())) return {};
  const auto is_fine = [&](double bound) { return !exceeded_limit(bound, m, step); };
  const std::optional<fastest_oscillation> fastest = fastest_oscillation_of(space, is_fine);
  return fastest ? exceeded_limit(fastest->frequency, m, step) : std::nullopt;
}

}  // namespace

template <class S>
integrator<S>::integrator(const lagrangian_system& system, const integrator_options<S>& options)
    : method_(&method_named({options.method, {}, "method"})), options_(options) {
  require_step(options.step, chooses_steps());
  const bool needs_momenta = method_->traits.symplectic || method_->traits.conserves_energy || method_->chooses_steps;
  if (options.velocity_state && needs_momenta) {
    throw input_error("conflicting-options",
                      fmt::format("method '{}' is defined on momenta; it cannot integrate velocities", method_->name),
                      {}, "leave @state out, or choose @method=rk4");
  }
  if (options.velocity_state && !system.has_lagrangian()) {
    throw input_error("needs-lagrangian",
                      system.is_hamiltonian()
                          ? "a Hamiltonian gives equations for positions and momenta, not for velocities"
                          : "equations y' = f(t, y) have no velocities to integrate beside the positions",
                      {}, "leave @state out");
  }
  method_->template require_precision<S>();
  lagrangian_system written_out;
  const bool can_keep = method_->scheme || (method_->asks_for_field && !options.velocity_state);
  const bool keeps = !system.recursions || (can_keep && is_made_of_elements(system));
  if (!keeps) write_out_recursions(written_out = system);
  const lagrangian_system& moved = keeps ? system : written_out;
  require_suited(*method_, moved);
  validate_once(moved);
  space_ = std::make_shared<const phase_space<S>>(moved, parameter_values<S>(moved));
  look_at_matrices();
  refuse_unstable();
}

template <class S>
void integrator<S>::look_at_matrices() {
  linear_.reset();
  guard_.reset();
  if (auto linear = linear_system_of(*space_)) {
    linear_ = std::make_shared<const linear_system<S>>(std::move(*linear));
    return;
  }
  std::vector<double> parameters;
  for (const S& p : space_->parameters()) parameters.push_back(to_double(p));
  if (auto matrices = oscillation_matrices_of(*space_->code(), parameters)) {
    guard_ = std::make_shared<const step_guard>(std::move(*matrices), space_->system(), std::move(parameters));
  }
}

template <class S>
integrator<S> integrator<S>::with_parameters(std::span<const S> values) const {
  require_parameters<S>(space_->system(), values);
  require_suited_with<S>(*space_->code(), *method_, values);
  integrator other = *this;
  other.space_ = std::make_shared<const phase_space<S>>(space_->with_parameters(values));
  other.look_at_matrices();
  other.refuse_unstable();
  return other;
}

template <class S>
integrator<S> integrator<S>::with_step(const S& step) const {
  require_step(step);
  integrator other = *this;
  other.options_.step = step;
  other.options_.step_place = {};
  other.refuse_unstable();
  return other;
}

template <class S>
integrator<S> integrator<S>::with_method(const actio::method& method, const S& step) const {
  require_step(step);
  method.template require_precision<S>();
  require_suited(method, space_->system());
  integrator other = *this;
  other.method_ = &method;
  other.options_.method = method.name;
  other.options_.step = step;
  other.refuse_unstable();
  return other;
}

template <class S>
integrator<S> integrator<S>::with_accuracy(double accuracy) const {
  integrator other = *this;
  other.options_.accuracy = accuracy;
  return other;
}

template <class S>
integrator<S> integrator<S>::with_steps(step_maker<S> maker) const {
  integrator other = *this;
  other.maker_ = std::move(maker);
  return other;
}

template <class S>
void integrator<S>::refuse_unstable() const {
  if (options_.allow_unstable || chooses_steps()) return;
  using std::abs;
  const S step = abs(options_.step);
  std::optional<step_limit> limit;
  if (linear_) limit = exceeded_limit(*linear_, *method_, step);
  else if (guard_) limit = guard_->exceeded(*method_, to_double(step));
  else limit = exceeded_by_elements(*space_, *method_, to_double(step));
  if (!limit) return;
  const std::string why =
      limit->frequency == 0
          ? "oscillations grow with such steps that do not grow by themselves"
          : fmt::format("an oscillation has omega = {:.6g}, and omega*h = {:.6g} is not {}", limit->frequency,
                        limit->frequency * to_double(step),
                        linear_ ? fmt::format("where the method is stable, {}", interval_text(*method_))
                                : fmt::format("below the method's limit {:.9g}", limit->stability));
  throw input_error("unstable-step",
                    fmt::format("the step {} is too long for method '{}': {}", to_brief(step, 6), method_->name, why),
                    options_.step_place,
                    fmt::format("give @step={} or less, or let it grow with @allow-unstable", limit->longest_step));
}

template <class S>
void integrator<S>::refuse_degenerate(const std::vector<S>& position, const std::vector<S>& velocity) const {
  phase_point<S> point(*space_);
  const S ratio = point.mass_pivot_ratio(options_.start, position, velocity);
  if (ratio > S(16) * epsilon<S>()) return;
  if (space_->constraints() != nullptr) constraint_start<S>(*space_, options_.start).require_distinct(position);
  const auto names = space_->system().coordinate_names();
  throw input_error(
      "degenerate-lagrangian",
      fmt::format("the matrix of second derivatives of the Lagrangian by the velocities is singular at the "
                  "initial state ({})",
                  listing(names, position)),
      space_->system().lagrangian_place,
      "every velocity needs its own kinetic energy there: choose other coordinates or another start");
}

template <class S>
void integrator<S>::require_sizes(std::size_t positions, std::size_t momenta) const {
  const std::size_t n = space_->size();
  if (positions == n && momenta == space_->momentum_size()) return;
  throw input_error(
      "missing-initial-value",
      fmt::format("the system has {} coordinates, but {} positions and {} momenta were given", n, positions, momenta),
      {},
      space_->has_energy() ? "give one position and one momentum for each coordinate"
                           : "give one position for each coordinate and no momenta");
}

template <class S>
void integrator<S>::place(std::vector<S>& position, const S& time, const std::string& what,
                          start_projection<S>& moved) const {
  constraint_start<S> constraints(*space_, time);
  constraints.require_independent(position);
  if (options_.project) moved.position = std::max<S>(moved.position, constraints.project_position(position, what));
  else constraints.require_position(position, what);
}

template <class S>
phase_state<S> integrator<S>::at_momentum(std::vector<S> position, std::vector<S> momentum,
                                          start_projection<S>* moved) const {
  return at_momentum_near(std::move(position), std::move(momentum), {}, moved);
}

template <class S>
phase_state<S> integrator<S>::at_momentum_near(std::vector<S> position, std::vector<S> momentum,
                                               std::span<const S> near, start_projection<S>* moved) const {
  require_sizes(position.size(), momentum.size());
  if (!space_->has_energy()) return at_position(std::move(position));
  if (space_->constraints() != nullptr) {
    start_projection<S> unseen, &seen = moved != nullptr ? *moved : unseen;
    place(position, options_.start, "initial position", seen);
    constraint_start<S> constraints(*space_, options_.start);
    if (options_.project) {
      seen.momentum = std::max<S>(seen.momentum, constraints.project_momentum(position, momentum, near));
    } else {
      constraints.require_momentum(position, momentum, near);
    }
  }
  const std::size_t n = space_->size();
  phase_point<S> point(*space_);
  if (!point.measure(options_.start, position, momentum, near)) {
    refuse_degenerate(position, near.empty() ? std::vector<S>(n, S(0)) : std::vector<S>(near.begin(), near.end()));
    throw input_error("non-finite-start",
                      fmt::format("{} is not finite at the initial state ({})",
                                  space_->has_jet() ? "no velocity belongs to the initial momentum, or the Lagrangian"
                                                    : "the Hamiltonian or a derivative of it",
                                  listing(space_->system().coordinate_names(), position)),
                      space_->system().lagrangian_place,
                      fmt::format("choose an initial state inside the domain of the {}",
                                  space_->has_jet() ? "Lagrangian" : "Hamiltonian"));
  }
  refuse_degenerate(position, {point.velocity().begin(), point.velocity().end()});
  phase_state<S> state;
  state.begin_at(options_.start);
  state.position = compensated_vector<S>(std::move(position));
  state.momentum = compensated_vector<S>(std::move(momentum));
  if (!space_->has_one_branch()) state.velocity.assign(point.velocity().begin(), point.velocity().end());
  return state;
}

template <class S>
phase_state<S> integrator<S>::at_velocity(std::vector<S> position, const std::vector<S>& velocity,
                                          start_projection<S>* moved) const {
  require_sizes(position.size(), velocity.size());
  if (!space_->has_energy()) return at_position(std::move(position));
  start_projection<S> unseen, &seen = moved != nullptr ? *moved : unseen;
  if (space_->constraints() != nullptr) {
    place(position, options_.start, "initial position", seen);
    if (!options_.project) constraint_start<S>(*space_, options_.start).require_velocity(position, velocity);
  }
  phase_point<S> point(*space_);
  std::vector<S> momentum(velocity.size(), S(0));
  if (!point.momentum_of(options_.start, position, velocity, momentum)) {
    if (!space_->has_jet()) {
      throw input_error("no-initial-momentum",
                        fmt::format("no momentum is found that belongs to the initial velocity: q' = dH/dp is not "
                                    "solved for p at the initial state ({})",
                                    listing(space_->system().coordinate_names(), position)),
                        space_->system().lagrangian_place, "give [initial.momentum] in the place of the velocity");
    }
    throw input_error("non-finite-start",
                      fmt::format("the Lagrangian is not finite at the initial state ({})",
                                  listing(space_->system().coordinate_names(), position)),
                      space_->system().lagrangian_place, "choose an initial state inside the domain of the Lagrangian");
  }
  return at_momentum_near(std::move(position), std::move(momentum), velocity, &seen);
}

template <class S>
phase_state<S> integrator<S>::at_positions(std::vector<S> position, std::vector<S> next,
                                           start_projection<S>* moved) const {
  require_sizes(position.size(), next.size());
  start_projection<S> unseen, &seen = moved != nullptr ? *moved : unseen;
  if (space_->constraints() != nullptr) {
    place(position, options_.start, "initial position", seen);
    place(next, S(options_.start + options_.step), "position after the first step", seen);
  }
  phase_point<S> point(*space_);
  std::vector<S> velocity(next.size()), momentum(next.size());
  for (std::size_t i = 0; i < next.size(); ++i) velocity[i] = (next[i] - position[i]) / options_.step;
  std::optional<std::vector<S>> found;
  if (point.momentum_of(options_.start, position, velocity, momentum)) {
    if (space_->constraints() != nullptr)
      constraint_start<S>(*space_, options_.start).project_momentum(position, momentum, velocity);
    found =
        momentum_between<S>(*space_, *make_workspace(), options_.start, position, next, std::move(momentum), velocity);
  }
  if (!found) {
    throw input_error(
        "unreachable-next",
        fmt::format("no step of length {} of method '{}' leads from the initial position to that of "
                    "[initial.next] ({})",
                    to_brief(options_.step, 6), method_->name, listing(space_->system().coordinate_names(), next)),
        {}, "give the position that follows after one step of the run, or give [initial.velocity]");
  }
  return at_momentum_near(std::move(position), std::move(*found), velocity, &seen);
}

template <class S>
phase_state<S> integrator<S>::at_position(std::vector<S> position) const {
  require_sizes(position.size(), 0);
  phase_point<S> point(*space_);
  if (!point.measure(options_.start, position, {})) {
    throw input_error("non-finite-start",
                      fmt::format("the right-hand sides of the equations are not finite at the initial state ({})",
                                  listing(space_->system().coordinate_names(), position)),
                      space_->system().lagrangian_place, "choose an initial state inside the domain of the equations");
  }
  phase_state<S> state;
  state.begin_at(options_.start);
  state.position = compensated_vector<S>(std::move(position));
  return state;
}

template <class S>
phase_state<S> integrator<S>::at_start(const model& m, start_projection<S>* moved) const {
  std::vector<S> position = m.initial.position.values<S>(m.system);
  if (m.system.is_first_order()) return at_position(std::move(position));
  std::vector<S> rates = m.initial.rates.values<S>(m.system);
  switch (m.initial.rate) {
    case rate_kind::velocity: return at_velocity(std::move(position), rates, moved);
    case rate_kind::next: return at_positions(std::move(position), std::move(rates), moved);
    case rate_kind::momentum: break;
  }
  return at_momentum(std::move(position), std::move(rates), moved);
}

template <class S>
std::unique_ptr<step_workspace<S>> integrator<S>::make_workspace() const {
  const phase_space<S> space = space_->with_parameters(space_->parameters().copy());
  if (!space.system().time_scale) return make_workspace(space, options_.step);
  const step_context<S> context{space, options_.step};
  const auto& scheme = method_->scheme;
  std::unique_ptr<step_workspace<S>> workspace;
  if (is_transformed(*method_, space.system())) {
    workspace = std::make_unique<transformed_step<S>>(*method_, context);
  } else if (scheme && space.has_jet() && space.constraints() == nullptr) {
    workspace = make_paced<S>(std::make_unique<galerkin_step<S>>(*scheme, context), context);
  } else {
    workspace = make_paced<S>(make_workspace(space, options_.step), context);
  }
  workspace->remember_fresh();
  return workspace;
}

template <class S>
std::unique_ptr<step_workspace<S>> integrator<S>::make_workspace(const phase_space<S>& space, const S& step,
                                                                 bool once) const {
  step_context<S> context{space, step, options_.velocity_state, linear_.get(),
                          once ? first_guess::velocity : options_.guess};
  context.accuracy = options_.accuracy;
  context.suits = [code = space_->code(), m = method_,
                   always = std::optional<bool>()](std::span<const S> values) mutable {
    if (!always) always = suits_with_any(*code, *m);
    if (!*always) require_suited_with<S>(*code, *m, values);
  };
  auto workspace = maker_ ? maker_(context) : method_->make<S>(context);
  if (!workspace) {
    throw input_error("bad-method",
                      fmt::format("method '{}' makes no steps for '{}'", method_->name, space_->system().name), {},
                      "let its factory return a workspace, or its require refuse the system");
  }
  workspace->remember_fresh();
  return workspace;
}

#define ACTIO_INSTANTIATE(S) template class integrator<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
