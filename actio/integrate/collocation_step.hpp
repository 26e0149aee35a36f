// Gauss methods as collocation on Hamilton's equations, all nodes of a step in the lanes of one evaluation.
//
// The stages K_i = f(t + τ_i h, y + Z_i), Z_i = h Σ_j a_ij K_j, are found by fixed-point iteration from the last step's
// polynomial continued over this one. A step where the iteration does not contract is solved by Newton's method on the
// discrete action, which has the same solution.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "actio/integrate/galerkin_step.hpp"
#include "actio/integrate/step.hpp"

namespace actio {

class collocation_step final : public step_workspace<double> {
 public:
  // `field`: from (q, p, t) to (q', p', power).
  collocation_step(std::size_t points, const compiled_function<double>& field, const step_context<double>& context);
  ~collocation_step() override;

  step_status advance(phase_state<double>& state) override;
  double work() const override;
  void interpolate(const double& fraction, std::span<double> position) override;
  matrix<double> tangent_map(const phase_state<double>& state) override;
  std::vector<double> history() const override;
  void restore_history(std::span<const double> saved) override;

 private:
  enum class outcome { converged, slow, not_finite };
  struct iteration_result {
    outcome what;
    int iterations;
    double change;
  };

  bool guess(const phase_state<double>& state);
  iteration_result iterate(const phase_state<double>& state);
  galerkin_step<double>& newton();
  void pass_guess_to_newton();
  std::vector<double> basis_integrals(double x) const;

  std::size_t points_, n_, stride_;
  step_context<double> context_;
  collocation_tableau<double> tableau_;
  std::unique_ptr<evaluation<double>> field_;
  std::unique_ptr<galerkin_step<double>> newton_;
  std::vector<double> columns_, tails_, extension_;  // a_ij and ℓ_j(1 + τ_i), column j in the lanes of row j
  std::vector<double> start_, remainder_;            // (q, p) at the left end
  std::vector<double> in_, rates_, increments_;      // rows of `stride_` lanes: arguments, K, Z
  std::vector<double> small_, inverse_weight_, left_, guessed_, zero_;
  std::vector<std::vector<double>> at_control_;  // ∫_0^c_k ℓ_j, made when Newton is first needed
  std::vector<double> z_;
  bool has_rates_ = false;  // rates_ belong to the step before
  bool last_by_newton_ = false;
};

}  // namespace actio
