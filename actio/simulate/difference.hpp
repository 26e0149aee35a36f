// How far two positions, or two momenta, are apart: what errors of motions are made of.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "actio/base/compensated.hpp"

namespace actio {

struct difference {
  double largest = 0;  // component
  double norm = 0;     // Euclidean; both infinite where a number is not finite
};

// With the remainders of compensated sums. Differences may be too small for their squares.
template <class S>
difference difference_of(const compensated_vector<S>& a, const compensated_vector<S>& b) {
  std::vector<double> parts(a.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    parts[i] = std::abs(to_double(a.beyond(b, i)));
    if (!(parts[i] <= largest)) largest = parts[i];
  }
  if (largest == 0) return {};
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (!std::isfinite(largest)) return {infinite, infinite};
  double sum = 0;
  for (const double d : parts) sum += (d / largest) * (d / largest);
  return {largest, largest * std::sqrt(sum)};
}

}  // namespace actio
