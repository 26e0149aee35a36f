#include "actio/integrate/galerkin_step.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "actio/base/in_place.hpp"
#include "actio/mechanics/held_groups.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

template <class S>
matrix<S> polynomial_continuation(const galerkin_tableau<S>& tableau, const S& ratio) {
  const std::size_t s = tableau.degree;
  matrix<S> result(s, s);
  for (std::size_t k = 1; k <= s; ++k) {
    const basis_values<S> basis = lagrange_basis<S>(tableau.control, S(1) + ratio * tableau.control[k]);
    for (std::size_t l = 1; l <= s; ++l) result(k - 1, l - 1) = basis.value[l] - (l == s ? S(1) : S(0));
  }
  return result;
}

namespace {

// The unknowns of a coordinate stand together, and those of coordinates that are coupled to the same others. Nothing
// where unknowns are few, or coupled to a good part of all.
template <class S>
std::optional<saddle_point_solver<S>> sparse_solver(std::size_t degree, const phase_space<S>& space) {
  const std::size_t n = space.size();
  constexpr std::size_t fewest = 40;  // unknowns; below, a dense matrix is as fast
  if (degree * n < fewest || 4 * space.jet().entries().size() > n * n) return std::nullopt;
  saddle_point_solver<S> solver(held_groups(space, degree));
  return solver.is_sparse() ? std::optional(std::move(solver)) : std::nullopt;
}

}  // namespace

template <class S>
galerkin_step<S>::galerkin_step(const galerkin_scheme& scheme, const step_context<S>& context)
    : base(make_tableau<S>(scheme), context),
      newton_(std::in_place_index<0>, 0),
      guess_(x_),
      increment_(n_, S(0)),
      at_rest_(increment_) {
  if (context.space.jet().recursive() != nullptr) {
    newton_.template emplace<2>(action_.unknowns(), action_.equations_of_recursions());
    make_rough_solver(scheme, context);
    return;
  }
  if (auto sparse = sparse_solver<S>(tableau_.degree, context.space)) {
    newton_.template emplace<1>(action_.unknowns(), std::move(*sparse));
    return;
  }
  newton_.template emplace<0>(action_.unknowns());
  make_rough_solver(scheme, context);
}

template <class S>
void galerkin_step<S>::make_rough_solver(const galerkin_scheme& scheme, const step_context<S>& context) {
  if constexpr (!std::same_as<S, double>) {
    if (mixed_newton<S>::pays()) rough_ = std::make_unique<rough_solver>(scheme, context, action_.unknowns());
  }
}

template <class S>
galerkin_step<S>::rough_solver::rough_solver(const galerkin_scheme& scheme, const step_context<S>& context,
                                             std::size_t unknowns)
    : action(scheme, context.space, context.step),
      newton(std::in_place_index<0>, 0),
      momentum_change(context.space.size(), 0.0) {
  if (context.space.jet().recursive() != nullptr) {
    newton.template emplace<1>(unknowns, action.equations_of_recursions());
  } else {
    newton.template emplace<0>(unknowns);
  }
}

template <class S>
void galerkin_step<S>::set_guess(std::span<const S> z) {
  std::copy(z.begin(), z.end(), x_.begin());
  has_guess_ = true;
}

// The equations of the step with their Jacobian in double.
template <class S>
struct galerkin_step<S>::rough_problem {
  galerkin_action<S>& action;
  rough_action& rough;
  bool has_work;

  void evaluate(std::span<const S> z, bool with_jacobian) { action.evaluate(z, with_jacobian); }
  void residual(std::span<S> r) { action.residual(r); }
  template <class Matrix>
  bool rough_jacobian(std::span<const S> z, Matrix& J) {
    return rough.jacobian(z, J);
  }
  double rough_weight(std::size_t j) { return rough.weight(j); }
  bool needs_evaluation() const { return has_work; }  // work is that of the last evaluation
};

