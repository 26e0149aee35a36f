// Eigenvalues of square matrices that need not be symmetric.
#pragma once

#include <complex>
#include <vector>

#include "actio/base/dense.hpp"

namespace actio {

// In no particular order, each to about rounding of the matrix's size; those of a Jordan block of size k to the k-th
// root of that. Reduction to Hessenberg form, then QR iterations with shifts. Empty where these do not converge.
std::vector<std::complex<double>> eigenvalues(const matrix<double>& a);

}  // namespace actio
