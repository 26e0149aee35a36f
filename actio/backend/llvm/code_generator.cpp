#include "actio/backend/llvm/code_generator.hpp"

#include <algorithm>

#include "actio/backend/llvm/flow_writer.hpp"

namespace actio::machine_code {

namespace {

// Writes the function of an entry_point.
class function_writer : entry_writer {
 public:
  function_writer(llvm::Module& module, const code_shape& shape)
      : entry_writer(module, llvm::Type::getInt1Ty(module.getContext()),
                     {argument::read_only, argument::read_only, argument::alone, argument::size, argument::read_only}),
        shape_(shape) {
    function_->addRetAttr(llvm::Attribute::ZExt);
  }

  void write(const kernel::dataflow& flow, std::size_t variables) {
    std::vector<machine_number> inputs;
    for (std::size_t k = 0; k < variables; ++k) inputs.emplace_back(b_, read_variable(k));
    machine_builder b(b_, shape_.lanes, function_->getArg(4), machine_builder::most_together(shape_.lanes));
    const auto [outputs, too_large] = write_flow(b, flow, function_->getArg(0), inputs, shape_.any_argument);
    for (std::size_t k = 0; k < outputs.size(); ++k) store(outputs[k].value(), row_address(2, k));
    b_.CreateRet(b_.CreateNot(too_large.value()));
  }

 private:
  // Row k of the array that is argument `array`.
  llvm::Value* row_address(unsigned array, std::size_t k) {
    return b_.CreateGEP(real_, function_->getArg(array), b_.CreateMul(function_->getArg(3), b_.getInt64(k)));
  }

  llvm::Value* read_variable(std::size_t k) {
    llvm::Value* const row = load(vector_of(real_, shape_.lanes), row_address(1, k));
    if (shape_.points == shape_.lanes) return row;
    llvm::SmallVector<int, 8> lanes;
    for (std::size_t l = 0; l < shape_.lanes; ++l) {
      lanes.push_back(static_cast<int>(std::min(l, shape_.points - 1)));
    }
    return b_.CreateShuffleVector(row, lanes);
  }

  const code_shape& shape_;
};

}  // namespace

std::string make_object(const program& p, const code_shape& shape) {
  return compile_module(
      [&](llvm::Module& module) { function_writer(module, shape).write(kernel::analyse(p), p.variables); });
}

}  // namespace actio::machine_code
