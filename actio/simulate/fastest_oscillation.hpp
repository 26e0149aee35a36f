// The largest frequency of M q'' + K q = f where the system is made of elements: without its matrices.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "actio/mechanics/phase_space.hpp"

namespace actio {

struct fastest_oscillation {
  double bound;      // no frequency is larger; not finite where nothing cheap is known
  double frequency;  // the largest one, from below, by Lanczos' iteration
};

// With the parameters of the space. Nothing unless L is a polynomial of degree two with constant second derivatives, of
// which those by a position and a velocity vanish, M is positive definite, and no force acts.
// `enough` says of a bound whether the frequency itself is of no interest any more; it is then that bound.
template <class S, class Enough>
std::optional<fastest_oscillation> fastest_oscillation_of(const phase_space<S>& space, Enough&& enough);

// How M⁻¹K acts, from forces at rest; mutable.
class stiffness_operator {
 public:
  // Nothing where there is none, for the reasons above.
  static std::optional<stiffness_operator> of(const system_code& code, std::vector<double> parameters);
  stiffness_operator(stiffness_operator&&) noexcept;
  ~stiffness_operator();

  // The largest Σ_j |K_ij| / M_ii, which no eigenvalue of M⁻¹K exceeds; not finite where M is not diagonal.
  double bound();
  // The largest eigenvalue to about ten digits, or as many as some hundred products give.
  std::optional<double> largest_eigenvalue();

 private:
  struct parts;
  explicit stiffness_operator(std::unique_ptr<parts> made);
  std::unique_ptr<parts> parts_;
};

template <class S, class Enough>
std::optional<fastest_oscillation> fastest_oscillation_of(const phase_space<S>& space, Enough&& enough) {
  std::vector<double> parameters;
  for (const S& p : space.parameters()) parameters.push_back(to_double(p));
  std::optional<stiffness_operator> stiffness = stiffness_operator::of(*space.code(), std::move(parameters));
  if (!stiffness) return std::nullopt;
  const double bound = std::sqrt(stiffness->bound());
  if (std::isfinite(bound) && enough(bound)) return fastest_oscillation{bound, bound};
  const std::optional<double> square = stiffness->largest_eigenvalue();
  if (!square) return std::nullopt;
  return fastest_oscillation{bound, std::sqrt(std::max(0.0, *square))};
}

}  // namespace actio
