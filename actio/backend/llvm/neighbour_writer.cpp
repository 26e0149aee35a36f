#include "actio/backend/llvm/neighbour_writer.hpp"

#include "actio/backend/kernel/neighbour_text.hpp"
#include "actio/backend/llvm/machine_builder.hpp"
#include "actio/backend/llvm/thread_writer.hpp"

namespace actio::machine_code {

namespace {

class neighbour_writer : thread_writer {
 public:
  explicit neighbour_writer(llvm::Module& module)
      : thread_writer(module, llvm::Type::getVoidTy(module.getContext()),
                      {argument::alone, argument::size, argument::size, argument::size, argument::size}) {}

  void write(const kernel::trajectory_rows& layout) {
    llvm::Value *const numbers = function_->getArg(0), *const own = function_->getArg(2),
                       *const thread = begin_thread(function_->getArg(1));
    machine_builder b(b_, 1, nullptr);
    const auto rows_at = [&](llvm::Value* lane) {
      return b.memory(b_.CreateInBoundsGEP(real_, numbers, lane), function_->getArg(4));
    };
    kernel::neighbour_text<machine_builder> text(b, layout);
    text.look_at(rows_at(thread), rows_at(b_.CreateAdd(own, thread)));
    text.add(b.of_whole(function_->getArg(3)));
    end_thread();
  }
};

}  // namespace

std::string make_neighbour_ptx(const kernel::trajectory_rows& rows, const code_target& gpu) {
  return compile_module(gpu, [&](llvm::Module& module) { neighbour_writer(module).write(rows); });
}

}  // namespace actio::machine_code
