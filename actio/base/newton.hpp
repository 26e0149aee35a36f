// Newton's method to the rounding floor: it stops when the update no longer shrinks, and knows why it stopped.
//
// The Jacobian is computed at the first iterate and again only when the iteration contracts too slowly to reach the
// floor in two more steps. The last iterate is always one whose residual was evaluated: what the caller derives from
// that evaluation (momenta, forces) is as accurate as the solution. Where a problem says how far the evaluation may lag
// behind, the iteration ends when the next update is foreseen to be nothing: with one matrix updates shrink alike, and
// by as much as all unknowns, also those that follow others, were off where it was made.
//
// An update is measured against the weights of the unknowns. Some of these may be nothing but rounding, because they
// are zero by symmetry or because a wave has not reached them: their updates never shrink beside themselves. Where the
// iteration stalls, updates are therefore compared with those that rounding of the residual alone would make.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/base/largest.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

enum class newton_outcome {
  converged,
  stalled,
  singular,
  not_finite,
  elsewhere,  // converged, but to a solution that does not belong to the start; newton_solver does not say so itself
};

// Of updates relative to the unknowns.
inline constexpr double far_above_rounding = 1e-6;

struct newton_result {
  newton_outcome outcome;
  int iterations;
  double update;           // weighted size of the last update
  double first = 0;        // that of the first one
  double contraction = 0;  // the largest of an update over the one before, while updates were far above rounding
};

// What rounding of the residual makes of each unknown: of J⁻¹ρ the signs of ρ are not known, and some patterns stand
// for all. `equations` hold the J of the last evaluation, factorised; `work` is to work with.
template <class S, class Problem, class Equations>
void find_noise(Problem& problem, const Equations& equations, std::span<S> work, std::span<S> noise) {
  using std::abs;
  constexpr unsigned patterns = 4;
  const auto is_minus = [](std::size_t j, unsigned pattern) {
    return ((j * 0x9e3779b97f4a7c15ULL) >> (60 + pattern) & 1U) != 0;
  };
  std::fill(noise.begin(), noise.end(), S(0));
  for (unsigned pattern = 0; pattern < patterns; ++pattern) {
    problem.rounding(work);
    for (std::size_t j = 0; j < work.size(); ++j) {
      if (is_minus(j, pattern)) work[j] = -work[j];
    }
    equations.solve_in_place(work);
    for (std::size_t j = 0; j < work.size(); ++j) noise[j] = std::max<S>(noise[j], abs(work[j]));
  }
}

// So many times as much may still be rounding. What is left to rounding must be so little of all, or the equations are
// singular: of a solution, and on the way to one, where a few digits say that it is near.
inline constexpr double noise_margin = 64, little_noise = 1e-6, little_noise_on_the_way = 1e-3;

// An update, part by part: the largest beside its weight that rounding cannot have made, and what is left to rounding.
// Products of an unknown and the terms of its equation have one unit.
template <class S>
struct noise_split {
  S beyond{0}, left{0}, all{0};

  void add(const S& part, const S& weight, const S& noise, const S& terms) {
    all += weight * terms;
    if (part <= S(noise_margin) * noise) left += part * terms;
    else raise_to(beyond, S(part / weight));
  }
  bool leaves_little(double bound) const { return left <= S(bound) * all; }
};

// Linear equations with a dense matrix that a problem fills: the usual kind.
template <class S>
class dense_equations {
 public:
  explicit dense_equations(std::size_t size) : matrix_(size, size), lu_(size) {}
  actio::matrix<S>& matrix() { return matrix_; }
  bool factorise() { return lu_.factorise(matrix_); }
  bool is_finite() const {
    for (const S& x : matrix_.data()) {
      if (!actio::is_finite(x)) return false;
    }
    return true;
  }
  void solve_in_place(std::span<S> x) const { lu_.solve_in_place(x); }

 private:
  actio::matrix<S> matrix_;
  lu_factorisation<S> lu_;
};

// Problem provides
//   void evaluate(std::span<const S> x, bool with_jacobian);
//   void residual(std::span<S> r);                 // of the last evaluation
//   void jacobian(J&);                             // of the last evaluation with_jacobian; J is Equations::matrix()
//   S weight(std::size_t j);                       // the size against which a change of x_j counts
// and may provide
//   void rounding(std::span<S> r);                 // what rounding may make of the residual, after with_jacobian
//   S reach(std::size_t j);                        // a size of x_j that does not vanish where x_j does, or 0
//   std::span<const S> weights();                  // those of the first unknowns, which the others follow
//   double size_of(std::span<const S> update);     // in the place of weights: how much an update changes
//   double matrix_error(double size, double of_followers);  // what follows from a solution needs no evaluation there:
//                                                  // the relative error of a Jacobian made so far from it
//   double blur();                                 // relative, what rounding of its arguments makes of the Jacobian
//   bool is_linear();                              // then a small first update is the last
template <class S, class Equations = dense_equations<S>>
class newton_solver {
 public:
  explicit newton_solver(std::size_t size)
      : equations_(size), update_(size), last_(size), weights_(size), noise_(size) {}
  newton_solver(std::size_t size, Equations equations)
      : equations_(std::move(equations)), update_(size), last_(size), weights_(size), noise_(size) {}

