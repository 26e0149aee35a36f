// W doubles side by side, for kernels that move trajectories in lanes. Comparisons choose lane by lane.
//
// Written out, because loops over lanes stay scalar where the compiler must expect that rows overlap. Kernels stand in
// functions marked ACTIO_CPU_CLONES, one for each width, and everything here is inlined into them: no call ever passes
// a vector.
#pragma once

#include <cstddef>

#include "actio/base/cpu_clones.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"

namespace actio {

template <std::size_t W>
using lanes __attribute__((vector_size(W * sizeof(double)))) = double;

// What comparing gives: all bits of a lane, or none. Decisions that combine comparisons are made for four lanes at a
// time: wider ones live in mask registers, and g++ takes them apart lane by lane.
template <std::size_t W>
inline constexpr std::size_t deciding_lanes = W < 4 ? W : 4;

template <std::size_t W>
using lane_mask __attribute__((vector_size(W * sizeof(double)))) = long long;

template <std::size_t W>
ACTIO_ALWAYS_INLINE bool is_any(lane_mask<W> mask) {
  long long any = 0;
  for (std::size_t l = 0; l < W; ++l) any |= mask[l];
  return any != 0;
}

template <std::size_t W>
ACTIO_ALWAYS_INLINE lanes<W> row(const double* from) {
  lanes<W> result;
  __builtin_memcpy(&result, from, sizeof(result));
  return result;
}

template <class V>
ACTIO_ALWAYS_INLINE void put(double* to, V value) {
  __builtin_memcpy(to, &value, sizeof(value));
}

template <class V>
ACTIO_ALWAYS_INLINE V size_of(V a) {
  return a < 0 ? -a : a;
}

template <class V>
ACTIO_ALWAYS_INLINE V larger(V a, V b) {
  return a < b ? b : a;
}

// A compensated sum in every lane, as compensated_vector has it.
template <std::size_t W>
ACTIO_ALWAYS_INLINE void add(double* values, double* remainders, lanes<W> increment) {
  using V = lanes<W>;
  const V value = row<W>(values), y = increment + row<W>(remainders), sum = value + y, part = sum - value;
  put<V>(remainders, (value - (sum - part)) + (y - part));
  put<V>(values, sum);
}

}  // namespace actio
