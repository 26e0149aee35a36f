// What the steps have in common whose unknowns are a path: first guesses, the solution that belongs to the state, dense
// output, and the derivative of a step.
//
// Notation: x = (z_1, …, z_s, …), the first s·n unknowns of first order in the step; those of motion at the velocity v
// of the state are z_k = c_k h v. Where these are increments, q_1 = q_0 + z_s.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/newton.hpp"
#include "actio/integrate/branch_keeper.hpp"
#include "actio/integrate/predictor.hpp"
#include "actio/integrate/step_memory.hpp"
#include "actio/integrate/step_path.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {

// z_k of the next step, `ratio` times as long as this one, when its polynomial goes on: Σ_l (φ_l(1 + ratio c_k) −
// φ_l(1)) z_l.
template <class S>
matrix<S> polynomial_continuation(const galerkin_tableau<S>& tableau, const S& ratio = S(1));
template <class S>
const std::vector<S>& control_of(const galerkin_tableau<S>& tableau) {
  return tableau.control;
}
// Unknowns of second order in the step, behind the increments.
template <class Action>
std::size_t followers_of([[maybe_unused]] const Action& action) {
  if constexpr (requires { action.increments(); }) return action.unknowns() - action.increments();
  else return 0;
}

template <class S, class Action, class Tableau = galerkin_tableau<S>>
class path_step : public remembering_step<S> {
 public:
  S work() const override { return work_; }
  // The polynomial through 0 and the increments z_k at the control points c_k.
  void interpolate(const S& fraction, std::span<S> position) override {
    const basis_values<S> basis = lagrange_basis<S>(control_, fraction);
    for (std::size_t a = 0; a < n_; ++a) {
      S sum(0);
      for (std::size_t k = 1; k < control_.size(); ++k) sum += basis.value[k] * x_[(k - 1) * n_ + a];
      position[a] = left_[a] + sum;
    }
  }
  bool takes_any_length() const override { return true; }
  void set_step(const S& step) override {
    if (step == step_) return;
    const S ratio = step / step_;
    predictor_.change_length(polynomial_continuation(tableau_, ratio), ratio * ratio);
    step_ = step;
    action_.set_step(step);
  }

 protected:
  // The action is made from the tableau, the space, `more` and the step.
  template <class... More>
  path_step(Tableau tableau, const step_context<S>& context, const More&... more)
      : remembering_step<S>(context),
        tableau_(std::move(tableau)),
        control_(control_of(tableau_)),
        n_(context.space.size()),
        step_(context.step),
        action_(tableau_, context.space, more..., context.step),
        predictor_(n_, polynomial_continuation(tableau_, S(1)), context.guess, followers_of(action_)),
        legendre_(context.space),
        branch_(context.space),
        x_(action_.unknowns(), S(0)),
        left_(n_, S(0)),
        velocity_(left_),
        node_position_(left_),
        node_velocity_(left_),
        node_momentum_(left_),
        weights_(n_, 1.0) {}

  void remember(step_memory<S>& memory) override { predictor_.remember(memory); }

  void start(const phase_state<S>& state) { start(action_, state); }
  static void start(Action& action, const phase_state<S>& state) {
    action.start(state.time, state.position.value, state.position.remainder, state.momentum.value,
                 state.momentum.remainder);
  }
  bool velocity_of(const phase_state<S>& state) {
    return legendre_.velocity_at(state.time, state.position.value, state.momentum.value, velocity_, state.velocity);
  }
  // Where earlier steps do not lead to a solution they are not worth remembering.
  bool guess_by_velocity(const phase_state<S>& state) {
    predictor_.clear();
    if (!velocity_of(state)) return false;
    std::ranges::fill(x_, S(0));
    for (std::size_t k = 1; k < control_.size(); ++k) {
      for (std::size_t a = 0; a < n_; ++a) x_[(k - 1) * n_ + a] = control_[k] * step_ * velocity_[a];
    }
    return true;
  }
  // Those of the last evaluation, for the predictor.
  void set_weights() {
    for (std::size_t a = 0; a < n_; ++a) {
      const double weight = to_double(action_.weight(a));
      weights_[a] = weight > 0 && std::isfinite(weight) ? weight : 1.0;
    }
  }
  // From node to node of the solution: each velocity must be on the branch of the one before. velocity_ is then
  // that of the last node.
  bool stays_on_branch(const phase_state<S>& state) {
    std::ranges::copy(state.velocity, velocity_.begin());
    action_.evaluate(x_, false);
    for (std::size_t i = 0; i < action_.nodes(); ++i) {
      for (std::size_t a = 0; a < n_; ++a) {
        node_position_[a] = action_.node_position(a, i);
        node_velocity_[a] = action_.node_velocity(a, i);
        node_momentum_[a] = action_.node_momentum(a, i);
      }
      const S& time = action_.node_time(i);
      if (!legendre_.is_on_branch(time, node_position_, node_momentum_, node_velocity_, velocity_)) return false;
      std::swap(velocity_, node_velocity_);
    }
    return true;
  }

