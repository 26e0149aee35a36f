// Writes collocation kernels of large systems: everything but the field itself in loops over components, with rows in
// memory. Such code is made several times faster than straight-line code, and has the same results.
#pragma once

#include "actio/backend/collocation_kernel.hpp"

namespace llvm {
class Module;
}

namespace actio::machine_code {

void write_looped_collocation(llvm::Module& module, const collocation_code& code, const collocation_rows& rows,
                              bool any_argument);

}  // namespace actio::machine_code
