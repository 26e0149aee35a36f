// The linearisation of a step in double precision, for steps that are solved with more digits.
#pragma once

#include <span>
#include <vector>

#include "actio/discrete/galerkin_action.hpp"

namespace actio {

class rough_action {
 public:
  template <class S>
  rough_action(const galerkin_scheme& scheme, const phase_space<S>& space, const S& step);
  rough_action(const rough_action&) = delete;
  rough_action& operator=(const rough_action&) = delete;

  // Those of the space, rounded.
  template <class S>
  void set_parameters(const phase_space<S>& space);
  template <class S>
  void set_step(const S& step) {
    action_.set_step(to_double(step));
  }
  // The left end of the step; what is rounded away is of no importance to derivatives.
  template <class S>
  void start(const S& t, std::span<const S> q, std::span<const S> p);
  // ∂R/∂z at the increments z. False where a double cannot hold it.
  template <class S>
  bool jacobian(std::span<const S> z, matrix<double>& J);
  // The same where recursive definitions are kept.
  recursive_equations<double> equations_of_recursions() const { return action_.equations_of_recursions(); }
  template <class S>
  bool jacobian(std::span<const S> z, recursive_equations<double>& J);
  // The size against which a change of unknown j counts.
  double weight(std::size_t j) { return weights_[j % weights_.size()]; }

  // The change of the momentum increment with the unknowns, where the Jacobian was last asked for.
  void momentum_change(std::span<const double> dz, std::span<double> dp) const;

 private:
  template <class S>
  void linearise(std::span<const S> z);

  galerkin_tableau<double> tableau_;
  shared_parameters<double> parameters_;
  galerkin_action<double> action_;
  std::vector<double> q_, p_, zero_, z_, weights_;
  matrix<double> by_left_, by_increments_;  // none where recursive definitions are kept
};

}  // namespace actio
