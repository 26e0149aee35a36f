// Gauss methods as collocation on Hamilton's equations, all nodes of a step in the lanes of one evaluation.
//
// The stages are found by fixed-point iteration (collocation_kernel) from the last step's polynomial continued over
// this one. A step where the iteration does not contract is solved by Newton's method on the discrete action, which has
// the same solution, or, where H is given, on the stages.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/integrate/galerkin_step.hpp"
#include "actio/integrate/stage_newton_step.hpp"
#include "actio/integrate/step_memory.hpp"

namespace actio {

// The coefficients of a method with step h. Lanes beyond the points repeat the last of them and weigh nothing.
void fill_tables(collocation_kernel& kernel, const collocation_tableau<double>& tableau, double h);

class collocation_step final : public remembering_step<double> {
 public:
  collocation_step(collocation_code code, const step_context<double>& context);
  ~collocation_step() override;

  step_status advance(phase_state<double>& state) override;
  double work() const override;
  void interpolate(const double& fraction, std::span<double> position) override;
  matrix<double> tangent_map(const phase_state<double>& state) override;
  void parameters_changed() override;

 private:
  void remember(step_memory<double>& memory) override;
  void change_to_kernel();
  bool set_first_rates(const phase_state<double>& state);
  step_workspace<double>& newton();
  void pass_guess_to_newton();
  void pass_rates_to_newton();
  double continued_rate(std::size_t c, std::size_t i) const;
  double rate(std::size_t c, std::size_t i) const {
    return std::as_const(*kernel_).work()[kernel_->rows().rate(c) + i];
  }

  std::size_t points_, n_;
  collocation_code code_;
  step_context<double> context_;
  collocation_tableau<double> tableau_;
  kernel_effort effort_;
  std::unique_ptr<collocation_kernel> kernel_;
  // One of the two, made when it is first needed.
  std::unique_ptr<galerkin_step<double>> by_action_;
  std::unique_ptr<stage_newton_step<double>> by_stages_;
  bound_evaluation<double> at_start_;
  std::vector<double> left_, point_, rates_;
  std::vector<std::vector<double>> at_control_;  // ∫_0^c_k ℓ_j, made when Newton is first needed
  std::vector<double> z_;
  bool has_rates_ = false;  // those of the kernel belong to the step before
  bool last_by_newton_ = false;
};

}  // namespace actio
