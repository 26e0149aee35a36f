// A Gauss step on any field y' = f(t, y), its stages found by Newton's method: for systems that give H(q, p) itself,
// in every scalar, and where the iteration of collocation_step does not contract.
//
// Notation: y = (q, p) at the left end, Z_i = h Σ_j a_ij K_j, K_i = f(t + τ_i h, y + Z_i); unknowns are the Z_i.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actio/base/newton.hpp"
#include "actio/integrate/step_memory.hpp"
#include "actio/integrate/step_path.hpp"
#include "actio/mechanics/vector_field.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

// The equations of the stages, as Newton's method wants them.
template <class S>
class stage_equations {
 public:
  stage_equations(const collocation_tableau<S>& tableau, std::unique_ptr<vector_field<S>> field, const S& step);

  std::size_t size() const { return size_; }  // of y
  std::size_t unknowns() const { return tableau_.points * size_; }
  const S& step() const { return step_; }
  void set_step(const S& step) { step_ = step; }
  // The left end, with the remainders of its sums.
  void start(const phase_state<S>& state);
  // f at the left end; false where it is not defined.
  bool first_rates(std::span<S> rate);

  void evaluate(std::span<const S> z, bool with_jacobian);
  void residual(std::span<S> r) const;
  void jacobian(matrix<S>& J) const;
  S weight(std::size_t j) const;
  void rounding(std::span<S> r) const;

  // Of the last evaluation.
  const S& rate(std::size_t stage, std::size_t c) const { return rates_[stage][c]; }
  const S& power(std::size_t stage) const { return powers_[stage]; }
  const matrix<S>& slopes(std::size_t stage) const { return slopes_[stage]; }
  bool branch_ended() const { return field_->branch_ended(); }

 private:
  const collocation_tableau<S>& tableau_;
  std::unique_ptr<vector_field<S>> field_;
  S step_, time_{0};
  std::size_t size_;
  std::vector<S> left_, remainder_, argument_, extent_;
  std::vector<std::vector<S>> rates_, z_;
  std::vector<S> powers_;
  std::vector<matrix<S>> slopes_;
};

template <class S>
class stage_newton_step final : public remembering_step<S> {
 public:
  stage_newton_step(std::size_t points, const step_context<S>& context);

  step_status advance(phase_state<S>& state) override;
  S work() const override { return work_; }
  void interpolate(const S& fraction, std::span<S> position) override;
  matrix<S> tangent_map(const phase_state<S>& state) override;

  // The rates of a step that ends where the next one begins, component by component and node by node.
  void set_rates(std::span<const S> rates);

 private:
  void remember(step_memory<S>& memory) override;
  bool guess(bool from_rates);
  newton_result solve(const phase_state<S>& state);
  newton_result confirmed(const phase_state<S>& state, newton_result result);
  S increment(std::size_t c) const;

  collocation_tableau<S> tableau_;
  stage_equations<S> equations_;
  newton_solver<S> newton_;
  std::optional<step_path<S>> path_;  // made when it is first needed
  S step_;
  std::size_t n_;
  first_guess guess_kind_;
  std::vector<S> z_, solution_, rate_, left_, control_, rates_;
  bool has_rates_ = false;  // those of the step before
  S work_{0};
};

}  // namespace actio
