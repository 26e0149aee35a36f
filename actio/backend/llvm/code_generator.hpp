// Programs → machine code, as the bytes of an object file that needs nothing from outside.
#pragma once

#include <cstddef>
#include <string>

#include "actio/backend/llvm/target.hpp"
#include "actio/program/program.hpp"

namespace actio::machine_code {

// What one piece of code is made for.
struct code_shape {
  std::size_t lanes = 1;   // 1, 2, 4 or 8
  std::size_t points = 1;  // lanes beyond them repeat the last point
  // Sines of arguments of any size, by calls. Code without it is faster and reports that an argument was too large.
  bool any_argument = false;
};

// Variable k of lane l stands at in[k*stride + l], and so for the outputs; `fixed` holds one number for each register
// that is filled before the body; `functions` is function_table(). Returns whether `out` is right.
using entry_point = bool (*)(const double* fixed, const double* in, double* out, std::size_t stride,
                             const void* const* functions);

std::string make_object(const program& p, const code_shape& shape);

}  // namespace actio::machine_code
