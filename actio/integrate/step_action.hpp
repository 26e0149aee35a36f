// The action of a step: the value that the discrete Lagrangian of its method has on it.
//
// A Galerkin method samples L on the polynomial of the step, L_d = h Σ b_i L(q_i, v_i); other methods know their own
// (step_workspace::action). Along the steps of a variational integrator the action is that of a motion: with S the sum
// of L_d, dS = p_1 dq_1 − p_0 dq_0.
#pragma once

#include <optional>
#include <vector>

#include "actio/integrate/catalogue.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

template <class S>
class step_action {
 public:
  // Throws no-discrete-action where neither the method nor the workspace has one. The space must outlive it.
  step_action(const method& m, const phase_space<S>& space, const step_workspace<S>& workspace, const S& step);

  // Of the step that `workspace` has just taken from one state to the other, constant terms of L left out.
  S of(step_workspace<S>& workspace, const phase_state<S>& before, const phase_state<S>& after);

 private:
  void load_path(step_workspace<S>& workspace, const phase_state<S>& before, const phase_state<S>& after);

  std::optional<galerkin_tableau<S>> tableau_;
  std::optional<jet_evaluation<S>> jet_;
  S step_;
  std::vector<S> point_;
  std::vector<std::vector<S>> z_;  // Q_k − Q_0, k = 1 … s
};

}  // namespace actio
