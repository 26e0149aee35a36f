// Kernels of GPUs: a function that every thread carries out for a number of its own.
#pragma once

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Metadata.h>

#include "actio/backend/llvm/ir_writer.hpp"

namespace actio::machine_code {

class thread_writer : protected entry_writer {
 protected:
  using entry_writer::entry_writer;

  // The number of the thread, as far as there are `threads`; the others end.
  llvm::Value* begin_thread(llvm::Value* threads) {
    function_->setCallingConv(llvm::CallingConv::PTX_Kernel);
    const auto of_thread = [&](llvm::Intrinsic::ID which) {
      return b_.CreateZExt(b_.CreateIntrinsic(which, {}, {}), b_.getInt64Ty());
    };
    llvm::Value* const block_of_threads = b_.CreateMul(of_thread(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x),
                                                       of_thread(llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x));
    llvm::Value* const thread = b_.CreateAdd(block_of_threads, of_thread(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x));
    llvm::BasicBlock *const body = block("body"), *const nothing_to_do = block("nothing");
    b_.CreateCondBr(b_.CreateICmpULT(thread, threads), body, nothing_to_do);
    b_.SetInsertPoint(nothing_to_do);
    b_.CreateRetVoid();
    b_.SetInsertPoint(body);
    return thread;
  }
  // Threads that go through the text together: more where it is so long that they wait for instructions.
  void end_thread() {
    constexpr unsigned large_text = 8000, usual = 128, large = 256;
    const unsigned threads = function_->getInstructionCount() > large_text ? large : usual;
    llvm::LLVMContext& context = b_.getContext();
    function_->getParent()
        ->getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(llvm::MDNode::get(
            context, {llvm::ConstantAsMetadata::get(function_), llvm::MDString::get(context, "maxntidx"),
                      llvm::ConstantAsMetadata::get(b_.getInt32(threads))}));
    b_.CreateRetVoid();
  }
};

}  // namespace actio::machine_code
