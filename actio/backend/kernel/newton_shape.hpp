// What the text of a step by Newton's method needs to know of method and system.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace actio {

// Where things stand among the variables and the outputs of a Newton iteration, for n coordinates and a path of degree
// s.
struct newton_layout {
  std::size_t n, s;
  std::size_t varied = 0;  // parameters of the system that are variables

  // Variables: q and p with their remainders, the time, the step, the unknowns z, and parameters where these are
  // variables.
  std::size_t position() const { return 0; }
  std::size_t position_remainder() const { return n; }
  std::size_t momentum() const { return 2 * n; }
  std::size_t momentum_remainder() const { return 3 * n; }
  std::size_t time() const { return 4 * n; }
  std::size_t step() const { return 4 * n + 1; }
  std::size_t unknowns() const { return 4 * n + 2; }
  std::size_t parameters() const { return unknowns() + s * n; }
  std::size_t variables() const { return parameters() + varied; }

  // Outputs: Newton's update δ (the new unknowns are z − δ), h Σ b_i G_i at z, its change to first order by the update,
  // and the work h Σ b_i (F·v − ∂L/∂t)_i.
  std::size_t update() const { return 0; }
  std::size_t increment() const { return s * n; }
  std::size_t increment_change() const { return s * n + n; }
  std::size_t work() const { return s * n + 2 * n; }
  std::size_t outputs() const { return work() + 1; }
};

namespace kernel {

// When a step by Newton's method ends. Updates are relative to the size of their coordinate.
namespace newton_rules {
inline constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();
inline constexpr double noise = 2 * rounding;   // of an update that rounding alone makes
inline constexpr double far_above = 1e-6;       // rounding
inline constexpr double shrinks = 0.25;         // an update beside the one before
inline constexpr double stalls = 0.5;           // the same at rounding
inline constexpr double largest_update = 1e3;   // the first one, beside the unknowns
inline constexpr double last_update = 1e-4;     // that may leave nothing undone
inline constexpr double doubting = 1.02;        // how much the curvature may grow in a step unseen
inline constexpr double unknown = 1e300;        // a curvature that nothing has shown yet
inline constexpr int most_iterations = 12;      // beyond, the ordinary step knows better
inline constexpr std::size_t differences = 10;  // backward, from the solution itself on
}  // namespace newton_rules

struct newton_tables {
  std::size_t degree = 1;
  std::vector<double> control = {};       // c_k, where the path has its unknowns
  std::vector<double> continuation = {};  // s × s, of a step's own polynomial over the next one
};

}  // namespace kernel

}  // namespace actio
