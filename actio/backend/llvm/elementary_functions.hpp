// The functions that machine code calls: elementary functions as functions of the module, the same bits at every width;
// Bessel functions and signals outside of it, lane by lane.
#pragma once

#include <cstddef>

#include "actio/expr/expr.hpp"

namespace llvm {
class Function;
class Module;
class Type;
}  // namespace llvm

namespace actio::machine_code {

// Bessel functions and signals.
inline bool is_outside(operation op) { return op == operation::jn || op == operation::lookup; }
// Where the address of an outside function of 1, 2, 4 or 8 lanes stands in `function_table()`. Code finds functions
// there, so that it holds no address and can be kept on disk.
std::size_t function_index(operation op, std::size_t lanes);
const void* const* function_table();
double outside_value(operation op, double x, double y);

// The function op of the module for arguments of this type, a double or a vector of them; written where the module has
// none.
llvm::Function& elementary_function(llvm::Module& module, operation op, llvm::Type* type);
// {sine, cosine} where too_large_for_sine(x), and {sine, cosine, too_large} where not.
llvm::Function& large_sine_function(llvm::Module& module, llvm::Type* type);
llvm::Function& usual_sine_function(llvm::Module& module, llvm::Type* type);

}  // namespace actio::machine_code
