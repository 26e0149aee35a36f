// Bounds of a program's values over a box, by interval arithmetic: what a model may do between the points at which
// somebody looks at it.
//
// Bounds hold but for rounding, which is not counted. They are wide where a variable occurs more than once, and become
// as narrow as the box does. What has no value in a part of the box is bounded by the values that it has in the others.
#pragma once

#include <span>
#include <vector>

#include "actio/program/program.hpp"

namespace actio {

struct interval {
  double low = 0, high = 0;
};

// The largest absolute value; infinite where there are no bounds.
double largest_in(const interval& x);

class interval_bounds {
 public:
  explicit interval_bounds(program p);

  void set_parameters(std::span<const double> values);
  std::size_t inputs() const { return code_.variables; }
  std::size_t outputs() const { return code_.outputs.size(); }
  // Of the outputs, where each variable is anywhere in its interval. No allocation.
  void operator()(std::span<const interval> in, std::span<interval> out);

 private:
  void carry_out(std::span<const instruction> code);
  interval looked_up_in(const interval& code, const interval& x) const;

  program code_;
  std::vector<interval> registers_;
};

}  // namespace actio
