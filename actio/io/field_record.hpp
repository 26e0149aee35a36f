// Arrays of coordinates as fields over their indices and time, recorded while a run lasts: in constant memory, whatever
// the number of coordinates and steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "actio/expr/indices.hpp"

namespace actio {

// An array q[i] or u[i, j]. Cells are means over neighbouring members; a moment is a row of them, line by line of the
// first index. When as many moments are kept as there is room for, every other one is dropped.
class coordinate_field {
 public:
  // `least`: the smallest index along each direction.
  coordinate_field(const name_block& block, std::vector<std::int64_t> least);

  void add(double time, std::span<const double> position);

  const std::string& name() const { return name_; }
  // Along each index: members in all, members a cell, cells; the first index.
  struct direction {
    std::size_t members, width, cells;
    std::int64_t least;
  };
  const std::vector<direction>& directions() const { return directions_; }
  std::size_t cells() const { return cells_; }  // a moment
  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& values() const { return values_; }
  std::size_t stride() const { return stride_; }  // steps between moments

 private:
  void halve();

  std::string name_;
  std::size_t first_, cells_, capacity_;
  std::vector<direction> directions_;
  std::vector<double> weight_;  // members of each cell
  std::size_t rows_ = 0, stride_ = 1;
  std::vector<double> times_, values_;
};

// Of the arrays that are worth a picture: few, of one or two indices, with many members along each.
std::vector<coordinate_field> fields_of(const std::vector<std::string>& coordinates);

}  // namespace actio
