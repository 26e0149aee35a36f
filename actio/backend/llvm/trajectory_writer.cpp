#include "actio/backend/llvm/trajectory_writer.hpp"

#include "actio/backend/device_code.hpp"
#include "actio/backend/llvm/constant_bank.hpp"
#include "actio/backend/llvm/flow_writer.hpp"
#include "actio/backend/llvm/thread_writer.hpp"
#include "actio/backend/program_bytes.hpp"

namespace actio::machine_code {

namespace {

class trajectory_writer : thread_writer {
 public:
  trajectory_writer(llvm::Module& module, const kernel::trajectory_code& code,
                    std::initializer_list<argument> arguments)
      : thread_writer(module, llvm::Type::getVoidTy(module.getContext()), arguments), code_(code) {}

  static void write(llvm::Module& module, const kernel::trajectory_code& code, std::size_t lanes) {
    trajectory_writer w(module, code,
                        {argument::read_only, argument::read_only, argument::alone, argument::read_only, argument::size,
                         argument::size, argument::size});
    machine_builder b(w.b_, lanes, w.function_->getArg(3));
    const auto given = [&](unsigned k) -> llvm::Value* { return w.function_->getArg(k); };
    w.write_text(b, {given(2), given(4), given(5), given(6)}, {given(0), given(1)});
    w.b_.CreateRetVoid();
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

  // One trajectory a thread, threads side by side in each row.
  void write_threads(llvm::Module& module) {
    llvm::Value* const thread = begin_thread(function_->getArg(1));
    machine_builder b(b_, 1, nullptr);
    write_text(b,
               {b_.CreateInBoundsGEP(real_, function_->getArg(0), thread), function_->getArg(2), function_->getArg(3),
                function_->getArg(4)},
               {make_shared_numbers(module, device_field_numbers, fixed_numbers(code_.step.equations).size()),
                make_shared_numbers(module, device_certificate_numbers, fixed_numbers(code_.certificate).size())});
    end_thread();
  }

  void write_text(machine_builder& b, const row_arguments& rows, const shared_numbers& shared) {
    const kernel::dataflow equations = kernel::analyse(code_.step.equations),
                           certificate = kernel::analyse(code_.certificate);
    code_.step.method->write(b, {code_, equations, certificate, b.memory(rows.numbers, rows.stride), rows.first,
                                 rows.end, fixed_at(b, shared.field), fixed_at(b, shared.certificate)});
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
