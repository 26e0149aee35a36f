// Rows of the stages of Gauss methods for q'' = a(q, q', t), one row of coordinates a node.
//
// With a_ij the coefficients of the method, W_j the accelerations at the nodes and v the velocity at the start,
//   Q_i = q + (h c_i v + h² Σ_j α_ij W_j),  α = a²,      V_i = v + h Σ_j a_ij W_j.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

// Everything at one step; rows of `count` numbers, one a node where there are several.
template <class S>
struct nystrom_rows {
  std::size_t count, points;
  const S *position, *remainder, *velocity;
  const S* factor;       // h c_i
  const S* coefficient;  // h² α_ij, by rows
  std::span<S* const> acceleration, stage;
};

// Moves the stages to new ones. The largest change beside the size |q| + |Q − q| of its coordinate; not a number where
// one is not.
template <class S>
S move_stages(const nystrom_rows<S>& rows);

// to = base + Σ_j coefficient_j W_j.
template <class S>
void combine_rows(std::size_t count, std::span<const S> coefficient, std::span<S* const> rows, const S* base, S* to);

// What a step adds: Σ_j (head_j + tail_j) W_j [+ (head + tail) v], as a sum of two numbers, to a row of compensated
// sums.
template <class S>
struct step_sum {
  std::size_t count;
  std::span<const S> head, tail;
  std::span<const S* const> rows;
};
template <class S>
void add_step(const step_sum<S>& of, S* values, S* remainders);

}  // namespace actio
