#include "actio/backend/llvm/code_generator.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "actio/backend/llvm/flow_emitter.hpp"

namespace actio::machine_code {

namespace {

// Writes the function of an entry_point.
class function_writer {
 public:
  function_writer(llvm::Module& module, const code_shape& shape) : shape_(shape), b_(module.getContext()) {
    llvm::Type* const pointer = b_.getPtrTy();
    auto* const type =
        llvm::FunctionType::get(b_.getInt1Ty(), {pointer, pointer, pointer, b_.getInt64Ty(), pointer}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name, module);
    prepare(*function_);
    function_->addRetAttr(llvm::Attribute::ZExt);
    for (const unsigned argument : {0U, 1U, 2U, 4U}) function_->addParamAttr(argument, llvm::Attribute::NoAlias);
    for (const unsigned argument : {0U, 1U, 4U}) function_->addParamAttr(argument, llvm::Attribute::ReadOnly);
  }

  void write(const dataflow& flow, std::size_t variables) {
    b_.SetInsertPoint(llvm::BasicBlock::Create(b_.getContext(), "body", function_));
    std::vector<llvm::Value*> inputs;
    for (std::size_t k = 0; k < variables; ++k) inputs.push_back(read_variable(k));
    flow_emitter emitter(b_, flow, {function_->getArg(0), function_->getArg(4), shape_.lanes, shape_.any_argument});
    const std::vector<llvm::Value*> outputs = emitter.emit(inputs);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      b_.CreateAlignedStore(outputs[k], row_address(2, k), llvm::Align(alignof(double)));
    }
    b_.CreateRet(b_.CreateNot(emitter.too_large()));
  }

 private:
  // Row k of the array that is argument `array`.
  llvm::Value* row_address(unsigned array, std::size_t k) {
    return b_.CreateGEP(b_.getDoubleTy(), function_->getArg(array), b_.CreateMul(function_->getArg(3), b_.getInt64(k)));
  }

  llvm::Value* read_variable(std::size_t k) {
    llvm::Type* const type = shape_.lanes == 1 ? b_.getDoubleTy()
                                               : static_cast<llvm::Type*>(llvm::FixedVectorType::get(
                                                     b_.getDoubleTy(), static_cast<unsigned>(shape_.lanes)));
    llvm::Value* const row = b_.CreateAlignedLoad(type, row_address(1, k), llvm::Align(alignof(double)));
    if (shape_.points == shape_.lanes) return row;
    llvm::SmallVector<int, 8> lanes;
    for (std::size_t l = 0; l < shape_.lanes; ++l) {
      lanes.push_back(static_cast<int>(std::min(l, shape_.points - 1)));
    }
    return b_.CreateShuffleVector(row, lanes);
  }

  const code_shape& shape_;
  llvm::IRBuilder<> b_;
  llvm::Function* function_;
};

}  // namespace

std::string make_object(const program& p, const code_shape& shape) {
  return compile_module([&](llvm::Module& module) { function_writer(module, shape).write(analyse(p), p.variables); });
}

}  // namespace actio::machine_code
