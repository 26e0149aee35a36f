// Linear equations [H B; A 0] of a motion that is held by constraints: regular although H alone may be singular.
//
// The one place that knows how such equations are solved, and that decides between a dense and a sparse solver. Entries
// are added one by one; a sparse solver learns its pattern from the first matrix, so that they must come in the same
// order every time. In the dense one rows and columns are scaled by powers of two first: the units of constraints and
// coordinates do not decide about pivots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/base/sparse_equations.hpp"

namespace actio {

// Whether unknowns of these groups (sparse_layout.hpp) are many enough, and the groups small enough, to be solved
// sparsely.
bool is_worth_sparse(std::span<const std::uint32_t> group);

template <class S>
class saddle_point_solver {
 public:
  explicit saddle_point_solver(std::size_t size);  // dense
  // Of unknowns in groups, dense where sparse does not pay. The pattern has no entries yet.
  explicit saddle_point_solver(sparse_pattern groups);

  std::size_t size() const { return size_; }
  bool is_sparse() const { return sparse_.has_value() || recorded_.size > 0; }
  void set_zero();
  void add(std::size_t row, std::size_t column, const S& value) {
    if (sparse_) sparse_->entries()[next_++] = value;
    else if (recorded_.size > 0) record(row, column, value);
    else entries_(row, column) += value;
  }

  // False when the matrix is singular or not finite.
  bool factorise();
  bool is_finite() const;  // the entries
  // x := K⁻¹ x, of the matrix that was factorised last.
  void solve_in_place(std::span<S> x) const;
  // Smallest over largest pivot of the scaled matrix; of a sparse one the smallest beside its row.
  S pivot_ratio() const { return sparse_ ? sparse_->smallest_pivot() : lu_.pivot_ratio(); }
  // Of a sparse matrix that is singular: an unknown that is not determined.
  std::optional<std::size_t> undetermined() const;

  // newton_solver asks a problem to fill this.
  saddle_point_solver& matrix() { return *this; }

 private:
  void record(std::size_t row, std::size_t column, const S& value);

  std::size_t size_;
  actio::matrix<S> entries_, scaled_;
  std::vector<S> row_scale_, column_scale_;
  lu_factorisation<S> lu_;
  sparse_pattern recorded_;  // until the first factorisation
  std::vector<S> recorded_values_;
  std::optional<sparse_equations<S>> sparse_;
  std::size_t next_ = 0;  // entry
};

}  // namespace actio
