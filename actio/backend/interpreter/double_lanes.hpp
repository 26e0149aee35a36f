// Runs instructions on rows of doubles, a row in one SIMD vector.
#pragma once

#include <cstddef>
#include <span>

#include "actio/program/program.hpp"

namespace actio::interpreter {

inline constexpr std::size_t widest_lanes = 8;

// Lanes of the vector that holds `points` points: 1, 2, 4 or 8.
constexpr std::size_t lanes_for(std::size_t points) {
  std::size_t lanes = 1;
  while (lanes < points && lanes < widest_lanes) lanes *= 2;
  return lanes;
}

// The first `lanes` (1, 2, 4 or 8) numbers of each row take part. The registers of `code` are offsets into `rows`, that
// is already multiplied by the distance of rows. The bits of a lane depend neither on `lanes` nor on the processor.
void run_lanes(std::size_t lanes, std::span<const instruction> code, double* rows);

}  // namespace actio::interpreter
