// Long rows of numbers added up, in an order that depends on their lengths alone.
#pragma once

#include <cstddef>

#include "actio/base/scalar.hpp"

namespace actio {

// to[k] += from[k] and to[k] −= from[k]; the rows do not overlap.
template <class S>
void add_row(std::size_t count, const S* from, S* to) {
  for (std::size_t k = 0; k < count; ++k) to[k] += from[k];
}
template <class S>
void subtract_row(std::size_t count, const S* from, S* to) {
  for (std::size_t k = 0; k < count; ++k) to[k] -= from[k];
}
template <class S>
S sum_of_row(std::size_t count, const S* row) {
  S sum(0);
  for (std::size_t k = 0; k < count; ++k) sum += row[k];
  return sum;
}
// A row of compensated sums: values[k] + remainders[k], as compensated.hpp has them.
template <class S>
struct sum_rows {
  S *values, *remainders;
};
// to[k] = from[k] + head x[k] + tail x[k]; `to` may be `from`.
template <class S>
void add_multiple(std::size_t count, const S& head, const S& tail, const S* x, const sum_rows<const S>& from,
                  const sum_rows<S>& to) {
  for (std::size_t k = 0; k < count; ++k) {
    const S value = from.values[k];
    const S y = (head * x[k] + tail * x[k]) + from.remainders[k];
    const S sum = value + y;
    const S part = sum - value;
    to.remainders[k] = (value - (sum - part)) + (y - part);
    to.values[k] = sum;
  }
}
// p by (kick + kick_tail) force, then q by (drift + drift_tail) factor p, from sums to sums; whether all q are finite.
template <class S>
struct kick_and_drift {
  S kick, kick_tail, drift, drift_tail;
  const S *force, *factor;
  sum_rows<const S> p, q;
  sum_rows<S> new_p, new_q;
};
template <class S>
bool move_rows(std::size_t count, const kick_and_drift<S>& by) {
  bool finite = true;
  for (std::size_t k = 0; k < count; ++k) {
    add_multiple<S>(1, by.kick, by.kick_tail, by.force + k, {by.p.values + k, by.p.remainders + k},
                    {by.new_p.values + k, by.new_p.remainders + k});
    const S velocity = by.factor[k] * by.new_p.values[k];
    add_multiple<S>(1, by.drift, by.drift_tail, &velocity, {by.q.values + k, by.q.remainders + k},
                    {by.new_q.values + k, by.new_q.remainders + k});
    finite = finite && is_finite(by.new_q.values[k]);
  }
  return finite;
}
// to[k] = factor[k] x[k].
template <class S>
void multiply_rows(std::size_t count, const S* factor, const S* x, S* to) {
  for (std::size_t k = 0; k < count; ++k) to[k] = factor[k] * x[k];
}
template <class S>
bool is_finite_row(std::size_t count, const S* row) {
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_finite(row[k])) return false;
  }
  return true;
}
template <>
void add_multiple<double>(std::size_t count, const double& head, const double& tail, const double* x,
                          const sum_rows<const double>& from, const sum_rows<double>& to);
template <>
bool move_rows<double>(std::size_t count, const kick_and_drift<double>& by);
template <>
void multiply_rows<double>(std::size_t count, const double* factor, const double* x, double* to);
template <>
bool is_finite_row<double>(std::size_t count, const double* row);
template <>
void add_row<double>(std::size_t count, const double* from, double* to);
template <>
void subtract_row<double>(std::size_t count, const double* from, double* to);
template <>
double sum_of_row<double>(std::size_t count, const double* row);

}  // namespace actio
