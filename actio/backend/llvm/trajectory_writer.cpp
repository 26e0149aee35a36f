#include "actio/backend/llvm/trajectory_writer.hpp"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Metadata.h>

#include "actio/backend/device_code.hpp"
#include "actio/backend/llvm/constant_bank.hpp"
#include "actio/backend/llvm/flow_writer.hpp"
#include "actio/backend/program_bytes.hpp"

namespace actio::machine_code {

namespace {

class trajectory_writer : entry_writer {
 public:
  trajectory_writer(llvm::Module& module, const kernel::trajectory_code& code,
                    std::initializer_list<argument> arguments)
      : entry_writer(module, llvm::Type::getVoidTy(module.getContext()), arguments), code_(code) {}

  static void write(llvm::Module& module, const kernel::trajectory_code& code, std::size_t lanes) {
    trajectory_writer w(module, code,
                        {argument::read_only, argument::read_only, argument::alone, argument::read_only, argument::size,
                         argument::size, argument::size});
    machine_builder b(w.b_, lanes, w.function_->getArg(3));
    const auto given = [&](unsigned k) -> llvm::Value* { return w.function_->getArg(k); };
    w.write_text(b, {given(2), given(4), given(5), given(6)}, {given(0), given(1)});
  }
  static void write_threads(llvm::Module& module, const kernel::trajectory_code& code) {
    trajectory_writer(module, code, {argument::alone, argument::size, argument::size, argument::size, argument::size})
        .write_threads(module);
  }

 private:
  struct row_arguments {
    llvm::Value *numbers, *first, *end, *stride;
  };
  struct shared_numbers {
    llvm::Value *field, *certificate;
  };
  // Instructions beyond which threads wait for them to be fetched: larger blocks then go through them together.
  static constexpr unsigned large_text = 8000, usual_block = 128, large_block = 256;

  // One trajectory a thread, threads side by side in each row.
  void write_threads(llvm::Module& module) {
    function_->setCallingConv(llvm::CallingConv::PTX_Kernel);
    const auto of_thread = [&](llvm::Intrinsic::ID which) {
      return b_.CreateZExt(b_.CreateIntrinsic(which, {}, {}), b_.getInt64Ty());
    };
    llvm::Value* const block_of_threads = b_.CreateMul(of_thread(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x),
                                                       of_thread(llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x));
    llvm::Value* const thread = b_.CreateAdd(block_of_threads, of_thread(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x));
    llvm::BasicBlock *const body = block("body"), *const nothing_to_do = block("nothing");
    b_.CreateCondBr(b_.CreateICmpULT(thread, function_->getArg(1)), body, nothing_to_do);
    b_.SetInsertPoint(nothing_to_do);
    b_.CreateRetVoid();
    b_.SetInsertPoint(body);
    machine_builder b(b_, 1, nullptr);
    write_text(b,
               {b_.CreateInBoundsGEP(real_, function_->getArg(0), thread), function_->getArg(2), function_->getArg(3),
                function_->getArg(4)},
               {make_shared_numbers(module, device_field_numbers, fixed_numbers(code_.field.field).size()),
                make_shared_numbers(module, device_certificate_numbers, fixed_numbers(code_.certificate).size())});
    set_block_size(module, function_->getInstructionCount() > large_text ? large_block : usual_block);
  }
  void set_block_size(llvm::Module& module, unsigned threads) {
    llvm::LLVMContext& context = module.getContext();
    module.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(llvm::MDNode::get(
            context, {llvm::ConstantAsMetadata::get(function_), llvm::MDString::get(context, "maxntidx"),
                      llvm::ConstantAsMetadata::get(b_.getInt32(threads))}));
  }

  void write_text(machine_builder& b, const row_arguments& rows, const shared_numbers& shared) {
    const dataflow field = analyse(code_.field.field), certificate = analyse(code_.certificate);
    code_.method->write(b, {code_, field, certificate, b.memory(rows.numbers, rows.stride), rows.first, rows.end,
                            fixed_at(b, shared.field), fixed_at(b, shared.certificate)});
    b_.CreateRetVoid();
  }

  const kernel::trajectory_code& code_;
};

}  // namespace

std::string make_trajectory_object(const kernel::trajectory_code& code, std::size_t lanes, const code_target& target) {
  return compile_module(target, [&](llvm::Module& module) { trajectory_writer::write(module, code, lanes); });
}

std::string make_trajectory_ptx(const kernel::trajectory_code& code, const code_target& gpu) {
  return compile_module(gpu, [&](llvm::Module& module) { trajectory_writer::write_threads(module, code); });
}

}  // namespace actio::machine_code
