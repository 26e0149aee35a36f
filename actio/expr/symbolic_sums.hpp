// Sums over indices that are kept as they are: a body that is read once, and what its members are in each element.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio {

// Members base[i, j, …] of a box, which have consecutive numbers row by row.
struct member_block {
  std::uint32_t first = 0;            // the number of the first one
  std::vector<std::int64_t> least;    // its indices
  std::vector<std::int64_t> extents;  // members along each index
  bool is_parameter = false;          // otherwise they are coordinates
};

struct symbolic_sum {
  // What q[i+1] is in each element, by its number: a coordinate, with its velocity, or a parameter.
  struct slot {
    expr value, rate;
    bool is_parameter = false;
    std::vector<std::uint32_t> numbers;
  };
  // Values of an index, or of a column of a table, one an element.
  struct column {
    expr symbol;
    std::vector<expr> numbers = {};
    std::vector<std::int64_t> whole = {};
  };
  expr symbol;  // that stands for the sum
  expr body;    // in the symbols of slots and columns
  std::vector<slot> slots;
  std::vector<column> columns;
  std::size_t elements = 0;
};

// What a text is read with so that long sums stay sums; those that were found. Elements with other members than those
// of blocks are read one by one, and so are sums that do not consist of the same few members in every element.
struct symbolic_sums {
  std::function<std::optional<member_block>(const std::string& base)> block;
  std::vector<symbolic_sum> found;
};

}  // namespace actio
