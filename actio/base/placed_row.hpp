// Long rows that begin alike within a line of the cache, so that vectors of eight doubles cross no line in any of them
// where they do in none. Large blocks of memory begin so anyway; small ones are tried for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace actio {

// Bytes behind the beginning of a line; the first number of a line is that with this number.
inline constexpr std::size_t row_place = 16, first_of_line = (64 - row_place) / sizeof(double);

template <class S>
bool is_placed(const std::vector<S>& row) {
  return reinterpret_cast<std::uintptr_t>(row.data()) % 64 == row_place;
}

// A row of zeros. Where none is found that begins so, another one does as well, only not as fast.
template <class S>
std::vector<S> placed_row(std::size_t count) {
  constexpr std::size_t tries = 16;
  std::vector<std::vector<S>> others;
  std::vector<S> row;
  row.reserve(count);
  while (!is_placed(row) && others.size() < tries) {
    others.push_back(std::move(row));
    row = std::vector<S>();
    row.reserve(count + 2 * others.size());
  }
  row.assign(count, S(0));
  return row;
}

}  // namespace actio
