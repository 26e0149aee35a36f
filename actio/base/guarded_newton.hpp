// Newton's method that stays with the solution it started near, and paths of such solutions.
//
// Newton's method may end at any solution. One that belongs to the start is told by its updates: each is a small part
// of the one before. An update δ leaves about ½ κ |δ|² with κ a bound of |J⁻¹ J'| along it, and for κ |δ| ≤ ½, a
// quarter of the update, there is (Kantorovich) one solution near the start, with a regular Jacobian on the way to it;
// half of that is asked for, since κ is seen in one place only. Where the updates shrink more slowly the start is too
// far away, and a path leads there in shorter pieces.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/newton.hpp"

namespace actio {

// Of an update over the one before: up to here a solution belongs to the start.
inline constexpr double near_start = 1.0 / 8;

// Solves r(x) = target to about eight digits. Problems are those of newton_solver; they may provide
//   bool follows(std::size_t j);  // whether x_j follows from others: it need not be small where it was nothing
template <class S, class Equations = dense_equations<S>>
class guarded_newton {
 public:
  explicit guarded_newton(std::size_t size) : guarded_newton(size, Equations(size)) {}
  guarded_newton(std::size_t size, Equations equations)
      : equations_(std::move(equations)), update_(size, S(0)), weights_(size, S(0)) {}

  // The largest of an update over the one before, in the last solution.
  double contraction() const { return contraction_; }

  // An empty target is zero. Where the answer is false, x means nothing.
  template <class Problem>
  bool solve(Problem& problem, std::span<S> x, std::span<const S> target = {}) {
    constexpr int most_iterations = 20;
    double previous = 0;
    contraction_ = 0;
    for (int k = 0; k < most_iterations; ++k) {
      problem.evaluate(x, true);
      problem.residual(update_);
      for (std::size_t j = 0; j < target.size(); ++j) update_[j] -= target[j];
      problem.jacobian(equations_.matrix());
      if (!equations_.factorise()) return false;
      equations_.solve_in_place(update_);
      if (k == 0) set_weights(problem, x);
      double size = weighted_size();
      if (k > 0 && size > enough && size > near_start * previous) size = size_beyond_noise(problem);
      if (!(size <= 1e100)) return false;
      if (k > 0 && size > far_above_rounding) contraction_ = std::max(contraction_, size / previous);
      if (contraction_ > near_start) return false;
      for (std::size_t j = 0; j < x.size(); ++j) x[j] -= update_[j];
      if (size <= enough || (k > 0 && size <= stalled && size > previous / 2)) return true;
      previous = size;
    }
    return false;
  }

 private:
  static constexpr double enough = 1e-8;   // of updates relative to the unknowns
  static constexpr double stalled = 1e-5;  // nothing but rounding keeps so small an update from shrinking

  template <class Problem>
  void set_weights(Problem& problem, std::span<const S> x) {
    using std::abs;
    S largest(0);
    for (std::size_t j = 0; j < x.size(); ++j) {
      S floor = S(1e-6) * problem.weight(j);
      if constexpr (requires { problem.follows(j); }) floor = problem.follows(j) ? problem.weight(j) : floor;
      weights_[j] = abs(x[j]) + abs(update_[j]) + floor;
      if (weights_[j] > largest) largest = weights_[j];
    }
    for (S& weight : weights_) weight += S(1e-9) * largest;
  }

  double weighted_size() const { return to_double(largest_ratio<S>(update_, weights_)); }

  // Without what rounding may have made, where that is little of all: no fold of the equations makes it.
  template <class Problem>
  double size_beyond_noise([[maybe_unused]] Problem& problem) {
    if constexpr (requires { problem.rounding(std::span<S>(update_)); }) {
      using std::abs;
      last_ = update_;
      noise_.resize(update_.size(), S(0));
      find_noise<S>(problem, equations_, update_, noise_);
      problem.rounding(update_);
      std::swap(last_, update_);
      const std::vector<S>& terms = last_;
      noise_split<S> split;
      for (std::size_t j = 0; j < update_.size(); ++j) split.add(abs(update_[j]), weights_[j], noise_[j], terms[j]);
      if (split.leaves_little(little_noise_on_the_way)) return to_double(split.beyond);
    }
    return weighted_size();
  }

  Equations equations_;
  std::vector<S> update_, weights_, last_, noise_;  // the last two: made when they are first needed
  double contraction_ = 0;
};

// Follows r(x) = (1 − λ) r(x_0) from λ = 0 to 1, with the steps of λ as long as guarded_newton allows: the solution of
// r(x) = 0 that is connected with x_0. There is none where the Jacobian becomes singular on the way.
template <class S, class Equations = dense_equations<S>>
class residual_path {
 public:
  explicit residual_path(std::size_t size) : residual_path(size, Equations(size)) {}
  residual_path(std::size_t size, Equations equations)
      : newton_(size, std::move(equations)), first_(size, S(0)), target_(size, S(0)), trial_(size, S(0)) {}

  // To about eight digits; x is left alone where the answer is false.
  template <class Problem>
  bool follow(Problem& problem, std::span<S> x) {
    constexpr int most_pieces = 4000;
    constexpr double shortest = 0x1p-50;
    problem.evaluate(x, false);
    problem.residual(first_);
    double reached = 0, piece = 1;
    for (int k = 0; k < most_pieces && piece >= shortest; ++k) {
      const double next = std::min(1.0, reached + piece);
      for (std::size_t j = 0; j < x.size(); ++j) {
        target_[j] = S(1 - next) * first_[j];
        trial_[j] = x[j];
      }
      if (!newton_.solve(problem, std::span<S>(trial_), std::span<const S>(target_))) {
        piece /= 2;
        continue;
      }
      std::copy(trial_.begin(), trial_.end(), x.begin());
      if (next == 1) return true;
      reached = next;
      piece *= 2;
    }
    return false;
  }

 private:
  guarded_newton<S, Equations> newton_;
  std::vector<S> first_, target_, trial_;
};

}  // namespace actio
