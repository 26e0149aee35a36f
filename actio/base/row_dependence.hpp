// Rows of a matrix that depend on one another.
#pragma once

#include <cstddef>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/base/sparse_rows.hpp"

namespace actio {

template <class S>
struct row_dependence {
  std::size_t rank = 0;
  std::vector<S> combination;  // Σ combination_c · row_c = 0; empty where all rows are independent
};

// Rows are scaled to one; what is left of one counts as zero up to the tolerance. Of few rows by elimination with full
// pivoting, of many by sparse elimination.
template <class S>
row_dependence<S> dependence_of(std::vector<sparse_row<S>> rows, std::size_t columns, const S& tolerance);

}  // namespace actio
