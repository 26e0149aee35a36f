// A sparse matrix factorised with pivots wherever they are large enough: slower than a fixed order, for matrices that
// none serves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/sparse_layout.hpp"
#include "actio/base/sparse_rows.hpp"

namespace actio {

// Gaussian elimination with pivots that are at least a tenth of what is left of their row and join few rows to few
// columns (Markowitz). Rows are scaled to one first.
template <class S>
class pivoting_factorisation {
 public:
  // False where the matrix is singular. Allocates.
  bool factorise(const sparse_pattern& pattern, std::span<const S> entries);
  void solve_in_place(std::span<S> x) const;

  bool has_factors() const { return has_factors_; }
  void clear() { has_factors_ = false; }
  // Of rows scaled to one; an unknown that is not determined, where it failed.
  const S& smallest_pivot() const { return smallest_; }
  std::size_t undetermined() const { return undetermined_; }

 private:
  struct pivot {
    std::uint32_t row, column;
    S value;
  };

  bool has_factors_ = false;
  std::vector<S> scale_;
  std::vector<sparse_row<S>> rows_;  // those of pivots: what is left of them, without the pivot
  std::vector<pivot> pivots_;
  std::vector<row_subtraction<S>> subtractions_;
  S smallest_{0};
  std::size_t undetermined_ = 0;
};

}  // namespace actio
