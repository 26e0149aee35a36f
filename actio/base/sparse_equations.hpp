// Linear equations with a sparse matrix of a fixed pattern: factorised many times, without allocation in double.
//
// Block elimination in the order of a sparse_layout, with row exchanges inside blocks. Where a pivot is small beside
// its row, a product that is known is solved for; if that fails too, or a block is singular, the matrix is factorised
// once more in the other order that its pattern has, and at last with pivots wherever they are large enough
// (sparse_pivoting.hpp). What is found depends on the matrix alone, not on those before it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "actio/base/sparse_layout.hpp"
#include "actio/base/sparse_pivoting.hpp"

namespace actio {

template <class S>
class sparse_equations {
 public:
  explicit sparse_equations(sparse_pattern pattern);

  std::size_t size() const { return pattern_->size; }
  // One a pair of the pattern, in its order.
  std::span<S> entries() { return entries_; }
  std::span<const S> entries() const { return entries_; }
  sparse_equations& matrix() { return *this; }  // newton_solver asks a problem to fill this

  // False when the matrix is singular or not finite.
  bool factorise();
  bool is_finite() const;
  // x := K⁻¹ x, of the matrix that was factorised last and whose entries are still there.
  void solve_in_place(std::span<S> x) const;

  // Of the last factorisation: an unknown that the equations do not determine, where it failed.
  std::size_t undetermined() const { return undetermined_; }
  // The smallest pivot beside its row, and whether pivots were looked for outside blocks.
  const S& smallest_pivot() const { return smallest_; }
  bool searched_pivots() const { return pivoted_.has_factors(); }

 private:
  bool eliminate();
  bool eliminate_by(const std::shared_ptr<const sparse_layout>& layout);
  bool eliminate_otherwise();
  bool passes_probe() const;
  void substitute(std::span<S> x) const;
  // r −= K x, and size := |K||x| + |r before|.
  void subtract_product(std::span<const S> x, std::span<S> r, std::span<S> size) const;

  std::shared_ptr<const sparse_pattern> pattern_;
  std::shared_ptr<const sparse_layout> first_, other_, layout_;  // other_: made when first needed; layout_: in use
  std::vector<S> entries_, values_;
  std::vector<std::uint32_t> swapped_with_;  // of each pivot, within its block
  std::vector<S> scale_;                     // of the rows of a block
  pivoting_factorisation<S> pivoted_;
  bool is_doubtful_ = false;  // solutions are refined
  S smallest_{0};
  std::size_t undetermined_ = 0;
  mutable std::vector<S> ordered_, right_, rest_, extent_;
  mutable S product_{0};
};

}  // namespace actio
