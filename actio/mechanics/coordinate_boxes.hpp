// Coordinates base[i, j, …] that are declared together: a box of indices, and nothing for each of its members.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/expr/indices.hpp"

namespace actio {

struct coordinate_box {
  std::string base;
  std::vector<std::int64_t> least, most;  // both ends belong to it
  std::size_t first = 0;                  // the number of its first member; the others follow row by row
  source_place place;

  std::size_t count() const;
  bool contains(const member_parts& member) const;
  // The name of the first member, beside `prefix`, that another box has too.
  std::optional<std::string> shared_with(const coordinate_box& other, const std::string& prefix = "") const;
  std::string first_name() const { return member_name(base, least); }
  std::string last_name() const { return member_name(base, most); }
};

class coordinate_boxes {
 public:
  void add(coordinate_box box) { boxes_.push_back(std::move(box)); }
  const std::vector<coordinate_box>& all() const { return boxes_; }
  bool empty() const { return boxes_.empty(); }

  // The box that has a member; nullptr where none has.
  const coordinate_box* find(const std::string& name) const;
  std::optional<std::size_t> number_of(const std::string& name) const;

  // The number of the first of all members base[i, j, …] with indices in these ranges, and how far numbers are apart
  // along each index; nothing where no box has all of them.
  struct numbers {
    std::size_t first;
    std::vector<std::size_t> strides;
  };
  std::optional<numbers> numbers_of(const std::string& base, const std::vector<index_range>& ranges) const;

 private:
  std::vector<coordinate_box> boxes_;
};

}  // namespace actio
