// The inlined sine and cosine as LLVM instructions; for formula and range see backend/elementary/sine.hpp.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace actio::machine_code {

struct sine_and_cosine {
  llvm::Value* sine;
  llvm::Value* cosine;
  llvm::Value* too_large;  // whether the argument is out of range; NaN is not
};

// `x` is a double or a vector of doubles.
sine_and_cosine emit_sine_and_cosine(llvm::IRBuilder<>& builder, llvm::Value* x);
// The same to nine digits, sooner: for iterations that are far from their solution.
sine_and_cosine emit_rough_sine_and_cosine(llvm::IRBuilder<>& builder, llvm::Value* x);

}  // namespace actio::machine_code
