// Splitting methods for H = T(p) + V(q): kicks, which are the exact motion under V alone, and drifts, which are that
// under T alone, one after the other.
//
// Notation: a method starts with a kick of length b_1 h, then drifts by a_1 h, kicks by b_2 h, ...; S_h is the Strang
// splitting, half a kick, a drift, half a kick. A composition S_{γ_s h} ∘ … ∘ S_{γ_1 h} of Strang steps is again such a
// sequence: a_i = γ_i, b_i = (γ_{i−1} + γ_i)/2.
#pragma once

#include <cstddef>
#include <vector>

#include "actio/tableaux/wide_real.hpp"

namespace actio {

enum class composition_kind {
  lie_trotter,  // one kick, one drift
  drift_first,  // one drift, one kick: its adjoint
  triple_jump,  // γ = (z, 1 − 2z, z) in powers: order p from order p − 2 [yoshida1990]; order 2 is S_h itself
  fivefold,     // γ = (z, z, 1 − 4z, z, z) in powers [suzuki1990]
  symmetric,    // the solution of the order conditions near `start`
};

struct splitting_scheme {
  composition_kind kind = composition_kind::lie_trotter;
  int order = 1;
  // Of the palindrome γ_1 … γ_s the weights from the first to the middle one, roughly: they choose a solution, whose
  // digits are computed. As many as there are conditions.
  std::vector<double> start = {};
};

// γ_1 … γ_s of a composition of Strang steps, in wide numbers of the current precision.
std::vector<wide_real> composition_weights(const splitting_scheme& scheme);

// What remains of the order conditions for γ, up to the terms of weight order − 1. A product of exp(Σ_k γ_i^k Y_k), k
// odd, is exp(Y_1) up to there if and only if the coefficients of all Lyndon words in the letters Y_k are: the others
// follow by shuffles, and those of even weight from the symmetry of γ.
std::vector<wide_real> order_defects(const std::vector<wide_real>& weights, int order);

// A sequence of lengths as the rounded value and the remainder of its rounding.
template <class S>
struct split_sequence {
  std::vector<S> head, tail;
};

// Lengths of kicks and drifts, already multiplied by the step, and the times of the kicks after the start of the step.
// There is one kick for each drift, or one more.
template <class S>
struct splitting_tableau {
  split_sequence<S> kick, drift;
  std::vector<S> time;
};

// Computed with twice the digits of S, then split.
template <class S>
splitting_tableau<S> make_splitting(const splitting_scheme& scheme, const S& step);

}  // namespace actio
