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
// into[k] = (into[k] + a_sign a[k]) + b_sign b[k]; signs are ±1.
template <class S>
void add_rows(std::size_t count, double a_sign, const S* a, double b_sign, const S* b, S* into) {
  for (std::size_t k = 0; k < count; ++k) into[k] = (into[k] + a_sign * a[k]) + b_sign * b[k];
}
// A kick and a drift of one stage, and what ends a step. Rows `p` and `q` are those of the left end; what a step adds
// to them is gathered first and added as one compensated sum, so that the remainders of the new rows hold increments
// until then.
template <class S>
struct stage_rows {
  S kick, kick_tail, drift, drift_tail;
  const S* factor;  // velocities are p times these, or all times `equal_factor` where there are none
  S equal_factor;
  sum_rows<const S> p, q;     // at the left end
  sum_rows<S> new_p, new_q;   // until the end, new_p has remainders alone
  S *force, *force_position;  // `force` is that at the positions before, and zero afterwards
  bool is_first, is_last;
};
struct sweep_outcome {
  bool is_finite, is_known;  // is_known: q was force_position
};
// p_i = p + Δp + kick force, q_i = q + Δq + drift factor p_i. The first stage compares q with force_position, the last
// one ends the sum of q, which force_position becomes.
template <class S>
sweep_outcome move_stage(std::size_t count, const stage_rows<S>& by) {
  sweep_outcome outcome{true, true};
  const S* const p_increment = by.is_first ? by.p.remainders : by.new_p.remainders;
  const S* const q_increment = by.is_first ? by.q.remainders : by.new_q.remainders;
  for (std::size_t k = 0; k < count; ++k) {
    const S dp = (by.kick * by.force[k] + by.kick_tail * by.force[k]) + p_increment[k];
    const S v = (by.factor == nullptr ? by.equal_factor : by.factor[k]) * (by.p.values[k] + dp);
    const S value = by.q.values[k], dq = (by.drift * v + by.drift_tail * v) + q_increment[k], sum = value + dq;
    outcome.is_known = outcome.is_known && (!by.is_first || value == by.force_position[k]);
    const S part = sum - value;
    by.new_p.remainders[k] = dp;
    by.new_q.remainders[k] = by.is_last ? S((value - (sum - part)) + (dq - part)) : dq;
    by.new_q.values[k] = sum;
    by.force[k] = S(0);
    if (by.is_last) by.force_position[k] = sum;
    outcome.is_finite = outcome.is_finite && is_finite(sum);
  }
  return outcome;
}
// The last kick: new p = p + Δp + kick force. Whether all of them are finite.
template <class S>
bool end_stages(std::size_t count, const stage_rows<S>& by) {
  bool finite = true;
  for (std::size_t k = 0; k < count; ++k) {
    const S value = by.p.values[k], dp = (by.kick * by.force[k] + by.kick_tail * by.force[k]) + by.new_p.remainders[k];
    const S sum = value + dp, part = sum - value;
    by.new_p.remainders[k] = (value - (sum - part)) + (dp - part);
    by.new_p.values[k] = sum;
    finite = finite && is_finite(sum);
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
void add_rows<double>(std::size_t count, double a_sign, const double* a, double b_sign, const double* b, double* into);
template <>
sweep_outcome move_stage<double>(std::size_t count, const stage_rows<double>& by);
template <>
bool end_stages<double>(std::size_t count, const stage_rows<double>& by);
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
