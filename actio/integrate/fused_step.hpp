// A Galerkin step whose Newton iteration is one compiled program; for small systems in double precision.
//
// The update of an iteration also tells how the momentum changes with it to first order. Once the quadratic convergence
// has been measured, a step ends with the first update whose square is below rounding: with a good prediction that is
// the first one.
#pragma once

#include <memory>
#include <vector>

#include "actio/backend/compiled_function.hpp"
#include "actio/discrete/newton_program.hpp"
#include "actio/integrate/galerkin_step.hpp"
#include "actio/integrate/predictor.hpp"
#include "actio/integrate/step.hpp"

namespace actio {

class fused_step final : public step_workspace<double> {
 public:
  // `iteration` is compiled from newton_program of the same scheme.
  fused_step(const galerkin_scheme& scheme, const compiled_function<double>& iteration,
             const step_context<double>& context);

  step_status advance(phase_state<double>& state) override;
  double work() const override;
  void interpolate(const double& fraction, std::span<double> position) override;
  matrix<double> tangent_map(const phase_state<double>& state) override { return general_.tangent_map(state); }
  std::vector<double> history() const override;
  void restore_history(std::span<const double> saved) override;

 private:
  struct solution {
    bool converged;
    int iterations;
    double update;
  };
  solution solve();
  double update_size() const;
  double surprise() const;
  void learn_curvature(double left_undone, double update);

  galerkin_tableau<double> tableau_;
  newton_layout layout_;
  double step_;
  std::unique_ptr<evaluation<double>> iteration_;
  std::size_t stride_;
  bool has_power_;                 // work is that of the last evaluation: the last update must be negligible
  galerkin_step<double> general_;  // takes over where the program cannot solve the step
  step_predictor<double> predictor_;
  std::vector<double> in_, out_, weights_, left_, expected_, z_;
  double curvature_;  // a bound of what an update δ leaves undone, over |δ|², as seen lately
  bool last_by_general_ = false;
};

}  // namespace actio