  template <class Problem>
  newton_result solve(Problem& problem, std::span<S> x, int max_iterations = 60) {
    const double floor = to_double(S(2) * epsilon<S>());
    double previous = 0, contraction = 0, first = 0, worst = 0, last_of_all = 0;
    double matrix_error = std::numeric_limits<double>::infinity();
    bool with_jacobian = true, met_border = false;
    for (int k = 1; k <= max_iterations; ++k) {
      problem.evaluate(x, with_jacobian);
      problem.residual(update_);
      if (k > 1 && !finite(update_)) {  // the last update left the domain: go half of it back
        for (std::size_t j = 0; j < x.size(); ++j) x[j] += last_[j] /= 2;
        with_jacobian = met_border = true;
        worst = 1;
        continue;
      }
      if (with_jacobian) {
        problem.jacobian(equations_.matrix());
        if (!equations_.factorise()) {
          return {equations_.is_finite() ? newton_outcome::singular : newton_outcome::not_finite, k, 0};
        }
      }
      equations_.solve_in_place(update_);
      const double size = weighted_size(problem);
      if (!(size <= 1e100)) return {newton_outcome::not_finite, k, size};
      if constexpr (requires { problem.matrix_error(size, size); }) {
        if (with_jacobian) matrix_error = problem.matrix_error(size, size_of_followers(problem));
      }
      if (size > far_above_rounding || k == 1) {
        const double of_all = size > far_above_rounding ? std::max(size, size_of_followers(problem)) : size;
        if (k == 1) first = of_all;
        else worst = std::max(worst, of_all / last_of_all);
        last_of_all = of_all;
      }
      for (std::size_t j = 0; j < x.size(); ++j) x[j] -= update_[j];
      std::swap(update_, last_);
      if (size <= floor) return {newton_outcome::converged, k, size, first, worst};
      if constexpr (requires { problem.is_linear(); }) {
        if (problem.is_linear() && size <= 1.0 / 16) return {newton_outcome::converged, k, size, first, worst};
      }
      if (k > 1) {
        contraction = size / previous;
        if constexpr (requires { problem.matrix_error(size, size); }) {
          if (size * std::min(contraction, matrix_error) <= nothing(problem) / 4) {
            return {newton_outcome::converged, k, size, first, worst};
          }
        }
        // With a fresh Jacobian nothing but rounding keeps so small an update from shrinking.
        const double limit = with_jacobian ? std::sqrt(floor) : stall_limit * floor;
        if (contraction > 0.5 && (size <= limit || is_rounding(problem, limit))) {
          return {newton_outcome::converged, k, size, first, worst};
        }
        with_jacobian = contraction > 0.5 || std::log(floor / size) / std::log(contraction) > 2;
      } else {
        if constexpr (requires { problem.matrix_error(size, size); }) {
          if (size * matrix_error <= nothing(problem) / 64) {
            return {newton_outcome::converged, k, size, first, worst};
          }
        }
        with_jacobian = size > 1e-3;
      }
      previous = size;
    }
    return {met_border ? newton_outcome::not_finite : newton_outcome::stalled, max_iterations, previous};
  }

  // From far away: a fresh Jacobian in every iteration, and no more of an update than makes the next one, with the same
  // Jacobian, smaller than it (the natural monotonicity test, which does not depend on units of equations or unknowns).
  // Near the solution `solve` takes over. For what `solve` alone did not solve.
  template <class Problem>
  newton_result solve_damped(Problem& problem, std::span<S> x, int max_iterations = 200) {
    constexpr double near = 1e-6, shortest = 1e-9;
    double size = 0, fraction = 1;
    problem.evaluate(x, true);
    for (int k = 1; k <= max_iterations; ++k) {
      problem.residual(last_);
      problem.jacobian(equations_.matrix());
      if (!finite(last_)) return {newton_outcome::not_finite, k, size};
      if (!equations_.factorise()) {
        return {equations_.is_finite() ? newton_outcome::singular : newton_outcome::not_finite, k, size};
      }
      equations_.solve_in_place(last_);
      for (std::size_t j = 0; j < x.size(); ++j) weights_[j] = problem.weight(j);
      size = size_of(last_);
      if (!(size <= 1e100)) return {newton_outcome::not_finite, k, size};
      if (size <= near) {
        newton_result result = solve(problem, x);
        result.iterations += k;
        result.first = result.contraction = 1;  // it came from far away: nothing says that it belongs to the start
        return result;
      }
      fraction = std::min(1.0, 4 * fraction);
      while (!advances(problem, x, fraction, size)) {
        fraction /= 2;
        if (fraction < shortest) return {newton_outcome::stalled, k, size};
      }
      for (std::size_t j = 0; j < x.size(); ++j) x[j] = noise_[j];
    }
    return {newton_outcome::stalled, max_iterations, size};
  }

