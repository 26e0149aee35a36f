// Quadrature rules on [0, 1], computed from their definition at the precision of S.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace actio {

template <class S>
struct quadrature_rule {
  std::vector<S> nodes;    // increasing, in [0, 1]
  std::vector<S> weights;  // positive, sum 1
  std::size_t size() const { return nodes.size(); }
};

// Roots of the Legendre polynomial P_n; exact for degree 2n-1. n ≥ 1.
template <class S>
quadrature_rule<S> gauss_rule(std::size_t n);

// 0, 1 and the roots of P'_{n-1}; exact for degree 2n-3. n ≥ 2.
template <class S>
quadrature_rule<S> lobatto_rule(std::size_t n);

// The value and the derivative of each Lagrange basis polynomial through `nodes` at x:
// value[k] = φ_k(x), slope[k] = φ_k'(x). Exact (no 0/0) when x is a node.
template <class S>
struct basis_values {
  std::vector<S> value, slope;
};
template <class S>
basis_values<S> lagrange_basis(const std::vector<S>& nodes, const S& x);
// ∫_0^x φ_k for each of them, by a rule on the same nodes that integrates these polynomials exactly.
template <class S>
std::vector<S> basis_integrals(const std::vector<S>& nodes, std::span<const S> weights, const S& x);

}  // namespace actio