template <class S>
newton_result galerkin_step<S>::solve_roughly(const phase_state<S>& state) {
  rough_action& rough = rough_->action;
  rough.start<S>(state.time, state.position.value, state.momentum.value);
  rough_problem problem{action_, rough, legendre_.space().has_power()};
  return std::visit(
      [&](auto& newton) {
        const newton_result result = newton.solve(problem, x_);
        if (result.outcome != newton_outcome::converged) return result;
        action_.momentum_increment(increment_);
        if (problem.has_work) next_work_ = action_.work();
        std::vector<double>& change = rough_->momentum_change;
        rough.momentum_change(newton.last_update(), change);
        for (std::size_t a = 0; a < n_; ++a) {
          in_place::subtract_scaled(increment_[a], change[a], newton.update_exponent(), scratch_[0]);
          weights_[a] = rough.weight(a);
        }
        return result;
      },
      rough_->newton);
}

template <class S>
newton_result galerkin_step<S>::solve_from_guess(const phase_state<S>& state) {
  int tried = 0;
  if (rough_ && rough_->rest > 0) {
    --rough_->rest;
  } else if (rough_) {
    std::copy(x_.begin(), x_.end(), guess_.begin());
    const newton_result result = solve_roughly(state);
    if (result.outcome == newton_outcome::converged) return result;
    tried = result.iterations;
    rough_->rest = steps_of_rest;
    std::copy(guess_.begin(), guess_.end(), x_.begin());
  }
  newton_result result = found(std::visit([&](auto& solver) { return solver.solve(action_, x_); }, newton_));
  result.iterations += tried;
  return result;
}

// Takes over what belongs to the solution, if there is one.
template <class S>
newton_result galerkin_step<S>::found(const newton_result& result) {
  if (result.outcome != newton_outcome::converged) return result;
  action_.momentum_increment(increment_);
  if (legendre_.space().has_power()) next_work_ = action_.work();
  this->set_weights();
  return result;
}

// z := the solution that the state leads to.
template <class S>
bool galerkin_step<S>::follow_path(const phase_state<S>& state, std::span<S> z) {
  if (!this->velocity_of(state)) return false;
  const std::size_t unknowns = action_.unknowns();
  if (path_.index() == 0 && newton_.index() == 2) {
    path_.template emplace<3>(unknowns, unknowns, action_.equations_of_recursions());
  } else if (path_.index() == 0) {
    auto sparse = sparse_solver<S>(tableau_.degree, legendre_.space());
    if (sparse) path_.template emplace<2>(unknowns, unknowns, std::move(*sparse));
    else path_.template emplace<1>(unknowns, unknowns, dense_equations<S>(unknowns));
  }
  const auto start_with = [&](const S& length) {
    action_.set_step(length);
    this->start(state);
  };
  const auto find = [&](auto& path) {
    const bool found = path.find(action_, step_, tableau_.control, velocity_, start_with, z);
    is_nearly_linear_ = path.is_nearly_linear();
    return found;
  };
  switch (path_.index()) {
    case 1: return find(std::get<1>(path_));
    case 2: return find(std::get<2>(path_));
    default: return find(std::get<3>(path_));
  }
}

template <class S>
bool galerkin_step<S>::is_same(std::span<const S> a, std::span<const S> b) {
  action_.evaluate(a, false);  // weights are those of the last evaluation
  return is_same_solution<S>(a, b, [&](std::size_t j) { return action_.weight(j); });
}

// ½ v·(p − p at rest) where legendre_ measured last: that of a Lagrangian that is quadratic in the velocities.
template <class S>
S galerkin_step<S>::kinetic_energy() {
  using std::abs;
  S sum(0);
  std::fill(velocity_.begin(), velocity_.end(), S(0));
  const std::span<const S> v = legendre_.velocity();
  if (!legendre_.momentum_of(node_time_, node_position_, velocity_, at_rest_)) return S(0);
  for (std::size_t a = 0; a < v.size(); ++a) sum += v[a] * (node_momentum_[a] - at_rest_[a]);
  return abs(sum) / S(2);
}

