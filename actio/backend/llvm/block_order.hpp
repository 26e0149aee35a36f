// The order of instructions inside the blocks of a function.
#pragma once

#include <llvm/IR/Function.h>

namespace actio::machine_code {

// Puts what most of the function waits for first, and fills the time in which that waits for results with the rest, as
// a processor of two arithmetic units would do that sees whole blocks; real ones see a hundred instructions at a time.
// Nothing that is computed changes. Of loops it sees one turn. Memory that is reached from different pointers must not
// overlap.
void order_by_need(llvm::Function& function);

}  // namespace actio::machine_code
