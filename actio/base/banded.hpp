// Linear equations whose unknowns are coupled to few others: numbered so that the matrix is a band, and eliminated
// inside it.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

// Which unknowns occur together in an equation.
using couplings = std::vector<std::pair<std::size_t, std::size_t>>;

// A numbering of `size` unknowns in which coupled ones are near each other (reverse Cuthill–McKee): the place of each.
std::vector<std::size_t> band_numbering(std::size_t size, const couplings& coupled);

// Square, with all entries within `width` of the diagonal; behind it there is room for row exchanges.
template <class S>
class banded_matrix {
 public:
  // `place` gives the row and column in which an equation and an unknown of this number stand.
  banded_matrix(std::vector<std::size_t> place, std::size_t width);

  std::size_t size() const { return place_.size(); }
  std::size_t width() const { return width_; }
  void set_zero();
  S& operator()(std::size_t equation, std::size_t unknown) { return at(place_[equation], place_[unknown]); }
  // By rows and columns; columns row − width … row + 2 width exist.
  S& at(std::size_t row, std::size_t column) { return data_[row * stride_ + column + width_ - row]; }
  const S& at(std::size_t row, std::size_t column) const { return data_[row * stride_ + column + width_ - row]; }
  const std::vector<std::size_t>& place() const { return place_; }
  std::span<const S> data() const { return data_; }

 private:
  std::vector<std::size_t> place_;
  std::size_t width_, stride_;
  std::vector<S> data_;
};

// For newton_solver. Elimination with row exchanges; nothing is allocated after construction in double.
template <class S>
class banded_equations {
 public:
  explicit banded_equations(banded_matrix<S> matrix);

  banded_matrix<S>& matrix() { return matrix_; }
  bool factorise();  // false when a pivot is zero or not finite; destroys the matrix
  bool is_finite() const { return finite_; }
  void solve_in_place(std::span<S> x) const;

 private:
  banded_matrix<S> matrix_;
  std::vector<std::size_t> swapped_with_;
  mutable std::vector<S> ordered_;
  bool finite_ = true;
};

}  // namespace actio
