// Blocks of trajectories in lanes: steps, measurements and certificates of up to eight at once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "actio/integrate/lane_workspace.hpp"
#include "actio/simulate/lone_engine.hpp"

namespace actio {

inline constexpr std::size_t widest_block = 8;

// Immutable; blocks on any number of threads share it.
class lane_engine {
 public:
  // Nothing where the method has no steps in lanes (those of Gauss methods need machine code), the system is too large,
  // constrained or not quadratic in its velocities, the program computes a force, or Lyapunov exponents are wanted.
  // What it is made from must outlive it.
  static std::unique_ptr<const lane_engine> make(const ensemble_plan& plan, const lone_engine& alone,
                                                 const ensemble_options& options);

  std::size_t width() const { return width_; }

 private:
  lane_engine() = default;
  friend class lane_block;
  // Where the parameters of a linear system vary: whether its steps are stable for sure. The ordinary way decides where
  // they are not.
  bool is_surely_stable(const trajectory_start& start) const;

  std::size_t width_ = widest_block, size_ = 0, momenta_ = 0, varied_ = 0, steps_ = 0;
  double step_ = 0;
  bool has_power_ = false, has_limit_ = false;
  const lone_engine* alone_ = nullptr;
  const section* section_ = nullptr;
  std::vector<double> shared_;  // parameters that all lanes have in common
  std::shared_ptr<const compiled_function<double>> certificate_;
  lane_maker make_workspace_;
};

// Mutable: moves one block after the other.
class lane_block {
 public:
  explicit lane_block(const lane_engine& engine);
  ~lane_block();

  // Moves trajectories (at most as many as there are lanes) from their starts and fills their results. `solved[l]` says
  // whether the lane reached the end; the others are for the ordinary step. Every so often `interrupted` is asked; if
  // it says true, the answer is false and the results mean nothing.
  bool run(std::span<trajectory_result> block, std::span<bool> solved, const std::function<bool()>& interrupted);

 private:
  class meter;
  class section_watch;
  void lose_what_is_not_finite();

  const lane_engine& engine_;
  std::unique_ptr<lane_workspace> step_;
  std::unique_ptr<meter> measured_;
  std::unique_ptr<section_watch> watch_;  // where there is a section
};

}  // namespace actio
