// How points are split into SIMD vectors: the same for every backend, so that their arrays have the same layout.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace actio {

inline constexpr std::size_t widest_lanes = 8;

// Lanes of the vector that holds `points` points: 1, 2, 4 or 8.
constexpr std::size_t lanes_for(std::size_t points) {
  std::size_t lanes = 1;
  while (lanes < points && lanes < widest_lanes) lanes *= 2;
  return lanes;
}

// Consecutive points that are evaluated together; `lanes` - `points` of them repeat the last point, so that no stray
// value is computed.
struct block {
  std::size_t first, points, lanes;
};

// Full vectors, then the narrowest vector that holds the rest.
inline std::vector<block> vector_blocks(std::size_t points) {
  std::vector<block> blocks;
  for (std::size_t first = 0; first < points;) {
    const std::size_t lanes = lanes_for(points - first);
    blocks.push_back({first, std::min(lanes, points - first), lanes});
    first += lanes;
  }
  return blocks;
}

}  // namespace actio
