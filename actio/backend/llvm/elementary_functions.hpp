// The functions that machine code calls: SLEEF's deterministic FMA variants, below one unit in the last place, which
// give the same bits at every width; Bessel functions and signals lane by lane. The one table of operation → address
// for each width.
#pragma once

#include <cstddef>

#include "actio/expr/expr.hpp"

namespace actio::machine_code {

// Where the address of a function of 1, 2, 4 or 8 lanes stands in `function_table()`. Code finds functions there, so
// that it holds no address and can be kept on disk.
std::size_t function_index(operation op, std::size_t lanes);
const void* const* function_table();

}  // namespace actio::machine_code
