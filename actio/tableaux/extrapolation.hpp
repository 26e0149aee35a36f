// Extrapolation to steps of length nothing, of results whose error is a series in h²: weights as exact rationals.
#pragma once

#include <span>
#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

// Σ_j w_j T(H/n_j) has lost the first k − 1 terms of the series, for k numbers n_j of equal parts of H:
//   w_j = Π_{i≠j} n_j² / (n_j² − n_i²).  [hairer1993, II.9]
inline std::vector<rational> extrapolation_weights(std::span<const std::size_t> parts) {
  std::vector<rational> weights;
  for (const std::size_t n : parts) {
    rational weight = 1;
    for (const std::size_t other : parts) {
      if (other == n) continue;
      const rational square = rational(n) * n;
      weight *= square / (square - rational(other) * other);
    }
    weights.push_back(weight);
  }
  return weights;
}

}  // namespace actio
