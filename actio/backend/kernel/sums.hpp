// Small parts of the texts of kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "actio/backend/elementary/arithmetic.hpp"
#include "actio/base/cpu_clones.hpp"

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

// first + Σ_j a_j k_j for j < count, in chains of products side by side.
template <class N, class Left, class Right>
ACTIO_ALWAYS_INLINE N chained_sum(std::size_t count, const N* first, const Left& a, const Right& k) {
  constexpr std::size_t chains = 4;
  std::array<N, chains> sums;
  for (std::size_t j = 0; j < count; ++j) {
    N& sum = sums[j % chains];
    if (j == 0 && first) sum = fma(a(j), k(j), *first);
    else sum = j < chains ? a(j) * k(j) : fma(a(j), k(j), sum);
  }
  for (std::size_t left = std::min(count, chains); left > 1; left = (left + 1) / 2) {
    for (std::size_t i = 0; i + 1 < left; i += 2) sums[i / 2] = sums[i] + sums[i + 1];
    if (left % 2 == 1) sums[left / 2] = sums[left - 1];
  }
  return sums[0];
}

// Σ_j (a_j + remainder_j) k_j as a sum of two numbers. Starting from a number that is much larger than all terms, sums
// are multiples of its last place and differences of successive ones exact: what each term lost to that grid is known
// and summed apart.
template <class N, class Left, class Remainder, class Right>
ACTIO_ALWAYS_INLINE std::pair<N, N> accurate_sum(std::size_t count, const N& grid, const Left& a,
                                                 const Remainder& remainder, const Right& k) {
  N total = grid, lost{}, remainders{};
  for (std::size_t j = 0; j < count; ++j) {
    const N x = a(j), y = k(j), next = fma(x, y, total), missed = fma(x, y, -(next - total));
    lost = j == 0 ? missed : lost + missed;
    remainders = j == 0 ? remainder(j) * y : fma(remainder(j), y, remainders);
    total = next;
  }
  return {total - grid, lost + remainders};
}

}  // namespace actio::kernel