// A path that bends may lead to a solution whose motion is none: equations over a step so long that their linearisation
// at its start says nothing of its end. There the energy of the state is lost too: it changes by more than half of the
// kinetic energy at the quieter end and of what moved between kinetic and potential energy. Straight paths, of order
// one or two, err by as much where they still follow the motion, and where it turns by what the force gives to a system
// at rest in the time of the step; only a multiple of these says that they do not. Where forces do work, friction may
// take all of the kinetic energy in one step, and nodes see that work roughly. What rounding of positions makes of the
// energy never counts.
template <class S>
bool galerkin_step<S>::keeps_energy(const phase_state<S>& state, std::span<const S> z) {
  using std::abs;
  const std::size_t n = n_, last = (tableau_.degree - 1) * n;
  action_.evaluate(z, false);
  action_.momentum_increment(node_velocity_);
  const S work = legendre_.space().has_power() ? action_.work() : S(0);
  const bool is_straight = tableau_.degree == 1, has_power = legendre_.space().has_power();
  S energy[2], kinetic[2], rounding(0);
  for (const int end : {0, 1}) {
    node_time_ = state.time + S(end) * step_;
    for (std::size_t a = 0; a < n; ++a) {
      node_position_[a] = state.position[a] + S(end) * z[last + a];
      node_momentum_[a] = state.momentum[a] + S(end) * node_velocity_[a];
    }
    if (!legendre_.measure(node_time_, node_position_, node_momentum_, state.velocity)) return false;
    energy[end] = legendre_.energy();
    rounding += legendre_.energy_scale();
    kinetic[end] = kinetic_energy();
  }
  for (std::size_t a = 0; a < n; ++a) rounding += abs(state.position[a] * node_velocity_[a] / step_);
  S reach = has_power ? S(kinetic[0] + abs(work)) : std::min<S>(kinetic[0], kinetic[1]);
  reach += abs((energy[1] - kinetic[1]) - (energy[0] - kinetic[0]));
  if (is_straight) reach += kick_energy(state);
  const S part(is_straight ? 4 : has_power ? 1 : 0.5);
  return abs(energy[1] - energy[0] - work) <= part * reach + S(64) * epsilon<S>() * rounding;
}

// What the force at the start gives to a system at rest in the time of a step.
template <class S>
S galerkin_step<S>::kick_energy(const phase_state<S>& state) {
  std::fill(guess_.begin(), guess_.end(), S(0));
  std::fill(velocity_.begin(), velocity_.end(), S(0));
  action_.evaluate(guess_, false);
  action_.momentum_increment(node_velocity_);
  node_time_ = state.time;
  std::copy(state.position.value.begin(), state.position.value.end(), node_position_.begin());
  if (!legendre_.momentum_of(node_time_, node_position_, velocity_, node_momentum_)) return S(0);
  for (std::size_t a = 0; a < node_momentum_.size(); ++a) node_momentum_[a] += node_velocity_[a];
  return legendre_.measure(node_time_, node_position_, node_momentum_) ? kinetic_energy() : S(0);
}

// The equations of straight paths become singular in the middle of motions that they still follow roughly, and stiff
// friction bends paths too sharply to be followed. A solution that keeps the energy passes there.
template <class S>
bool galerkin_step<S>::is_rough_motion(const phase_state<S>& state, std::span<const S> z) {
  if (tableau_.degree > 1 && !legendre_.space().has_power()) return false;
  this->start(state);
  return keeps_energy(state, z);
}

template <class S>
bool galerkin_step<S>::is_connected(const phase_state<S>& state, std::span<const S> z) {
  if (!follow_path(state, guess_) || !is_same(guess_, z)) return is_rough_motion(state, z);
  return is_nearly_linear_ || keeps_energy(state, z);
}