  // With R(x; q_0, p_0) = 0 the equations of the step, dx = −J⁻¹ (∂R/∂q_0 dq_0 + ∂R/∂p_0 dp_0), and p_1 = p_0 + its
  // increment. `solver` holds J of the last evaluation with Jacobian, factorised; right(j, a) is −∂R_j/∂p_0a, and
  // moved(dq, dx, a) is dq_1a where q_0a moves by dq.
  template <class Solver, class Right, class Moved>
  matrix<S> derivative(const Solver& solver, Right&& right, Moved&& moved) {
    const std::size_t unknowns = x_.size();
    matrix<S> B(unknowns, n_), by_left(n_, n_), by_unknowns(n_, unknowns), result(2 * n_, 2 * n_);
    action_.left_jacobian(B);
    action_.momentum_jacobian(by_left, by_unknowns);
    std::vector<S> dx(unknowns);
    for (std::size_t column = 0; column < 2 * n_; ++column) {
      const bool by_position = column < n_;
      for (std::size_t j = 0; j < unknowns; ++j) dx[j] = by_position ? S(-B(j, column)) : right(j, column - n_);
      solver.solve_in_place(dx);
      for (std::size_t a = 0; a < n_; ++a) {
        result(a, column) = moved(S(a == column ? 1 : 0), dx, a);
        S dp = by_position ? by_left(a, column) : S(a == column - n_ ? 1 : 0);
        for (std::size_t j = 0; j < unknowns; ++j) dp += by_unknowns(a, j) * dx[j];
        result(n_ + a, column) = dp;
      }
    }
    return result;
  }

  Tableau tableau_;
  std::vector<S> control_;  // c_0 … c_s
  std::size_t n_;
  S step_;
  Action action_;
  step_predictor<S> predictor_;
  phase_point<S> legendre_;
  branch_keeper<S> branch_;
  std::vector<S> x_, left_, velocity_, node_position_, node_velocity_, node_momentum_;
  std::vector<double> weights_;
  S work_{0};
};

// The same, solved by Newton's method with matrices of one kind.
template <class S, class Action, class Equations = dense_equations<S>, class Tableau = galerkin_tableau<S>>
class solved_path_step : public path_step<S, Action, Tableau> {
 protected:
  template <class... Arguments>
  explicit solved_path_step(Arguments&&... arguments)
      : path_step<S, Action, Tableau>(std::forward<Arguments>(arguments)...),
        newton_(this->x_.size(), equations()),
        solution_(this->x_) {}

  // The solution of the step from `state` in x_.
  newton_result solve(const phase_state<S>& state) {
    this->start(state);
    const std::span<S> x(this->x_);
    return solution_search{
        .guess_by_past = [&] { return this->predictor_.guess(x); },
        .guess_by_state = [&] { return this->guess_by_velocity(state); },
        .iterate = [&] { return newton_.solve(this->action_, x); },
        .iterate_damped = [&] { return newton_.solve_damped(this->action_, x); },
        .is_near_past =
            [&](const newton_result& result) { return belongs_to_state(result, this->predictor_.looks_back()); },
        .confirm = [&](const newton_result& result) { return confirmed(state, result); }}();
  }

  // Those of the action, where it says which; otherwise of any matrix.
  Equations equations() const {
    if constexpr (requires { this->action_.equations(); }) return this->action_.equations();
    else return Equations(this->action_.unknowns());
  }

  newton_solver<S, Equations> newton_;

  // That of the path which a confirmation follows.
  virtual Action& path_action() { return this->action_; }

 private:
  // A solution that may not belong to the state is compared with the one that does, which takes its place. Unknowns
  // beyond the increments follow from these.
  newton_result confirmed(const phase_state<S>& state, newton_result result) {
    Action &own = this->action_, &action = path_action();
    const std::size_t increments = own.increments();
    if (!path_) path_.emplace(own.unknowns(), increments, equations());
    const auto start_with = [&](const S& length) {
      action.set_step(length);
      this->start(action, state);
    };
    if (!this->velocity_of(state) ||
        !path_->find(action, this->step_, this->control_, this->velocity_, start_with, solution_)) {
      result.outcome = newton_outcome::elsewhere;
      return result;
    }
    const bool shares = &action == &own;
    if (shares) own.evaluate(solution_, false);  // weights are those of the last evaluation
    const std::span<const S> found(this->x_), other(solution_);
    const auto weight = [&](std::size_t j) { return own.weight(j); };
    if (is_same_solution<S>(other.first(increments), found.first(increments), weight)) {
      if (shares) own.evaluate(found, false);
      return result;
    }
    this->predictor_.clear();
    this->x_ = solution_;
    const int tried = result.iterations;
    result = newton_.solve(own, std::span<S>(this->x_));
    result.iterations += tried;
    return result;
  }

  std::optional<step_path<S, Equations>> path_;  // made when it is first needed
  std::vector<S> solution_;
};

}  // namespace actio
