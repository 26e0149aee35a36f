// What recursive_equations eliminate one after the other, and where: settled once for a pattern, the same for every
// matrix that has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace actio {

// Places are 0 … free−1 of free unknowns, then those of dependent ones.
struct recursion_pattern {
  // Of H: between positions or rates of two places, with a row of values, one a node. Entries may share values, and
  // those that occur more than once are added up.
  struct entry {
    std::uint32_t row, column;
    bool row_rate, column_rate;
    std::uint32_t value;
  };
  std::size_t free = 0, dependent = 0;
  std::vector<std::uint32_t> first, column;  // rows of A: places before that of the row
  std::vector<entry> form;
};

// The order of elimination, and which blocks of H there are: settled once for a pattern.
struct recursion_layout {
  struct step {
    std::uint32_t place;
    std::uint32_t neighbour, neighbour_end;  // in `neighbours`, without itself
    std::size_t target;                      // the first of its blocks in `targets`
    std::uint32_t own;                       // its block on the diagonal, or none
    std::uint32_t begin, begin_end;          // in `begun`
  };
  struct neighbour {
    std::uint32_t place, column, row;  // its blocks (place, own), (own, place)
  };
  // A block is worked on from the step where it begins to that which takes one of its places out; those that solving
  // needs are kept.
  struct block {
    std::uint32_t row, column;
    std::uint32_t entry, entry_end;  // in `entries`
    bool is_kept;
  };
  static constexpr std::uint32_t none = ~std::uint32_t(0);

  explicit recursion_layout(recursion_pattern pattern);

  recursion_pattern pattern;
  std::vector<step> steps;
  std::vector<neighbour> neighbours;
  // Of a dependent unknown, for each entry c of its row: blocks (u, c) of its neighbours u and of itself, then (c, w)
  // of the neighbours w that it has afterwards; those come first that it had. Of a free one (u, w) of its neighbours.
  std::vector<std::uint32_t> targets;
  std::vector<block> blocks;
  std::vector<std::uint32_t> begun;    // blocks, in the order in which they are first worked on
  std::vector<std::uint32_t> entries;  // of the form, by blocks

 private:
  void find_steps(std::span<const std::uint32_t> order);
  void sort_entries();
  void find_beginnings();
};

}  // namespace actio
