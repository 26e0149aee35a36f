// The equations of a search for affine symmetries, solved for the coefficients of its directions. Internal to
// mechanics/.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "actio/base/null_space.hpp"
#include "actio/mechanics/generator_directions.hpp"

namespace actio {

// Draws points until they say nothing new.
class variation_solver {
 public:
  variation_solver(variation_equations<quad>& equations, const std::vector<direction>& directions);
  ~variation_solver();

  // Whether there were points at all.
  bool has_points() const { return has_points_; }
  // As far as double can tell: what is no solution may be among them, but none is missing.
  std::size_t solutions() const { return directions_ - elimination_.rank(); }

  // Vectors of coefficients, reduced to echelon form: each has a column of its own, where it is 1, its first, and all
  // others are 0. Rough ones have the accuracy of double; fractions as simple as 2/3 are exact in them.
  std::vector<std::vector<quad>> rough() const;
  std::vector<std::vector<quad>> refined() const;

 private:
  class sampled_rows;
  std::vector<std::vector<quad>> reduced(std::vector<std::vector<quad>> basis, double negligible) const;

  std::size_t directions_;
  bool has_points_ = false;
  std::unique_ptr<sampled_rows> rows_;
  row_elimination elimination_;
  std::vector<quad> sizes_;  // of the columns
};

}  // namespace actio
