// Where the entries of a sparse matrix stand while it is eliminated: settled once for a pattern, the same for every
// matrix that has it.
//
// Unknowns stand in groups. A group is eliminated as one dense block, with pivots chosen inside it; groups follow one
// another in an order that keeps fill small (minimum degree). The pattern is made symmetric first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace actio {

// When a group may be eliminated: at any time, when all others have been, or when those groups of the first kind have
// been that it is joined to (it has no pivots before).
enum class group_turn : std::uint8_t { any, last, after_neighbours };

// Which unknowns are pivots for one another.
struct pivot_order {
  std::vector<std::uint32_t> group;  // of each unknown, 0, 1, …
  std::vector<group_turn> turn;      // of each group; or empty, where that is any
};

// Which entries of a square matrix may differ from zero, and how they are eliminated.
struct sparse_pattern {
  std::size_t size = 0;
  std::vector<std::uint32_t> row, column;  // of each entry; those that occur more than once are added up
  pivot_order order;
  pivot_order other;  // where pivots of the first are singular; or empty

  void add(std::size_t i, std::size_t j) {
    row.push_back(static_cast<std::uint32_t>(i));
    column.push_back(static_cast<std::uint32_t>(j));
  }
};

// An order of 0 … size−1 in which eliminating one after another joins few: minimum (approximate external) degree, the
// smallest that has waited longest first, each at its turn. Pairs may occur repeatedly.
std::vector<std::uint32_t> minimum_degree_order(std::size_t size,
                                                std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs,
                                                std::span<const group_turn> turn = {});

// Block k in the order of elimination has a dense diagonal block, b × b, and beside it panels for the w unknowns of
// later blocks that it is joined to: upper b × w, lower w × b, all by rows.
struct sparse_layout {
  struct block {
    std::uint32_t first, size, width;        // its first unknown in the order of elimination, b, w
    std::uint32_t neighbour, neighbour_end;  // those in `neighbours`
    std::size_t target;                      // the first of its neighbours' pairs in `targets`
    std::size_t diagonal, upper, lower;      // places of values, which follow one another without a gap
    std::uint32_t reach = 0;      // the last block that this one or an earlier one is joined to, at least itself
    std::uint32_t entry_end = 0;  // of its entries in `entries`, which follow those of the block before
  };
  struct neighbour {
    std::uint32_t block, offset;  // where its unknowns begin in the panels
  };
  // Of a pair (i, j) of neighbours, i by i: where the product of lower part i and upper part j is subtracted.
  struct target {
    std::size_t place;
    std::uint32_t stride;
  };
  // Number `number` of the pattern's entries, among the values.
  struct entry {
    std::uint32_t number, place;
  };

  sparse_layout(const sparse_pattern& pattern, const pivot_order& order);

  std::vector<block> blocks;
  std::vector<neighbour> neighbours;
  std::vector<target> targets;
  std::vector<entry> entries;        // of the pattern, block by block
  std::vector<std::uint32_t> place;  // of each unknown in the order of elimination
  std::size_t values = 0;
  std::uint32_t largest_block = 0, largest_width = 0;

 private:
  void place_entries(const sparse_pattern& pattern, std::span<const std::uint32_t> block_of);
  void place_blocks(const std::vector<std::vector<std::uint32_t>>& later, std::span<const std::uint32_t> sizes);
  std::pair<std::size_t, std::uint32_t> block_place(std::uint32_t i, std::uint32_t j) const;  // place, stride
};

}  // namespace actio
