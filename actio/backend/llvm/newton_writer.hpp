// Writes the machine code of a Newton kernel.
#pragma once

#include <string>

#include "actio/backend/newton_kernel.hpp"

namespace actio::machine_code {

// Fixed numbers of both programs; `table` and `numbers` as newton_rows says. Returns whether all is right: not so where
// an argument was too large for the inlined sine, unless code for any argument was asked for.
using newton_entry = bool (*)(const double* node_fixed, const double* update_fixed, const double* table,
                              double* numbers, const void* const* functions, bool predict);

std::string make_newton_object(const newton_code& code, const newton_rows& rows, bool any_argument);

}  // namespace actio::machine_code
