// The first guess of a step's unknowns from those of earlier steps.
//
// Successive solutions z_1, z_2, … are extrapolated by backward differences, z_{j+1} ≈ Σ_{i≤m} ∇^i z_j. The error that
// order m would have made at the last step is ∇^{m+1} z_j, so the best order costs nothing to find. Beside them stands
// the extrapolation of the last step's own polynomial, better where steps are long; its error is measured. Unknowns
// that follow the others (multipliers) are extrapolated with the same order, or stay where a polynomial is continued.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/base/scalar.hpp"
#include "actio/integrate/first_guess.hpp"
#include "actio/integrate/step_memory.hpp"

namespace actio {

template <class S>
class step_predictor {
 public:
  // `continuation` maps the unknowns of one step to those of its polynomial continued over the next (s × s).
  // Other kinds of guesses than extrapolation remember nothing. `followers` unknowns stand behind those.
  step_predictor(std::size_t coordinates, matrix<S> continuation, first_guess kind = first_guess::extrapolation,
                 std::size_t followers = 0);

  bool empty() const { return count_ == 0; }
  void clear();
  // The next step has another length: what is known of it is the last solution, continued by this matrix, and followers
  // times a factor.
  void change_length(const matrix<S>& continuation, const S& of_followers = S(1));
  // Remembers a solution; `weights` (one a coordinate) make components comparable, but for followers.
  void record(std::span<const S> z, std::span<const double> weights);
  void predict(std::span<S> z) const;
  // The first guess that is wanted, where it is not the motion at the velocity of the state: then, and as long as there
  // is nothing to extrapolate, the answer is false.
  bool guess(std::span<S> z) const;
  bool looks_back() const { return kind_ == first_guess::extrapolation; }

  void remember(step_memory<S>& memory);

 private:
  // Higher differences amplify rounding by 2^m, so more digits bear higher orders.
  template <class T>
  static constexpr std::size_t deepest = std::same_as<T, double> ? 9
                                         : std::same_as<T, quad> ? 14
                                                                 : 24;

  static constexpr std::size_t orders_ahead = 3;  // of the one in use: those that are measured

  void continue_by(const matrix<S>& continuation, std::span<const S> z, std::span<S> next);

  std::size_t coordinates_, leaders_, unknowns_, depth_;  // leaders_: unknowns that are no followers
  first_guess kind_;
  matrix<S> continuation_;
  std::size_t count_ = 0;  // differences known
  std::size_t order_ = 0;  // of the next prediction
  bool use_polynomial_ = false;
  std::vector<S> differences_;  // ∇^i z, one after the other
  std::vector<S> continued_;
  std::vector<double> inverse_weights_;
  std::array<double, deepest<S> + 1> errors_{};  // largest |∇^i z|, weighted
  S fresh_{0}, next_{0};                         // to work with
};

}  // namespace actio
