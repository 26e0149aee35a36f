// Writes the machine code of a collocation kernel.
#pragma once

#include <string>

#include "actio/backend/collocation_kernel.hpp"

namespace llvm {
class Module;
}

namespace actio::machine_code {

// `fixed` and `functions` as of any entry_point; `table` and `work` as collocation_rows says. Returns a stage_outcome;
// argument_too_large only where code for any argument of a sine was not asked for.
using collocation_entry = int (*)(const double* fixed, const double* table, double* work, const void* const* functions);

// Straight-line code is fastest for small systems; loops over components keep that of large ones short, so that it is
// made in a fraction of the time. The results are the same.
enum class collocation_form { straight, looped };
collocation_form form_for(const collocation_code& code);

std::string make_collocation_object(const collocation_code& code, const collocation_rows& rows, collocation_form form,
                                    bool any_argument);
// The looped form: everything but the field itself in loops over components, with rows in memory.
void write_looped_collocation(llvm::Module& module, const collocation_code& code, const collocation_rows& rows,
                              bool any_argument);

}  // namespace actio::machine_code
