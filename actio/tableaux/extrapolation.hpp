// Extrapolation to steps of length nothing, of results whose error is a series in h²: weights as exact rationals.
#pragma once

#include <span>
#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

// Σ_j w_j T(H/n_j) has lost the first k − 1 terms of the series, for the first k numbers n_j of equal parts of H:
//   w_j = Π_{i≠j} n_j² / (n_j² − n_i²),  [hairer1993, II.9]
// for k = 0, 1, …, each from the one before.
inline std::vector<std::vector<rational>> extrapolation_weights(std::span<const std::size_t> parts) {
  std::vector<std::vector<rational>> weights(1);
  const auto factor = [&](std::size_t j, std::size_t i) {
    const rational square = rational(parts[j]) * parts[j];
    return rational(square / (square - rational(parts[i]) * parts[i]));
  };
  for (std::size_t k = 0; k < parts.size(); ++k) {
    std::vector<rational> next = weights.back();
    rational last = 1;
    for (std::size_t j = 0; j < k; ++j) {
      next[j] *= factor(j, k);
      last *= factor(k, j);
    }
    next.push_back(last);
    weights.push_back(std::move(next));
  }
  return weights;
}

}  // namespace actio
