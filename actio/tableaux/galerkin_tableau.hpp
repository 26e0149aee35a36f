// What defines a Galerkin variational integrator: control points, quadrature, and the basis at the quadrature nodes.
//
// Notation: c_k control points (c_0 = 0, c_s = 1), φ_k Lagrange basis through them, τ_i and b_i quadrature.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "actio/base/dense.hpp"

namespace actio {

enum class node_family { gauss, lobatto, left_end, right_end };

// Degree of the path and where the action is sampled; everything else follows at the precision of the run.
struct galerkin_scheme {
  std::size_t degree;      // s
  node_family quadrature;  // left_end and right_end are the one-point rules of the symplectic Euler methods
  std::size_t points;      // number of quadrature nodes
};
// Tells it from all others.
std::string key_of(const galerkin_scheme& scheme);

// A number as the unevaluated sum of its rounding to S and the remainder of that rounding. Coefficients that are
// merely rounded act like another method and let energy drift linearly.
template <class S>
struct split_coefficients {
  matrix<S> head, tail;
};

template <class S>
struct galerkin_tableau {
  std::size_t degree = 0, points = 0;
  // c_0 … c_s: Lobatto points, which are well conditioned, and for Lobatto quadrature the nodes themselves.
  std::vector<S> control;
  std::vector<S> node, weight;           // τ_i, b_i
  split_coefficients<S> weights;         // 1 × points: b_i
  split_coefficients<S> value;           // points × (s+1): φ_k(τ_i)
  split_coefficients<S> slope;           // points × (s+1): φ_k'(τ_i)
  split_coefficients<S> weighted_value;  // (s+1) × points: b_i φ_k(τ_i)
  split_coefficients<S> weighted_slope;  // (s+1) × points: b_i φ_k'(τ_i)
};

// Computed with twice the digits of S, then split.
template <class S>
galerkin_tableau<S> make_tableau(const galerkin_scheme& scheme);

// A Gauss method as collocation: Z_i = h Σ_j a_ij K_j with a_ij = ∫_0^τ_i ℓ_j, ℓ_j the Lagrange basis through the
// nodes. It is the Galerkin method of degree s on s Gauss nodes, written for first-order equations.
template <class S>
struct collocation_tableau {
  std::size_t points = 0;
  std::vector<S> node;
  split_coefficients<S> weights;  // 1 × points
  split_coefficients<S> stages;   // points × points: a_ij
  matrix<S> extension;            // ℓ_j(1 + τ_i): the polynomial of one step continued over the next
};

template <class S>
collocation_tableau<S> make_gauss_collocation(std::size_t points);

}  // namespace actio