// A solution that may not belong to the state is compared with the one that does, which takes its place.
template <class S>
newton_result galerkin_step<S>::confirmed(const phase_state<S>& state, newton_result result) {
  const int tried = result.iterations;
  if (!follow_path(state, guess_)) {
    if (!is_rough_motion(state, x_)) result.outcome = newton_outcome::elsewhere;
    return result;
  }
  if (!is_same(guess_, x_)) {
    predictor_.clear();
    std::copy(guess_.begin(), guess_.end(), x_.begin());
    result = solve_from_guess(state);
    result.iterations += tried;
  }
  if (result.outcome == newton_outcome::converged && !is_nearly_linear_ && !keeps_energy(state, x_)) {
    result.outcome = newton_outcome::elsewhere;
  }
  return result;
}

template <class S>
newton_result galerkin_step<S>::solve(const phase_state<S>& state) {
  this->start(state);
  const bool was_given = std::exchange(has_guess_, false);
  return solution_search{
      .guess_by_past = [&] { return was_given || predictor_.guess(x_); },
      .guess_by_state = [&] { return this->guess_by_velocity(state); },
      .iterate = [&] { return solve_from_guess(state); },
      .iterate_damped =
          [&] { return found(std::visit([&](auto& solver) { return solver.solve_damped(action_, x_); }, newton_)); },
      .is_near_past =
          [&](const newton_result& result) { return !was_given && belongs_to_state(result, predictor_.looks_back()); },
      .confirm = [&](const newton_result& result) { return confirmed(state, result); }}();
}

template <class S>
step_status galerkin_step<S>::advance(phase_state<S>& state) {
  const step_status status = branch_.judged(status_of(solve(state)), state, step_);
  if (!status) return status;
  branch_.start(state);
  const step_status ended{step_code::mass_singular, status.iterations, status.update};
  if (branch_.has_branches() && !this->stays_on_branch(state)) return ended;
  const std::size_t last = (tableau_.degree - 1) * n_;
  for (std::size_t a = 0; a < n_; ++a) {
    this->left_[a] = state.position[a];
    in_place::add(state.position, a, x_[last + a], scratch_);
    in_place::add(state.momentum, a, increment_[a], scratch_);
  }
  ++state.index;  // state.step_on(step_), in place
  scratch_[0] = static_cast<double>(++state.count);
  in_place::multiply(scratch_[0], scratch_[0], step_);
  in_place::add(scratch_[0], scratch_[0], state.origin_remainder);
  in_place::add(state.time, state.origin, scratch_[0]);
  if (!branch_.finish(state, velocity_)) return ended;
  if (legendre_.space().has_power()) this->work_ = next_work_;
  predictor_.record(x_, weights_);
  return status;
}

// What the predictor remembers, then the state of the solver with the Jacobian in double.
template <class S>
void galerkin_step<S>::remember(step_memory<S>& memory) {
  predictor_.remember(memory);
  if (!rough_) return;
  std::visit(
      [&](auto& newton) {
        S contraction(newton.contraction());
        memory.number(contraction);
        memory.require(contraction <= S(0));
        if (memory.reads()) newton.set_contraction(to_double(contraction));
      },
      rough_->newton);
  memory.count(rough_->rest, steps_of_rest);
}

// p_0 stands in the rows of slot 0.
template <class S>
matrix<S> galerkin_step<S>::tangent_map(const phase_state<S>& state) {
  const std::vector<S> kept = x_;
  if (solve(state).outcome != newton_outcome::converged) return {};
  const std::size_t unknowns = x_.size(), last = unknowns - n_;
  action_.evaluate(x_, true);
  x_ = kept;
  const auto with = [&](auto equations) -> matrix<S> {
    action_.jacobian(equations.matrix());
    if (!equations.factorise()) return {};
    return this->derivative(
        equations, [&](std::size_t j, std::size_t a) { return S(j == a ? -1 : 0); },
        [&](const S& dq, const std::vector<S>& dx, std::size_t a) { return S(dx[last + a] + dq); });
  };
  if (newton_.index() == 2) return with(action_.equations_of_recursions());
  return with(dense_equations<S>(unknowns));
}

#define ACTIO_INSTANTIATE(S)       \
  template class galerkin_step<S>; \
  template matrix<S> polynomial_continuation<S>(const galerkin_tableau<S>&, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
