#include "actio/backend/llvm/element_code.hpp"

#include "actio/backend/llvm/code_library.hpp"
#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/flow_writer.hpp"

namespace actio::machine_code {

namespace {

// Variable k of element e stands at in[k][e], and so for the outputs; `count` is a multiple of element_lanes, not zero.
// Returns whether all outputs are right.
using element_entry = bool (*)(const double* fixed, const double* const* in, double* const* out, std::size_t count,
                               const void* const* functions);

class element_writer : entry_writer {
 public:
  element_writer(llvm::Module& module, bool any_argument)
      : entry_writer(
            module, llvm::Type::getInt1Ty(module.getContext()),
            {argument::read_only, argument::read_only, argument::read_only, argument::size, argument::read_only}),
        any_argument_(any_argument) {
    function_->addRetAttr(llvm::Attribute::ZExt);
  }

  void write(const kernel::dataflow& flow, std::size_t variables) {
    row_values in, out;
    for (std::size_t k = 0; k < variables; ++k) in.push_back(pointer(1, k));
    for (std::size_t k = 0; k < flow.outputs.size(); ++k) out.push_back(pointer(2, k));
    llvm::BasicBlock *const before = b_.GetInsertBlock(), *const turn = block("turn"), *const after = block("after");
    b_.CreateBr(turn);
    b_.SetInsertPoint(turn);
    llvm::PHINode* const e = passed_from(before, b_.getInt64(0));
    llvm::PHINode* const failed = passed_from(before, b_.getFalse());
    llvm::Type* const vector = vector_of(real_, element_lanes);
    std::vector<machine_number> inputs;
    for (llvm::Value* from : in) inputs.emplace_back(b_, load(vector, b_.CreateGEP(real_, from, e)));
    machine_builder b(b_, element_lanes, function_->getArg(4), machine_builder::most_together(element_lanes));
    const auto [outputs, too_large] = write_flow(b, flow, function_->getArg(0), inputs, any_argument_);
    for (std::size_t k = 0; k < outputs.size(); ++k) store(outputs[k].value(), b_.CreateGEP(real_, out[k], e));
    llvm::Value* const next = b_.CreateAdd(e, b_.getInt64(element_lanes));
    llvm::Value* const any = b_.CreateOr(failed, too_large.value());
    e->addIncoming(next, b_.GetInsertBlock());
    failed->addIncoming(any, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpULT(next, function_->getArg(3)), turn, after);
    b_.SetInsertPoint(after);
    b_.CreateRet(b_.CreateNot(any));
  }

 private:
  llvm::Value* pointer(unsigned argument, std::size_t k) {
    llvm::Type* const type = b_.getPtrTy();
    return b_.CreateAlignedLoad(type, b_.CreateConstGEP1_64(type, function_->getArg(argument), k),
                                llvm::Align(alignof(double*)));
  }

  bool any_argument_;
};

class machine_elements final : public element_kernel<double> {
 public:
  explicit machine_elements(std::shared_ptr<const program> p) : source_(std::move(p)), fixed_(fixed_numbers(*source_)) {
    if (source_->parameters == 0) set_parameters({});
    make(false);
  }

  void set_parameters(std::span<const double> values) override { set_fixed(*source_, values, fixed_); }

  void run(const double* const* in, double* const* out, std::size_t count) override {
    if (codes_.usual()(fixed_.data(), in, out, count, function_table())) return;
    if (!codes_.any_argument()) make(true);
    codes_.any_argument()(fixed_.data(), in, out, count, function_table());
  }

 private:
  void make(bool any_argument) {
    codes_.use("elements\n" + bytes_of(*source_), any_argument, [&] {
      return compile_module([&](llvm::Module& module) {
        element_writer(module, any_argument).write(kernel::analyse(*source_), source_->variables);
      });
    });
  }

  std::shared_ptr<const program> source_;
  std::vector<double> fixed_;
  two_codes<element_entry> codes_;
};

}  // namespace

std::unique_ptr<element_kernel<double>> make_element_kernel(const std::shared_ptr<const program>& p) {
  return std::make_unique<machine_elements>(p);
}

}  // namespace actio::machine_code
