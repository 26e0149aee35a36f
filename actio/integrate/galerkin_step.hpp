// A step of any Galerkin variational integrator: predict, solve R(z) = 0 by Newton, add the increments.
#pragma once

#include <memory>
#include <variant>

#include "actio/base/mixed_newton.hpp"
#include "actio/base/saddle_point.hpp"
#include "actio/discrete/galerkin_action.hpp"
#include "actio/discrete/rough_action.hpp"
#include "actio/integrate/path_step.hpp"

namespace actio {

template <class S>
class galerkin_step final : public path_step<S, galerkin_action<S>> {
 public:
  galerkin_step(const galerkin_scheme& scheme, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  // The unknowns from which the next step is tried first.
  void set_guess(std::span<const S> z);
  // Whether z is the solution of the step from `state` that belongs to it.
  bool is_connected(const phase_state<S>& state, std::span<const S> z);
  // Of the last step: its unknowns, and the size of each coordinate's changes.
  std::span<const S> unknowns() const { return x_; }
  std::span<const double> weights() const { return weights_; }
  matrix<S> tangent_map(const phase_state<S>& state) override;
  void parameters_changed() override {
    if (rough_) rough_->action.set_parameters(this->space());
  }
  void set_step(const S& step) override {
    base::set_step(step);
    if (rough_) rough_->action.set_step(step);
  }

 private:
  void remember(step_memory<S>& memory) override;
  using base = path_step<S, galerkin_action<S>>;
  using base::action_, base::branch_, base::legendre_, base::n_, base::node_momentum_, base::node_position_,
      base::node_velocity_, base::predictor_, base::step_, base::tableau_, base::velocity_, base::weights_, base::x_;

  // Newton's method with the Jacobian in double, where S has more digits.
  struct rough_solver {
    rough_solver(const galerkin_scheme& scheme, const step_context<S>& context, std::size_t unknowns);
    rough_action action;
    std::variant<mixed_newton<S>, mixed_newton<S, recursive_equations<double>>> newton;
    std::vector<double> momentum_change;
    std::size_t rest = 0;  // steps for which it is not tried, because it failed
  };
  struct rough_problem;
  static constexpr std::size_t steps_of_rest = 16;

  void make_rough_solver(const galerkin_scheme& scheme, const step_context<S>& context);
  // Solves the step from `state` into x_, and increment_, weights_ and next_work_ with it where it converged.
  newton_result solve(const phase_state<S>& state);
  newton_result solve_from_guess(const phase_state<S>& state);
  newton_result confirmed(const phase_state<S>& state, newton_result result);
  bool follow_path(const phase_state<S>& state, std::span<S> z);
  bool is_same(std::span<const S> a, std::span<const S> b);
  bool keeps_energy(const phase_state<S>& state, std::span<const S> z);
  bool is_rough_motion(const phase_state<S>& state, std::span<const S> z);
  S kinetic_energy();
  S kick_energy(const phase_state<S>& state);
  newton_result solve_roughly(const phase_state<S>& state);
  newton_result found(const newton_result& result);

  // Dense, or sparse where coordinates are many and coupled to few others, or where recursive definitions are kept.
  std::variant<newton_solver<S>, newton_solver<S, saddle_point_solver<S>>, newton_solver<S, recursive_equations<S>>>
      newton_;
  std::unique_ptr<rough_solver> rough_;  // none where it does not pay
  // Made when it is first needed, with equations of the same kind as those of newton_.
  std::variant<std::monostate, step_path<S>, step_path<S, saddle_point_solver<S>>, step_path<S, recursive_equations<S>>>
      path_;
  std::vector<S> guess_, increment_, at_rest_;
  S node_time_{0};
  bool is_nearly_linear_ = false;  // see step_path
  S scratch_[4] = {S(0), S(0), S(0), S(0)};
  bool has_guess_ = false;  // x_ holds it
  S next_work_{0};
};

}  // namespace actio