  // Those of the last solution, factorised.
  Equations& equations() { return equations_; }

 private:
  // An update that has stopped shrinking is rounding noise when it is below this many floors.
  static constexpr double stall_limit = 1e5;

  template <class Problem>
  double weighted_size(Problem& problem) {
    using std::abs;
    if constexpr (requires { problem.size_of(std::span<const S>(update_)); }) {
      return problem.size_of(update_);
    } else if constexpr (requires { problem.weights(); }) {
      const std::span<const S> weights = problem.weights();
      return to_double(largest_ratio<S>(std::span<const S>(update_).first(weights.size()), weights));
    } else {
      S size(0);
      for (std::size_t j = 0; j < update_.size(); ++j) {
        const S part = abs(update_[j]) / problem.weight(j);
        if (!(part <= size)) size = part;  // keeps NaN
      }
      return to_double(size);
    }
  }

  // Of the unknowns that follow others.
  template <class Problem>
  double size_of_followers([[maybe_unused]] Problem& problem) {
    using std::abs;
    S size(0);
    if constexpr (requires { problem.weights(); }) {
      for (std::size_t j = problem.weights().size(); j < update_.size(); ++j) {
        raise_to(size, S(abs(update_[j]) / problem.weight(j)));
      }
    }
    return to_double(size);
  }

  // Updates that are no more are nothing.
  template <class Problem>
  static double nothing([[maybe_unused]] Problem& problem) {
    const double floor = to_double(S(2) * epsilon<S>());
    if constexpr (requires { problem.blur(); }) return std::max(floor, problem.blur());
    else return floor;
  }

  static bool finite(std::span<const S> values) {
    for (const S& a : values) {
      if (!is_finite(a)) return false;
    }
    return true;
  }

  // Whether the update that follows a fraction of last_ is smaller by as much as can be expected; noise_ gets where it
  // leads.
  template <class Problem>
  bool advances(Problem& problem, std::span<const S> x, double fraction, double size) {
    for (std::size_t j = 0; j < x.size(); ++j) noise_[j] = x[j] - S(fraction) * last_[j];
    problem.evaluate(noise_, true);
    problem.residual(update_);
    if (!finite(update_)) return false;
    equations_.solve_in_place(update_);
    return size_of(update_) <= (1 - fraction / 4) * size;
  }

  // With the weights that were kept.
  double size_of(std::span<const S> update) const {
    S size(0);
    for (std::size_t j = 0; j < update.size(); ++j) {
      using std::abs;
      const S part = abs(update[j]) / weights_[j];
      if (!(part <= size)) size = part;  // keeps NaN
    }
    return to_double(size);
  }

  // Whether rounding of the residual may make those parts of the last update all by itself that are larger than `limit`
  // of their weight.
  template <class Problem>
  bool is_rounding([[maybe_unused]] Problem& problem, [[maybe_unused]] double limit) {
    if constexpr (requires { problem.rounding(std::span<S>(update_)); }) {
      using std::abs;
      find_noise<S>(problem, equations_, update_, noise_);
      // Where all unknowns may be rounding, their reach stands for them.
      const S smallest_precise = std::same_as<S, multi> ? S(0) : S(std::numeric_limits<S>::min() / epsilon<S>());
      noise_split<S> split;
      problem.rounding(update_);
      for (std::size_t j = 0; j < last_.size(); ++j) {
        const S weight = problem.weight(j);
        S extent = weight;
        if constexpr (requires { problem.reach(j); }) extent = std::max<S>(extent, problem.reach(j));
        const S part = abs(last_[j]);
        const bool is_small = part <= std::max<S>(S(limit) * weight, smallest_precise);
        split.add(is_small ? S(0) : part, extent, noise_[j], update_[j]);
      }
      return split.beyond == S(0) && split.leaves_little(little_noise);
    } else {
      return false;
    }
  }

  Equations equations_;
  std::vector<S> update_, last_, weights_, noise_;
};

}  // namespace actio
