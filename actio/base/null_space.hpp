// The null space of a matrix whose rows come one at a time, told apart from what is only small.
//
// Rows are eliminated in double: hundreds of columns cost milliseconds. What double cannot tell from zero is looked at
// in quad, where few of their entries are needed. Notation: rows that were independent, restricted to the pivot
// columns, are LU; a solution x has one free column at 1, and LU δ = −(row·x), with the right-hand side in quad, mends
// what double left in the others. The rows that seemed dependent must then vanish on combinations of the solutions: to
// 21 digits, or they are no accident of rounding.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "actio/base/dense.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

class row_elimination {
 public:
  explicit row_elimination(std::size_t columns);

  // An entry in quad; rows are numbered as they were added.
  using entry_function = std::function<quad(std::size_t row, std::size_t column)>;

  // Whether the row is independent of those before it, as far as double can tell. Entries should be of one size in
  // each column; the size of a row does not matter, and one that is zero or not finite says nothing.
  bool add(std::span<const double> row);

  std::size_t columns() const { return order_.size(); }
  std::size_t rank() const { return upper_.size(); }

  // A basis of the vectors on which all rows vanish as far as double can tell, to the accuracy of double.
  std::vector<std::vector<quad>> rough_null_space() const;
  // A basis of the vectors on which all rows vanish, each with the largest entry of order one. Empty too where the
  // equations are so ill-conditioned that double does not lead to the solution.
  std::vector<std::vector<quad>> null_space(const entry_function& entry) const;

 private:
  struct scaled_row {
    std::size_t number;
    double scale;  // makes the largest entry one
  };
  std::vector<quad> solution(std::size_t free) const;
  std::vector<quad> in_given_order(const std::vector<quad>& x) const;
  bool refine(std::vector<quad>& x, const entry_function& entry) const;

  std::size_t added_ = 0;

  std::vector<std::size_t> order_;          // pivot columns first
  std::vector<std::vector<double>> upper_;  // rows of U with pivot 1, columns in this order
  std::vector<std::vector<double>> lower_;  // rows of L: multipliers, and the pivot last
  std::vector<scaled_row> independent_, dependent_;
};

// Vectors y with S y = 0, where what is below `tolerance` beside the largest entry of S counts as zero; one column a y.
// An S that is zero has the unit vectors. S must not be scaled by its own size: entries of order one are large.
std::vector<std::vector<quad>> kernel_of(matrix<quad> S, const quad& tolerance);

}  // namespace actio
