// Blocks of sparse elimination with sizes that chains have, in doubles: what is worked on stays in registers. Internal
// to base/; everything is inlined into functions marked ACTIO_CPU_CLONES.
//
// Of [D U; L T] with D b × b, rows of D and of L stand in lanes: D becomes D⁻¹ by sweeps (Gauss–Jordan in place, with
// columns exchanged where a pivot is small), L becomes L D⁻¹, and L D⁻¹ U is subtracted from T. Rows may be read
// beyond their ends, up to `row_excess` numbers: those lanes mean nothing.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "actio/base/lanes.hpp"
#include "actio/base/sparse_layout.hpp"

namespace actio {

inline constexpr std::size_t row_excess = 8;

// A pivot stays where none beside it is so many times larger, measured by their columns (or rows).
inline constexpr double most_growth = 16;

// A power of two near 1 / size, or something that makes no pivot where there is none or it is not finite.
ACTIO_ALWAYS_INLINE double pivot_scale(double size) {
  constexpr std::uint64_t exponents = 0x7ff0'0000'0000'0000, largest = 0x7fe0'0000'0000'0000;
  return std::bit_cast<double>(largest - (std::bit_cast<std::uint64_t>(size) & exponents));
}

template <std::size_t B, std::size_t W>
struct block_kernel {
  static constexpr std::size_t padded(std::size_t size) { return size <= 1 ? 1 : size <= 2 ? 2 : size <= 4 ? 4 : 8; }
  static constexpr std::size_t width = W, own_lanes = padded(B), lanes_beside = padded(W);
  using own_row = lanes<own_lanes>;
  using row_beside = lanes<lanes_beside>;

  // False, with the column in `failed`, where there is no pivot. The smallest one beside its column goes into
  // `smallest`. `product` := L D⁻¹ U, W rows of lanes_beside.
  ACTIO_ALWAYS_INLINE static bool eliminate(double* d, const double* u, double* l, row_beside* product,
                                            double& smallest, std::size_t& failed) {
    own_row of_d[B], of_l[W];
    double scale[own_lanes];
    std::size_t swapped_with[B];
    own_row largest{};
    for (std::size_t k = 0; k < B; ++k) {
      of_d[k] = row<own_lanes>(d + k * B);
      largest = larger(largest, size_of(of_d[k]));
    }
    for (std::size_t r = 0; r < W; ++r) {
      of_l[r] = row<own_lanes>(l + r * B);
      largest = larger(largest, size_of(of_l[r]));
    }
    for (std::size_t k = 0; k < B; ++k) scale[k] = pivot_scale(largest[k]);
    for (std::size_t k = 0; k < B; ++k) {
      std::size_t pivot = k;
      double own = pivot_size(of_d[k][k] * scale[k]);
      if (k + 1 < B) {
        double best = own;
        for (std::size_t i = k + 1; i < B; ++i) {
          const double other = pivot_size(of_d[k][i] * scale[i]);
          best = best < other ? other : best;
        }
        if (!(most_growth * own >= best)) pivot = exchange(k, best, of_d, of_l, scale), own = best;
      }
      swapped_with[k] = pivot;
      if (!(own > 0)) {
        failed = k;
        return false;
      }
      if (own < smallest) smallest = own;
      const double inverse = 1 / of_d[k][k];
      const own_row factor = of_d[k] * inverse;
      for (std::size_t j = 0; j < B; ++j) {
        if (j != k) sweep(of_d[j], factor, inverse, k);
      }
      for (std::size_t r = 0; r < W; ++r) sweep(of_l[r], factor, inverse, k);
      of_d[k] = -factor;
      of_d[k][k] = inverse;
    }
    for (std::size_t k = B; k-- > 0;) {
      if (swapped_with[k] != k) std::swap(of_d[k], of_d[swapped_with[k]]);
    }
    for (std::size_t k = 0; k < B; ++k) __builtin_memcpy(d + k * B, &of_d[k], B * sizeof(double));
    for (std::size_t r = 0; r < W; ++r) __builtin_memcpy(l + r * B, &of_l[r], B * sizeof(double));
    row_beside of_u[B];
    for (std::size_t k = 0; k < B; ++k) of_u[k] = row<lanes_beside>(u + k * W);
    for (std::size_t r = 0; r < W; ++r) {
      product[r] = of_u[0] * of_l[r][0];
      for (std::size_t k = 1; k < B; ++k) product[r] += of_u[k] * of_l[r][k];
    }
    return true;
  }

