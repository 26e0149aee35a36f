// The largest of measured quantities. std::max and comparisons forget NaN; here one that is not a number stays, so that
// what was not measured cannot pass for small.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace actio {

// largest := max(largest, value), NaN where either is.
template <class S>
void raise_to(S& largest, const S& value) {
  if (!(value <= largest) && largest == largest) largest = value;
}

// The largest |x|, 0 of none, NaN where one is.
template <class S>
S largest_size(std::span<const S> values) {
  using std::abs;
  S result(0);
  for (const S& x : values) raise_to(result, S(abs(x)));
  return result;
}

// The largest |x_j| / size_j, NaN where one is.
template <class S>
S largest_ratio(std::span<const S> values, std::span<const S> sizes) {
  using std::abs;
  S result(0);
  for (std::size_t j = 0; j < values.size(); ++j) raise_to(result, S(abs(values[j]) / sizes[j]));
  return result;
}
template <>
double largest_ratio<double>(std::span<const double> values, std::span<const double> sizes);

}  // namespace actio
