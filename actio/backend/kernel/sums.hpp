// Small parts of the texts of kernels.
#pragma once

#include <utility>

namespace actio::kernel {

// The larger one; b where one is not a number.
template <class N>
N larger(const N& a, const N& b) {
  return select(a > b, a, b);
}

// a + b = first + second.
template <class N>
std::pair<N, N> exact_sum(const N& a, const N& b) {
  const N sum = a + b, of_b = sum - a, of_a = sum - of_b;
  return {sum, (a - of_a) + (b - of_b)};
}

}  // namespace actio::kernel