  // part := L D⁻¹ x
  ACTIO_ALWAYS_INLINE static void forward(const double* l, const double* x, double* part) {
    for (std::size_t r = 0; r < W; ++r) {
      part[r] = l[r * B] * x[0];
      for (std::size_t k = 1; k < B; ++k) part[r] += l[r * B + k] * x[k];
    }
  }

  // x := D⁻¹ (x − U y)
  ACTIO_ALWAYS_INLINE static void backward(const double* d, const double* u, const double* y, double* x) {
    double rest[B];
    for (std::size_t k = 0; k < B; ++k) {
      rest[k] = x[k];
      for (std::size_t c = 0; c < W; ++c) rest[k] -= u[k * W + c] * y[c];
    }
    for (std::size_t k = 0; k < B; ++k) {
      x[k] = d[k * B] * rest[0];
      for (std::size_t j = 1; j < B; ++j) x[k] += d[k * B + j] * rest[j];
    }
  }

 private:
  ACTIO_ALWAYS_INLINE static double pivot_size(double x) { return x < 0 ? -x : x; }

  ACTIO_ALWAYS_INLINE static void sweep(own_row& a, const own_row& factor, double inverse, std::size_t k) {
    const double at = a[k];
    a -= factor * at;
    a[k] = at * inverse;
  }

  // Brings the column that is `best` to place k.
  [[gnu::noinline]] static std::size_t exchange(std::size_t k, double best, own_row* of_d, own_row* of_l,
                                                double* scale) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < B; ++i) {
      if (pivot_size(of_d[k][i] * scale[i]) == best) pivot = i;
    }
    const auto exchange_in = [&](own_row& a) {
      const double kept = a[k];
      a[k] = a[pivot];
      a[pivot] = kept;
    };
    for (std::size_t j = 0; j < B; ++j) exchange_in(of_d[j]);
    for (std::size_t r = 0; r < W; ++r) exchange_in(of_l[r]);
    std::swap(scale[k], scale[pivot]);
    return pivot;
  }
};

// use(block_kernel<B, W>{}) for a block of those sizes; false where it has no kernel.
template <class Use>
ACTIO_ALWAYS_INLINE bool with_kernel(const sparse_layout::block& b, Use&& use) {
  switch (std::uint64_t{b.size} << 32 | b.width) {
    case std::uint64_t{1} << 32 | 1: use(block_kernel<1, 1>{}); return true;
    case std::uint64_t{1} << 32 | 2: use(block_kernel<1, 2>{}); return true;
    case std::uint64_t{2} << 32 | 1: use(block_kernel<2, 1>{}); return true;
    case std::uint64_t{2} << 32 | 2: use(block_kernel<2, 2>{}); return true;
    case std::uint64_t{2} << 32 | 4: use(block_kernel<2, 4>{}); return true;
    case std::uint64_t{3} << 32 | 2: use(block_kernel<3, 2>{}); return true;
    case std::uint64_t{3} << 32 | 3: use(block_kernel<3, 3>{}); return true;
    case std::uint64_t{4} << 32 | 4: use(block_kernel<4, 4>{}); return true;
    case std::uint64_t{6} << 32 | 6: use(block_kernel<6, 6>{}); return true;
    case std::uint64_t{8} << 32 | 8: use(block_kernel<8, 8>{}); return true;
    default: return false;
  }
}

}  // namespace actio
