// Linear equations [H B; A 0] of a motion that is held by constraints: regular although H alone may be singular.
//
// The one place that knows how such equations are solved. Entries are added one by one, so that a solver for sparse
// matrices can stand here without a change elsewhere; this one is dense. Rows and columns are scaled by powers of two
// first: the units of constraints and coordinates do not decide about pivots.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "actio/base/dense.hpp"

namespace actio {

template <class S>
class saddle_point_solver {
 public:
  explicit saddle_point_solver(std::size_t size);

  std::size_t size() const { return row_scale_.size(); }
  void set_zero() { entries_.set_zero(); }
  void add(std::size_t row, std::size_t column, const S& value) { entries_(row, column) += value; }

  // False when the matrix is singular or not finite.
  bool factorise();
  bool is_finite() const;  // the entries
  // x := K⁻¹ x, of the matrix that was factorised last.
  void solve_in_place(std::span<S> x) const;
  // Smallest over largest pivot of the scaled matrix.
  S pivot_ratio() const { return lu_.pivot_ratio(); }

  // newton_solver asks a problem to fill this.
  saddle_point_solver& matrix() { return *this; }

 private:
  actio::matrix<S> entries_, scaled_;
  std::vector<S> row_scale_, column_scale_;
  lu_factorisation<S> lu_;
};

}  // namespace actio
