// The coefficients of the Lobatto IIIA–IIIB pairs, partitioned Runge–Kutta methods for q' = H_p, p' = −H_q.
//
// Notation: c_i and b_i the Lobatto rule of s nodes, ℓ_j the Lagrange basis through them,
//   IIIA, for positions:  a_ij = ∫_0^{c_i} ℓ_j, collocation
//   IIIB, for momenta:    â_ij with b_i â_ij + b_j a_ji = b_i b_j, which makes the pair symplectic.
// [hairer2006, Sections II.2.2 and VI.4; jay1996]
#pragma once

#include <cstddef>
#include <vector>

#include "actio/tableaux/galerkin_tableau.hpp"

namespace actio {

template <class S>
struct lobatto_pair {
  std::size_t stages = 0;
  std::vector<S> node;
  split_coefficients<S> weights;   // 1 × s
  split_coefficients<S> position;  // s × s: a_ij
  split_coefficients<S> momentum;  // s × s: â_ij
  matrix<S> extension;             // ℓ_j(1 + c_i): the velocities of one step continued over the next
};

// Computed with twice the digits of S, then split. At least two stages.
template <class S>
lobatto_pair<S> make_lobatto_pair(std::size_t stages);

}  // namespace actio
