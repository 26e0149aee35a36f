// Newton's method for more digits than a double has: residuals in S, the Jacobian and its factors in double.
//
// A Jacobian in double gains about fifteen digits an iteration, at next to no cost beside the evaluation of a residual
// in many digits. Where it gains too few (an ill-conditioned Jacobian, numbers beyond the range of double) the solver
// says so, and the caller goes on with a Jacobian in S.
//
// The update of an iteration leaves undone what it was times the contraction, which successive updates show. The
// iteration ends with the first update that leaves less than rounding does: nobody evaluates at its solution, and what
// the caller derives from the last evaluation he corrects to first order with `last_update`.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/base/in_place.hpp"
#include "actio/base/newton.hpp"

namespace actio {

// Problem provides
//   void evaluate(std::span<const S> x, bool with_jacobian);   // called without
//   void residual(std::span<S> r);
//   bool rough_jacobian(std::span<const S> x, J&);  // at x, into Equations::matrix(); false where it does not fit
//   double rough_weight(std::size_t j);            // the size against which a change of x_j counts
//   bool needs_evaluation();                       // the last evaluation must be at the solution
template <class S, class Equations = dense_equations<double>>
class mixed_newton {
 public:
  explicit mixed_newton(std::size_t size) : mixed_newton(size, Equations(size)) {}
  mixed_newton(std::size_t size, Equations equations)
      : floor_(floor_level()), equations_(std::move(equations)), update_(size, 0.0), residual_(size, S(0)) {}

  // Whether the digits of S are so few that gaining fifteen of them at a time beats doubling them with Jacobians in S.
  static bool pays() { return -floor_level() <= 53.0 * most_paying_iterations; }

  // `stalled` means that double does not do; x is then anything.
  template <class Problem>
  newton_result solve(Problem& problem, std::span<S> x) {
    double previous = 0, contraction = contraction_, seen = -std::numeric_limits<double>::infinity();
    bool renew = true;
    for (int k = 1; k <= most_iterations; ++k) {
      problem.evaluate(x, false);
      problem.residual(residual_);
      if (renew && !(problem.rough_jacobian(x, equations_.matrix()) && equations_.factorise())) return failed(k);
      if (!scale_residual()) return failed(k);
      equations_.solve_in_place(update_);
      const double level = weighted_level(problem);  // log₂ of the update's size
      if (!(level < largest_level)) return failed(k);
      if (k == 1) first_ = std::exp2(level);
      if (k == 1) worst_ = 0;
      else if (std::exp2(level) > far_above_rounding) worst_ = std::max(worst_, std::exp2(level - previous));
      for (std::size_t j = 0; j < x.size(); ++j) in_place::subtract_scaled(x[j], update_[j], exponent_, scratch_);
      if (k > 1) {
        contraction = level - previous;
        const bool is_noise = level <= floor_ + noise_bits;
        if (!is_noise) seen = std::max(seen, contraction);
        if (is_noise && contraction > least_gain) return converged(k, level, seen);
        // The first updates may come from afar: then the Jacobian moves with them.
        const double expected = previous > -rough_bits ? -1.0 : least_gain;
        if (contraction > expected) return failed(k);
      }
      if (level <= floor_) return converged(k, level, seen);
      const bool last_is_enough = level + contraction <= floor_ - 3 && 2 * level <= floor_ - 3;
      if (last_is_enough && !problem.needs_evaluation()) return converged(k, level, seen);
      renew = level > -rough_bits;
      previous = level;
    }
    return failed(most_iterations);
  }

  // Update j of the last iteration is last_update()[j] · 2^update_exponent().
  std::span<const double> last_update() const { return update_; }
  long update_exponent() const { return exponent_; }

  // log₂ of what the updates of the last solution that had several left undone; part of a run's state. Until there is
  // one, nothing is expected of an update.
  double contraction() const { return contraction_; }
  void set_contraction(double value) { contraction_ = value; }

 private:
  static constexpr int most_iterations = 60;
  static constexpr double most_paying_iterations = 16;
  static constexpr double largest_level = 10;
  static constexpr double rough_bits = 48;  // below this size of updates, moving the Jacobian changes only its rounding
  static constexpr double least_gain = -20;  // bits an iteration, with a Jacobian that is right to rounding
  static constexpr double noise_bits = 16;   // updates within so many bits of the floor may be made of rounding
  static constexpr double doubting = 10;     // bits by which contraction may be worse than it was in earlier steps

  static double floor_level() {  // log₂ of two units in the last place
    return 2.0 - static_cast<double>(significand_bits<S>());
  }

  newton_result failed(int k) const { return {newton_outcome::stalled, k, 0}; }

  newton_result converged(int k, double level, double seen) {
    if (std::isfinite(seen)) contraction_ = std::min(0.0, std::max(seen, -53.0) + doubting);
    return {newton_outcome::converged, k, std::exp2(level), first_, worst_};
  }

  // residual_ = update_ · 2^exponent_, so that residuals below the range of double are none the worse.
  bool scale_residual() {
    exponent_ = LONG_MIN;
    for (const S& r : residual_) exponent_ = std::max(exponent_, in_place::exponent(r));
    if (exponent_ == LONG_MAX) return false;
    if (exponent_ == LONG_MIN) exponent_ = 0;
    for (std::size_t j = 0; j < update_.size(); ++j) {
      update_[j] = in_place::scaled_to_double(residual_[j], exponent_);
    }
    return true;
  }

  template <class Problem>
  double weighted_level(Problem& problem) {
    double size = 0;
    for (std::size_t j = 0; j < update_.size(); ++j) {
      const double part = std::abs(update_[j]) / problem.rough_weight(j);
      if (!(part <= size)) size = part;  // keeps NaN
    }
    if (size == 0) return -std::numeric_limits<double>::infinity();
    return std::log2(size) + static_cast<double>(exponent_);
  }

  double floor_;
  Equations equations_;
  std::vector<double> update_;
  std::vector<S> residual_;
  S scratch_{0};
  long exponent_ = 0;
  double contraction_ = 0;
  double first_ = 0, worst_ = 0;  // of the last solution, as newton_result has them
};

}  // namespace actio
