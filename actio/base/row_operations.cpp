#include "actio/base/row_operations.hpp"

#include <algorithm>
#include <cstdint>

#include "actio/base/lanes.hpp"

namespace actio {

namespace {

constexpr std::size_t width = 8;

ACTIO_CPU_CLONES void add(std::size_t count, const double* from, double* to) {
  std::size_t k = 0;
  for (; k + width <= count; k += width) put<lanes<width>>(to + k, row<width>(to + k) + row<width>(from + k));
  for (; k < count; ++k) to[k] += from[k];
}

ACTIO_CPU_CLONES void subtract(std::size_t count, const double* from, double* to) {
  std::size_t k = 0;
  for (; k + width <= count; k += width) put<lanes<width>>(to + k, row<width>(to + k) - row<width>(from + k));
  for (; k < count; ++k) to[k] -= from[k];
}

ACTIO_CPU_CLONES double sum(std::size_t count, const double* from) {
  lanes<width> even{}, odd{};
  std::size_t k = 0;
  for (; k + 2 * width <= count; k += 2 * width) {
    even += row<width>(from + k);
    odd += row<width>(from + k + width);
  }
  double rest = 0;
  for (; k < count; ++k) rest += from[k];
  even += odd;
  for (std::size_t l = 0; l < width; ++l) rest += even[l];
  return rest;
}

ACTIO_CPU_CLONES void multiple(std::size_t count, double head, double tail, const double* x, const double* value,
                               const double* remainder, double* to, double* to_remainder) {
  std::size_t k = 0;
  for (; k + width <= count; k += width) {
    using V = lanes<width>;
    const V one = row<width>(x + k), from = row<width>(value + k);
    const V y = (head * one + tail * one) + row<width>(remainder + k), all = from + y, part = all - from;
    put<V>(to_remainder + k, (from - (all - part)) + (y - part));
    put<V>(to + k, all);
  }
  for (; k < count; ++k) {
    const double from = value[k], y = (head * x[k] + tail * x[k]) + remainder[k], all = from + y, part = all - from;
    to_remainder[k] = (from - (all - part)) + (y - part);
    to[k] = all;
  }
}

ACTIO_CPU_CLONES void add_two(std::size_t count, double a_sign, const double* a, double b_sign, const double* b,
                              double* into) {
  std::size_t k = 0;
  for (; k + width <= count; k += width) {
    put<lanes<width>>(into + k, (row<width>(into + k) + a_sign * row<width>(a + k)) + b_sign * row<width>(b + k));
  }
  for (; k < count; ++k) into[k] = (into[k] + a_sign * a[k]) + b_sign * b[k];
}

// What a stage says of its coordinates, in bits: `unlike` where positions are not those of the forces, `lost` where
// numbers are not finite. Additions are what these loops wait for, so that nothing is added for it.
template <std::size_t W>
struct stage_bits {
  lane_mask<W> unlike{}, lost{};

  ACTIO_ALWAYS_INLINE void compare(const lanes<W>& a, const lanes<W>& b) {
    unlike |= reinterpret_cast<lane_mask<W>>(a) ^ reinterpret_cast<lane_mask<W>>(b);
  }
  // 0 x is ±0 for finite numbers, and no number for others.
  ACTIO_ALWAYS_INLINE void look_at(const lanes<W>& x) { lost |= reinterpret_cast<lane_mask<W>>(0.0 * x); }
};

template <std::size_t W>
ACTIO_ALWAYS_INLINE void gather(const stage_bits<W>& from, stage_bits<1>& into) {
  for (std::size_t l = 0; l < W; ++l) {
    into.unlike[0] |= from.unlike[l];
    into.lost[0] |= from.lost[l];
  }
}

sweep_outcome outcome_of(const stage_bits<1>& bits) {
  return {static_cast<unsigned long long>(bits.lost[0]) << 1 == 0, bits.unlike[0] == 0};
}

// W coordinates of a stage from the k-th on.
template <bool is_last, bool has_tails, bool has_factors>
struct stage_move {
  const stage_rows<double> by;
  const double *p_increment, *q_increment, *known;

  template <std::size_t W>
  ACTIO_ALWAYS_INLINE void at(std::size_t k, stage_bits<W>& bits) const {
    using V = lanes<W>;
    const V force = row<W>(by.force + k);
    V kick = by.kick * force;
    if constexpr (has_tails) kick = kick + by.kick_tail * force;
    const V dp = kick + row<W>(p_increment + k);
    V v = row<W>(by.p.values + k) + dp;
    if constexpr (has_factors) v = row<W>(by.factor + k) * v;
    else v = by.equal_factor * v;
    V drift = by.drift * v;
    if constexpr (has_tails) drift = drift + by.drift_tail * v;
    const V value = row<W>(by.q.values + k), dq = drift + row<W>(q_increment + k), sum = value + dq;
    bits.compare(value, row<W>(known + k));
    bits.look_at(sum);
    put<V>(by.new_p.remainders + k, dp);
    put<V>(by.new_q.values + k, sum);
    put<V>(by.force + k, V{});
    if constexpr (is_last) {
      const V part = sum - value;
      put<V>(by.new_q.remainders + k, (value - (sum - part)) + (dq - part));
      put<V>(by.force_position + k, sum);
    } else {
      put<V>(by.new_q.remainders + k, dq);
    }
  }
};

template <bool has_tails>
struct stage_end {
  const stage_rows<double> by;

