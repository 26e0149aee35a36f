// The bank of constants that GPUs have: their instructions read a number from there as they read a register.
#pragma once

#include <llvm/IR/Module.h>

#include <cstddef>
#include <string>

namespace actio::machine_code {

// Numbers whose values are known when the module is there, under this name; in the bank where it is large enough.
llvm::GlobalVariable* make_shared_numbers(llvm::Module& module, const std::string& name, std::size_t count);

// Puts constants that instructions do not hold (all but those with 20 bits behind the point) into the bank; otherwise
// each would be made by two more instructions in every turn of a loop.
void fill_constant_bank(llvm::Module& module);

}  // namespace actio::machine_code
