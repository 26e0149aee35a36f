// What all writers of LLVM code have at hand: a builder, and the operations that they write again and again.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <initializer_list>
#include <utility>
#include <vector>

#include "actio/backend/llvm/target.hpp"

namespace actio::machine_code {

using row_values = std::vector<llvm::Value*>;

class ir_writer {
 protected:
  explicit ir_writer(llvm::IRBuilder<>& builder) : b_(builder), real_(builder.getDoubleTy()) {}

  // The type itself where there is one lane.
  static llvm::Type* vector_of(llvm::Type* element, std::size_t lanes) {
    return lanes == 1 ? element : llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes));
  }
  static std::size_t lanes_of(llvm::Value* x) {
    auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
    return type ? type->getNumElements() : 1;
  }
  static llvm::SmallVector<int, 8> consecutive(std::size_t first, std::size_t count) {
    llvm::SmallVector<int, 8> lanes;
    for (std::size_t l = 0; l < count; ++l) lanes.push_back(static_cast<int>(first + l));
    return lanes;
  }
  // Of the function in which the builder stands.
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(b_.getContext(), name, b_.GetInsertBlock()->getParent());
  }

  llvm::Value* any(llvm::Value* truths) { return truths->getType()->isVectorTy() ? b_.CreateOrReduce(truths) : truths; }
  // Bits of numbers without a sign are ordered as the numbers are, with NaN behind all others.
  llvm::Value* as_bits(llvm::Value* x) { return b_.CreateBitCast(x, x->getType()->getWithNewType(b_.getInt64Ty())); }
  llvm::Value* as_real(llvm::Value* x) { return b_.CreateBitCast(x, x->getType()->getWithNewType(real_)); }
  llvm::Value* splat(llvm::Value* x, std::size_t lanes) {
    return lanes == 1 ? x : b_.CreateVectorSplat(static_cast<unsigned>(lanes), x);
  }

  llvm::Value* element(llvm::Value* numbers, std::size_t k) { return b_.CreateConstGEP1_64(real_, numbers, k); }
  llvm::Value* load(llvm::Type* type, llvm::Value* from) {
    return b_.CreateAlignedLoad(type, from, llvm::Align(alignof(double)));
  }
  void store(llvm::Value* value, llvm::Value* to) { b_.CreateAlignedStore(value, to, llvm::Align(alignof(double))); }

  // A value that begins as `first` where the builder comes from `before`.
  llvm::PHINode* passed_from(llvm::BasicBlock* before, llvm::Value* first, unsigned edges = 2) {
    llvm::PHINode* const phi = b_.CreatePHI(first->getType(), edges);
    phi->addIncoming(first, before);
    return phi;
  }
  llvm::PHINode* merged(llvm::Value* a, llvm::BasicBlock* from_a, llvm::Value* b, llvm::BasicBlock* from_b) {
    llvm::PHINode* const phi = passed_from(from_a, a);
    phi->addIncoming(b, from_b);
    return phi;
  }
  llvm::IRBuilder<>& b_;
  llvm::Type* real_;
};

struct own_builder {
  explicit own_builder(llvm::Module& module) : builder(module.getContext()) {}
  llvm::IRBuilder<> builder;
};

// Writes the one function of a module; begins in its first block.
class entry_writer : private own_builder, protected ir_writer {
 protected:
  enum class argument { pointer, alone, read_only, integer, size };  // pointers: nothing else points there, only read

  entry_writer(llvm::Module& module, llvm::Type* result, std::initializer_list<argument> arguments)
      : own_builder(module), ir_writer(builder) {
    std::vector<llvm::Type*> types;
    for (const argument a : arguments) {
      types.push_back(b_.getPtrTy());
      if (a == argument::integer) types.back() = b_.getInt32Ty();
      if (a == argument::size) types.back() = b_.getInt64Ty();
    }
    function_ = llvm::Function::Create(llvm::FunctionType::get(result, types, false), llvm::Function::ExternalLinkage,
                                       entry_name, module);
    for (unsigned k = 0; k < types.size(); ++k) {
      const argument a = arguments.begin()[k];
      if (a == argument::alone || a == argument::read_only) function_->addParamAttr(k, llvm::Attribute::NoAlias);
      if (a == argument::read_only) function_->addParamAttr(k, llvm::Attribute::ReadOnly);
    }
    b_.SetInsertPoint(llvm::BasicBlock::Create(b_.getContext(), "begin", function_));
  }

  llvm::Function* function_;
};

}  // namespace actio::machine_code
