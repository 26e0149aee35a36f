// What the text of a step by Newton's method needs to know of method and system.
#pragma once

#include <cstddef>
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

struct newton_tables {
  std::size_t degree = 1;
  std::vector<double> control = {};       // c_k, where the path has its unknowns
  std::vector<double> continuation = {};  // s × s, of a step's own polynomial over the next one
};

}  // namespace kernel

}  // namespace actio
