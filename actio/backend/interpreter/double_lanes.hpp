// Runs instructions on rows of doubles, a row in one SIMD vector.
#pragma once

#include <cstddef>
#include <span>

#include "actio/program/program.hpp"

namespace actio::interpreter {

// The first `lanes` (1, 2, 4 or 8) numbers of each row take part. The registers of `code` are offsets into `rows`, that
// is already multiplied by the distance of rows. The bits of a lane depend neither on `lanes` nor on the processor.
void run_lanes(std::size_t lanes, std::span<const instruction> code, double* rows);

}  // namespace actio::interpreter
