// A Galerkin step whose Newton iteration is one piece of machine code; for small systems in double precision.
//
// The update of an iteration also tells how the momentum changes with it to first order. What an update leaves undone
// is its square times a curvature, which is measured; a step ends with the first update for which that is below
// rounding: with a good prediction that is the first one. From time to time one more iteration checks this.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "actio/backend/newton_kernel.hpp"
#include "actio/discrete/newton_program.hpp"
#include "actio/integrate/galerkin_step.hpp"
#include "actio/integrate/step_memory.hpp"

namespace actio {

class fused_step final : public remembering_step<double> {
 public:
  fused_step(const galerkin_scheme& scheme, std::unique_ptr<newton_kernel> kernel, const step_context<double>& context);

  step_status advance(phase_state<double>& state) override;
  double work() const override;
  void interpolate(const double& fraction, std::span<double> position) override;
  matrix<double> tangent_map(const phase_state<double>& state) override { return general_.tangent_map(state); }
  void parameters_changed() override;

 private:
  struct solution {
    bool converged;
    int iterations;
    double missed;  // by the prediction
  };
  void remember(step_memory<double>& memory) override;
  solution go_on(phase_state<double>& state, const newton_state& left, bool predicted);
  double missed_by_guess(bool predicted);
  step_status refine(phase_state<double>& state, const newton_state& left, bool predicted);
  step_status one_step_on(phase_state<double>& state, int iterations) const;
  bool guess_by_velocity(const phase_state<double>& state);
  step_status ended(phase_state<double>& state, int iterations, double missed);
  step_status advance_generally(phase_state<double>& state, int iterations);
  void fill_table();
  double surprise(const phase_state<double>& state) const;
  double curvature() const;
  void learn_curvature(double left_undone, double update);
  void keep_solution(double missed);
  void choose_order();
  void set_factors();
  void continue_polynomial(std::span<const double> z, double* next) const;
  void look_ahead_from(std::span<const double> place);
  double& number(std::size_t k) { return kernel_->numbers()[k]; }
  double number(std::size_t k) const { return std::as_const(*kernel_).numbers()[k]; }

  galerkin_tableau<double> tableau_;
  double step_;
  std::unique_ptr<newton_kernel> kernel_;
  newton_rows rows_;
  std::size_t n_, s_;
  bool has_power_;                 // work is that of the last evaluation: the last update must be negligible
  galerkin_step<double> general_;  // takes over where the program cannot solve the step
  phase_point<double> legendre_;
  std::vector<double> velocity_;
  matrix<double> continuation_;
  std::vector<double> expected_, differences_, per_weight_, guess_;
  std::size_t known_ = 0, order_ = 0;  // steps remembered, order of the prediction
  bool continues_ = false;             // the last step's polynomial instead
  std::size_t until_choice_ = 0, until_check_ = 0;
  double measured_;                 // what an update δ leaves undone, over |δ|², as last seen
  double acceptable_;               // the largest update that may be the last
  double promised_;                 // what the order would have missed by when it was chosen
  double *acceptable_now_, *size_;  // numbers of the kernel
  bool knows_sines_ = false;        // near those of the next step
  bool last_by_general_ = false;
  bool is_steady_ = false;  // predictions from as many steps as there can be, and sines that are near
};

}  // namespace actio
