// Small parts of the texts of kernels.
#pragma once

#include <utility>

#include "actio/backend/elementary/arithmetic.hpp"

namespace actio::kernel {

// The operations of doubles; those of other numbers are found beside their types.
using elementary::absolute;
using elementary::floor;
using elementary::fma;
using elementary::rarely;
using elementary::select;
using elementary::sqrt;

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
