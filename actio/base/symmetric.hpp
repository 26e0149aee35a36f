// Symmetric matrices at any scalar: their sign, their eigenvalues, and the modes of a pair of them.
#pragma once

#include <vector>

#include "actio/base/dense.hpp"

namespace actio {

enum class definiteness { positive, semidefinite, indefinite };

// The sign of the quadratic form, by Cholesky factorisation with pivoting after rows and columns have been scaled
// alike, so that units do not matter. What is rounding beside the scaled entries counts as zero; `entry_rounding` is
// that of the entries relative to themselves, where it is larger than that of S because they come from elsewhere.
template <class S>
definiteness definiteness_of(const matrix<S>& a, double entry_rounding = 0);

template <class S>
struct eigen_pairs {
  std::vector<S> values;  // ascending
  matrix<S> vectors;      // one column a value
};

// A = V diag(values) Vᵀ by cyclic Jacobi rotations: small, and accurate for every scalar.
template <class S>
eigen_pairs<S> symmetric_eigen(matrix<S> a);

// K x = λ M x with VᵀMV = 1, by Cholesky reduction; M must be positive definite.
template <class S>
eigen_pairs<S> generalised_eigen(const matrix<S>& k, const matrix<S>& m);

// An upper bound of the largest |λ| with K x = λ M x: the row sums of M⁻¹K. Cheap beside the eigenvalues.
template <class S>
S largest_eigenvalue_bound(const matrix<S>& k, const matrix<S>& m);

}  // namespace actio
