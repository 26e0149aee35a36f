#include "actio/backend/llvm/trajectory_writer.hpp"

#include "actio/backend/kernel/trajectory_text.hpp"
#include "actio/backend/llvm/machine_builder.hpp"

namespace actio::machine_code {

namespace {

// Rows of this many components and nodes are not written out: they would not stay in registers anyway.
kernel::gauss_layout layout_for(const kernel::trajectory_code& code, const dataflow& field) {
  constexpr std::size_t most_rows = 40, most_values = 800;
  const std::size_t components = code.rows.components(), points = code.tables.points;
  return {.nodes = components * points <= most_rows && field.values.size() * points <= most_values,
          .components = components * points * points <= 512};
}

class trajectory_writer : entry_writer {
 public:
  explicit trajectory_writer(llvm::Module& module)
      : entry_writer(module, llvm::Type::getVoidTy(module.getContext()),
                     {argument::read_only, argument::read_only, argument::alone, argument::read_only, argument::size,
                      argument::size, argument::size}) {}

  void write(const kernel::trajectory_code& code, std::size_t lanes) {
    const dataflow field = analyse(code.field.field), certificate = analyse(code.certificate);
    machine_builder b(b_, lanes, function_->getArg(3));
    const auto fixed = [&](unsigned argument) {
      return [&b, numbers = function_->getArg(argument)](std::size_t k) { return b.shared(numbers, k); };
    };
    kernel::write_trajectories(b, code, field, certificate, layout_for(code, field),
                               b.memory(function_->getArg(2), function_->getArg(6)), function_->getArg(4),
                               function_->getArg(5), fixed(0), fixed(1));
    b_.CreateRetVoid();
  }
};

}  // namespace

std::string make_trajectory_object(const kernel::trajectory_code& code, std::size_t lanes) {
  return compile_module([&](llvm::Module& module) { trajectory_writer(module).write(code, lanes); });
}

}  // namespace actio::machine_code