  template <std::size_t W>
  ACTIO_ALWAYS_INLINE void at(std::size_t k, stage_bits<W>& bits) const {
    using V = lanes<W>;
    const V force = row<W>(by.force + k), value = row<W>(by.p.values + k);
    V kick = by.kick * force;
    if constexpr (has_tails) kick = kick + by.kick_tail * force;
    const V dp = kick + row<W>(by.new_p.remainders + k), sum = value + dp, part = sum - value;
    bits.look_at(sum);
    put<V>(by.new_p.remainders + k, (value - (sum - part)) + (dp - part));
    put<V>(by.new_p.values + k, sum);
  }
};

// Up to the first line of the cache that begins in a row, line by line, and the rest.
template <class Move>
ACTIO_ALWAYS_INLINE sweep_outcome carried_out(std::size_t count, const double* row, const Move& move) {
  constexpr std::size_t line = width * sizeof(double);
  const std::size_t head =
      std::min(count, (line - reinterpret_cast<std::uintptr_t>(row) % line) % line / sizeof(double));
  stage_bits<width> bits;
  stage_bits<2> pairs;
  stage_bits<1> rest;
  std::size_t k = 0;
  for (; k + 2 <= head; k += 2) move.template at<2>(k, pairs);
  for (; k + width <= count; k += width) move.template at<width>(k, bits);
  for (; k + 2 <= count; k += 2) move.template at<2>(k, pairs);
  for (; k < count; ++k) move.template at<1>(k, rest);
  gather(bits, rest);
  gather(pairs, rest);
  return outcome_of(rest);
}

template <bool is_last, bool has_tails>
ACTIO_ALWAYS_INLINE sweep_outcome moved(std::size_t count, const stage_rows<double>& by) {
  const double* const dp = by.is_first ? by.p.remainders : by.new_p.remainders;
  const double* const dq = by.is_first ? by.q.remainders : by.new_q.remainders;
  const double* const known = by.is_first ? by.force_position : by.q.values;
  const double* const row = by.new_q.values;
  return by.factor == nullptr ? carried_out(count, row, stage_move<is_last, has_tails, false>{by, dp, dq, known})
                              : carried_out(count, row, stage_move<is_last, has_tails, true>{by, dp, dq, known});
}

ACTIO_CPU_CLONES sweep_outcome move_stage_rows(std::size_t count, const stage_rows<double>& by) {
  const bool has_tails = by.kick_tail != 0 || by.drift_tail != 0;
  if (by.is_last) return has_tails ? moved<true, true>(count, by) : moved<true, false>(count, by);
  return has_tails ? moved<false, true>(count, by) : moved<false, false>(count, by);
}

ACTIO_CPU_CLONES sweep_outcome end_stage_rows(std::size_t count, const stage_rows<double>& by) {
  if (by.kick_tail != 0) return carried_out(count, by.new_p.values, stage_end<true>{by});
  return carried_out(count, by.new_p.values, stage_end<false>{by});
}

ACTIO_CPU_CLONES void product(std::size_t count, const double* factor, const double* x, double* to) {
  std::size_t k = 0;
  for (; k + width <= count; k += width) put<lanes<width>>(to + k, row<width>(factor + k) * row<width>(x + k));
  for (; k < count; ++k) to[k] = factor[k] * x[k];
}

// x − x is zero for finite numbers and no number for others.
ACTIO_CPU_CLONES double differences(std::size_t count, const double* from) {
  lanes<width> all{};
  std::size_t k = 0;
  for (; k + width <= count; k += width) all += row<width>(from + k) - row<width>(from + k);
  double rest = 0;
  for (; k < count; ++k) rest += from[k] - from[k];
  for (std::size_t l = 0; l < width; ++l) rest += all[l];
  return rest;
}

}  // namespace

template <>
void add_multiple<double>(std::size_t count, const double& head, const double& tail, const double* x,
                          const sum_rows<const double>& from, const sum_rows<double>& to) {
  multiple(count, head, tail, x, from.values, from.remainders, to.values, to.remainders);
}
template <>
void add_rows<double>(std::size_t count, double a_sign, const double* a, double b_sign, const double* b, double* into) {
  add_two(count, a_sign, a, b_sign, b, into);
}
template <>
sweep_outcome move_stage<double>(std::size_t count, const stage_rows<double>& by) {
  return move_stage_rows(count, by);
}
template <>
bool end_stages<double>(std::size_t count, const stage_rows<double>& by) {
  return end_stage_rows(count, by).is_finite;
}
template <>
void multiply_rows<double>(std::size_t count, const double* factor, const double* x, double* to) {
  product(count, factor, x, to);
}
template <>
bool is_finite_row<double>(std::size_t count, const double* row) {
  return differences(count, row) == 0;
}
template <>
void add_row<double>(std::size_t count, const double* from, double* to) {
  add(count, from, to);
}
template <>
void subtract_row<double>(std::size_t count, const double* from, double* to) {
  subtract(count, from, to);
}
template <>
double sum_of_row<double>(std::size_t count, const double* row) {
  return sum(count, row);
}

}  // namespace actio
