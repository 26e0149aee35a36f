// A chain of rods by hand: what a loop over its links costs at least.
#pragma once

#include <cstddef>
#include <vector>

namespace actio::bench {

// Masses of one on rigid rods that hang from the origin in the plane: steps of length h with a force of constraint at
// either end. Forces follow from tridiagonal equations; plain sums.
class hand_written_chain {
 public:
  // Positions (x_1 … x_n, y_1 … y_n); at rest.
  hand_written_chain(const std::vector<double>& position, double gravity);
  void advance(double h);
  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }

 private:
  // d_i := r_i − r_{i−1}
  void find_rods(std::vector<double>& dx, std::vector<double>& dy) const;
  // right := the solution of equations that belong to rods (a at the end, b at the start of the step).
  void solve(const std::vector<double>& ax, const std::vector<double>& ay, const std::vector<double>& bx,
             const std::vector<double>& by);

  double gravity_;
  std::vector<double> x_, y_, vx_, vy_;
  std::vector<double> squared_;  // lengths of the rods
  std::vector<double> x0_, y0_, ax_, ay_, bx_, by_, right_, factor_, multiplier_;
};

}  // namespace actio::bench
