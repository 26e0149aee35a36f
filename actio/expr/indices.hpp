// Indices: whole numbers with which a text is read once for each of their values.
//   sum(i = 1..n, body), sum(e in bonds, body), q[i+1], u[i,j]; in keys "m[i = 1..n]", "rod[e in bonds]", "q[1..n]".
// A member q[3] is an ordinary name, written so.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

// Rows of data that sums run over: e.a is the value of column a in the row e.
struct index_table {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<rational>> rows;
};

// What a name stands for while a text is read: a whole number, or row `value` (from 1) of a table.
struct bound_index {
  std::string name;
  std::int64_t value = 0;
  const index_table* table = nullptr;
};
using index_binding = std::vector<bound_index>;

// What indices are made of, beside numbers.
struct index_names {
  std::map<std::string, std::int64_t, std::less<>> sizes;
  std::map<std::string, index_table, std::less<>> tables;
};

// first..last, or the rows of a table; without a name where nothing refers to it.
struct index_range {
  std::string name;
  std::int64_t first = 0, last = -1;
  const index_table* table = nullptr;

  std::int64_t count() const { return last < first ? 0 : last - first + 1; }
};

// A key such as "m[i = 1..n]": a single member where all its ranges are single numbers.
struct indexed_key {
  std::string base;
  std::vector<index_range> ranges;  // none where the key has no brackets
};

// More elements than anybody could mean: refused before memory is spent.
inline constexpr std::int64_t most_elements = 1'000'000'000;

// "q[3]", "u[1,2]".
std::string member_name(std::string_view base, const std::vector<std::int64_t>& indices);
// The part before the bracket, and the indices behind it; nothing behind it for other names.
struct member_parts {
  std::string base;
  std::vector<std::int64_t> indices;
};
member_parts parts_of_member(std::string_view name);

// Names in their order, cut where members of one base form an array: all of a range, or of a box row by row. Others
// stand alone, as a member whose fellows are elsewhere or whose base is a name itself.
struct name_block {
  std::string name;  // of one, or the base
  std::size_t first, count;
  std::vector<std::size_t> extents = {};  // of an array: members along each index

  bool is_array() const { return !extents.empty(); }
};
std::vector<name_block> blocks_of_names(const std::vector<std::string>& names);

// Throws what parse_tuple throws for indices.
indexed_key parse_indexed_key(const source_text& key, const index_names& names);
// A whole number made of numbers and sizes.
std::int64_t parse_whole(const source_text& source, const index_names& names);

}  // namespace actio
