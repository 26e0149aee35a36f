// Blocks of trajectories in lanes: steps, measurements and certificates of up to eight at once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "actio/simulate/ensemble.hpp"
#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

// Immutable; blocks on any number of threads share it.
class lane_engine {
 public:
  // Nothing where the method is no Galerkin method, the system is too large or not quadratic in its velocities, or the
  // parameters of a linear system vary: its steps have limits that the ordinary integrator knows.
  static std::unique_ptr<const lane_engine> make(const ensemble_plan& plan, const integrator<double>& flow,
                                                 std::size_t width);

  std::size_t width() const { return width_; }

  // Moves trajectories (at most `width`) from their starts over `steps` steps and fills their results. `solved[l]` says
  // whether the lane reached the end; the others are for the ordinary step. Every so often `interrupted` is asked; if
  // it says true, the answer is false and the results mean nothing.
  bool run(std::span<trajectory_result> block, std::size_t steps, std::span<bool> solved,
           const std::function<bool()>& interrupted) const;

 private:
  lane_engine() = default;
  class meter;

  std::size_t width_ = 8, size_ = 0, momenta_ = 0, varied_ = 0;
  galerkin_scheme scheme_{};
  double step_ = 0;
  bool has_power_ = false;
  std::vector<double> shared_;  // parameters that all lanes have in common
  std::shared_ptr<const compiled_function<double>> iteration_, certificate_;
};

}  // namespace actio
