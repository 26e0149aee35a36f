// Blocks of trajectories in lanes: steps, measurements and certificates of up to eight at once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actio/backend/kernel/trajectory_code.hpp"
#include "actio/base/aligned.hpp"
#include "actio/simulate/lone_engine.hpp"

namespace actio {

class trajectory_kernel;

inline constexpr std::size_t widest_block = 8;

// Trajectories that move together, in no order.
using lane_members = std::span<trajectory_result* const>;

// Mutable: moves one block after the other.
class lane_block {
 public:
  virtual ~lane_block() = default;

  // Moves trajectories (at most as many as there are lanes) from their starts, each by its steps, and fills their
  // results. `solved[l]` says whether the lane reached the end; the others are for the ordinary step. Every so often
  // `interrupted` is asked; if it says true, the answer is false and the results mean nothing.
  virtual bool run(lane_members block, std::span<bool> solved, const std::function<bool()>& interrupted) = 0;
};

// Immutable; blocks on any number of threads share it.
class lane_engine {
 public:
  // Nothing where the method has no text for the system, there is no machine code, the system is too large, constrained
  // or not quadratic in its velocities, the program computes a force, or Lyapunov exponents are wanted together with a
  // section. What it is made from must outlive it.
  static std::unique_ptr<const lane_engine> make(const ensemble_plan& plan, const lone_engine& alone,
                                                 const ensemble_options& options);

  // Why trajectories cannot move in lanes, as far as the model and the options say; "" where they do not.
  static std::string obstacle(const ensemble_plan& plan, const lone_engine& alone, const ensemble_options& options);

  std::size_t width() const { return width_; }
  // Blocks for the processor. Where GPUs are wanted an engine may be for them alone.
  bool runs_here() const { return runs_here_; }
  std::unique_ptr<lane_block> make_block() const;

  // What moves them, for those who move them elsewhere.
  const kernel::trajectory_code& code() const { return code_; }
  std::span<const double> shared_parameters() const { return shared_; }
  // A trajectory's own, and one of a neighbour where exponents are measured.
  std::size_t lanes_a_trajectory() const { return lyapunov_ ? 2 : 1; }
  // That a block may have: fewer where each may look for crossings with steps of its own.
  static constexpr std::size_t largest_portion = std::size_t{1} << 13;
  std::size_t most_members() const { return section_ == nullptr ? largest_portion : largest_portion / 2; }

 private:
  lane_engine() = default;
  friend class kernel_block;
  friend class lane_sections;
  // Where the parameters of a linear system vary: whether its steps are stable for sure. The ordinary way decides where
  // they are not.
  bool is_surely_stable(const trajectory_result& trajectory) const;

  std::size_t width_ = widest_block, size_ = 0, momenta_ = 0, varied_ = 0;
  std::size_t steps_ = 0;  // of whole length, where none has its own
  double step_ = 0, start_ = 0;
  bool has_power_ = false, has_limit_ = false, has_own_paces_ = false, lyapunov_ = false, runs_here_ = true;
  const lone_engine* alone_ = nullptr;
  const section* section_ = nullptr;
  std::vector<double> shared_;  // parameters that all lanes have in common
  double last_step_ = 0;        // of one more that is shorter than the others; 0 where there is none
  kernel::trajectory_code code_;
};

std::unique_ptr<lane_block> make_kernel_block(const lane_engine& engine, std::unique_ptr<trajectory_kernel> kernel);

}  // namespace actio
