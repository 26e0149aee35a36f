// Newton's method for more digits than a double has: residuals in S, the Jacobian and its factors in double.
//
// A Jacobian in double gains about fifteen digits an iteration, at next to no cost beside the evaluation of a residual
// in many digits. Where it gains too few (an ill-conditioned Jacobian, numbers beyond the range of double) the solver
// says so, and the caller goes on with a Jacobian in S.
//
// The update of an iteration leaves undone what it was times the contraction, which successive updates show; so it is
// known beforehand how many digits the next residual can make use of, and it is evaluated with no more. The iteration
// ends with the first update that leaves less than rounding does: nobody evaluates at its solution, and what the caller
// derives from the last evaluation he corrects to first order with `last_update`.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/base/in_place.hpp"
#include "actio/base/newton.hpp"

namespace actio {

// Problem provides
//   std::size_t grades();                          // of precision; the last one is that of S
//   double bits(std::size_t grade);                // of all but the last
//   std::span<const S> residual(std::span<const S> x, std::size_t grade);
//   bool rough_jacobian(std::span<const S> x, matrix<double>& J);  // at x; false where a double cannot hold it
//   double rough_weight(std::size_t j);            // the size against which a change of x_j counts
//   bool needs_evaluation();                       // the last evaluation must be at the solution
template <class S>
class mixed_newton {
 public:
  explicit mixed_newton(std::size_t size)
      : floor_(floor_level()), jacobian_(size, size), lu_(size), update_(size, 0.0) {}

  // Whether the digits of S are so few that gaining fifteen of them at a time beats doubling them with Jacobians in S.
  static bool pays() { return -floor_level() <= 53.0 * most_paying_iterations; }

  // `error` is the error expected of x, relative to the weights. `stalled` means that double does not do; x is then
  // anything.
  template <class Problem>
  newton_result solve(Problem& problem, std::span<S> x, double error) {
    const std::size_t full = problem.grades() - 1;
    std::size_t grade = next_grade(problem, std::log2(error), std::min(contraction_, least_gain));
    double previous = 0, rounding = 0;  // log₂ of the last update, and of what rounding left in it
    // What successive updates of this solution have shown; until then, what is remembered is believed only in part.
    double contraction = contraction_, seen = -std::numeric_limits<double>::infinity(), doubt = doubting;
    bool renew = true;
    for (int k = 1; k <= most_iterations; ++k) {
      const bool is_full = grade == full;
      const std::span<const S> residual = problem.residual(x, grade);
      if (renew && !(problem.rough_jacobian(x, jacobian_) && lu_.factorise(jacobian_))) return failed(k);
      if (!scale(residual)) return failed(k);
      lu_.solve_in_place(update_);
      const double level = weighted_level(problem);  // log₂ of the update's size
      if (!(level < largest_level)) return failed(k);
      for (std::size_t j = 0; j < x.size(); ++j) in_place::subtract_scaled(x[j], update_[j], exponent_, scratch_);
      if (k > 1) {
        const double gain = level - previous;  // or better, where rounding hides it
        if (level > rounding + noise_bits) {
          // The first updates may come from afar: then the Jacobian moves with them.
          if (gain > (previous > -rough_bits ? -1.0 : least_gain)) return failed(k);
          contraction = gain;
          doubt = 0;
          seen = std::max(seen, gain);
        } else if (gain <= contraction + doubt) {
          contraction = gain;
          doubt = 0;
        } else if (is_full && rounding <= floor_ && gain > least_gain) {
          return converged(k, level, seen);
        }
      }
      if (is_full) {
        const double left = std::min(0.0, contraction + doubt) + level;
        const bool leaves_nothing = left <= floor_ - 3 && 2 * level <= floor_ - 3;
        if (level <= floor_ || (leaves_nothing && !problem.needs_evaluation())) return converged(k, level, seen);
      }
      renew = level > -rough_bits;
      previous = level;
      rounding = is_full ? floor_ : remaining_rounding(problem, grade);
      const double expected = std::min(contraction, least_gain);
      grade = next_grade(problem, std::max(level + expected, rounding), expected);
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
    if constexpr (std::same_as<S, multi>) return 2.0 - static_cast<double>(mpfr_get_prec(S(1).backend().data()));
    else return 2.0 - std::numeric_limits<S>::digits;
  }

  // All bits where the iteration can end with them; else the fewest that bring an error of 2^error down by much, or far
  // enough for that end.
  template <class Problem>
  std::size_t next_grade(Problem& problem, double error, double gain) const {
    const std::size_t full = problem.grades() - 1;
    const double wanted = floor_ - 3 - gain;
    if (error <= wanted) return full;
    for (std::size_t grade = 0; grade < full; ++grade) {
      if (remaining_rounding(problem, grade) <= std::max(wanted, error + least_gain)) return grade;
    }
    return full;
  }

  // log₂ of the error that rounding leaves after an update of that grade.
  template <class Problem>
  static double remaining_rounding(Problem& problem, std::size_t grade) {
    return 6.0 - problem.bits(grade);
  }

  newton_result failed(int k) const { return {newton_outcome::stalled, k, 0}; }

  newton_result converged(int k, double level, double seen) {
    if (std::isfinite(seen)) contraction_ = std::min(0.0, seen);
    return {newton_outcome::converged, k, std::exp2(level)};
  }

  // residual = update_ · 2^exponent_, so that residuals below the range of double are none the worse.
  bool scale(std::span<const S> residual) {
    exponent_ = LONG_MIN;
    for (const S& r : residual) exponent_ = std::max(exponent_, in_place::exponent(r));
    if (exponent_ == LONG_MAX) return false;
    if (exponent_ == LONG_MIN) exponent_ = 0;
    for (std::size_t j = 0; j < update_.size(); ++j) {
      update_[j] = in_place::scaled_to_double(residual[j], exponent_);
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
  matrix<double> jacobian_;
  lu_factorisation<double> lu_;
  std::vector<double> update_;
  S scratch_{0};
  long exponent_ = 0;
  double contraction_ = 0;
};

}  // namespace actio
