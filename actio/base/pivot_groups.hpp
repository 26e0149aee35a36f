// Which unknowns of a motion under constraints are eliminated together, so that no other order of pivots is needed.
//
// A multiplier has no pivot of its own. Where coordinates are coupled by constraints alone and have a regular mass,
// multipliers follow the coordinates of their constraints: blocks are small, and only those of multipliers hang
// together. Otherwise a multiplier is eliminated with coordinates that its constraint contains. Where
// coordinates and constraints hang together like a tree, every constraint is given to the coordinates at its outer end;
// the blocks of any part of them are then regular where the constraints are independent. What closes a loop comes last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "actio/base/sparse_layout.hpp"

namespace actio {

using index_pair = std::pair<std::uint32_t, std::uint32_t>;

struct pivot_groups {
  std::vector<std::uint32_t> of_coordinate, of_constraint;
  std::vector<group_turn> turn;  // of each group
};

// `coupled`: pairs of coordinates that occur together in an equation; `held`: pairs of a constraint and a coordinate
// that it contains. Pairs may occur repeatedly.
pivot_groups group_pivots(std::size_t coordinates, std::span<const index_pair> coupled, std::size_t constraints,
                          std::span<const index_pair> held);

// The same for masses that are regular wherever the constraints of single groups leave them free: other constraints
// have groups of their own. Nothing where different groups of coordinates are coupled.
pivot_groups group_pivots_apart(std::size_t coordinates, std::span<const index_pair> coupled, std::size_t constraints,
                                std::span<const index_pair> held);

}  // namespace actio
