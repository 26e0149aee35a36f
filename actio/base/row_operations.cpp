#include "actio/base/row_operations.hpp"

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

// from + (head x + tail x) into `to`, whose sum it gives.
template <std::size_t W>
ACTIO_ALWAYS_INLINE lanes<W> moved(double head, double tail, const lanes<W>& x, const sum_rows<const double>& from,
                                   const sum_rows<double>& to, std::size_t k) {
  using V = lanes<W>;
  const V value = row<W>(from.values + k);
  const V y = (head * x + tail * x) + row<W>(from.remainders + k), all = value + y, part = all - value;
  put<V>(to.remainders + k, (value - (all - part)) + (y - part));
  put<V>(to.values + k, all);
  return all;
}

ACTIO_CPU_CLONES bool kicked_and_drifted(std::size_t count, const kick_and_drift<double>& by) {
  lanes<width> lost{};
  std::size_t k = 0;
  for (; k + width <= count; k += width) {
    using V = lanes<width>;
    const V p = moved<width>(by.kick, by.kick_tail, row<width>(by.force + k), by.p, by.new_p, k);
    const V v = row<width>(by.factor + k) * p;
    const V q = moved<width>(by.drift, by.drift_tail, v, by.q, by.new_q, k);
    lost += q - q;
  }
  double rest = 0;
  for (; k < count; ++k) {
    const lanes<1> p = moved<1>(by.kick, by.kick_tail, row<1>(by.force + k), by.p, by.new_p, k);
    const lanes<1> q = moved<1>(by.drift, by.drift_tail, row<1>(by.factor + k) * p, by.q, by.new_q, k);
    rest += q[0] - q[0];
  }
  for (std::size_t l = 0; l < width; ++l) rest += lost[l];
  return rest == 0;
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
bool move_rows<double>(std::size_t count, const kick_and_drift<double>& by) {
  return kicked_and_drifted(count, by);
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
