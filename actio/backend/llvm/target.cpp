#include "actio/backend/llvm/target.hpp"

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Scalar.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "actio/backend/llvm/block_order.hpp"

namespace actio::machine_code {

namespace {

struct host_processor {
  std::string name = llvm::sys::getHostCPUName().str();
  std::string features;  // "+avx2,-avx512f,..."
  bool has_fma = false, has_avx512 = false;

  host_processor() {
    const auto known = llvm::sys::getHostCPUFeatures();
    std::vector<std::string> list;
    for (const auto& entry : known) list.push_back((entry.getValue() ? "+" : "-") + entry.getKey().str());
    std::sort(list.begin(), list.end());
    features = fmt::format("{}", fmt::join(list, ","));
    has_fma = known.lookup("fma") && known.lookup("avx2");
    has_avx512 = known.lookup("avx512f") && known.lookup("avx512vl") && known.lookup("avx512dq");
  }
};

const host_processor& host() {
  static const host_processor processor;
  return processor;
}

std::unique_ptr<llvm::TargetMachine> make_target_machine() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  const std::string triple = llvm::sys::getProcessTriple();
  std::string problem;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) throw std::runtime_error("LLVM: " + problem);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // products are fused where the dataflow says, nowhere else
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(triple, host().name, host().features, options,
                                                                          llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                                                          llvm::CodeGenOptLevel::Default, true));
}

}  // namespace

const std::string& target_description() {
  static const std::string text = fmt::format("{} {} LLVM {} generator {}", host().name, host().features,
                                              LLVM_VERSION_STRING, ACTIO_CODE_GENERATOR);
  return text;
}

bool processor_suffices() { return host().has_fma; }

std::size_t widest_vector() { return host().has_avx512 ? 8 : 4; }

void prepare(llvm::Function& f) {
  f.setDoesNotThrow();
  // Registers that are kept on the stack must not lie across cache lines.
  f.addFnAttr(llvm::Attribute::getWithStackAlignment(f.getContext(), llvm::Align(64)));
  f.addFnAttr("stackrealign");
  if (host().has_avx512) {  // otherwise LLVM splits 512-bit vectors on processors that once slowed down with them
    f.addFnAttr("prefer-vector-width", "512");
    f.addFnAttr("min-legal-vector-width", "512");
  }
}

std::string compile_module(const std::function<void(llvm::Module&)>& write, instruction_order order) {
  const std::unique_ptr<llvm::TargetMachine> machine = make_target_machine();
  llvm::LLVMContext context;
  llvm::Module module("actio", context);
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple().str());
  write(module);

  llvm::legacy::PassManager simplifications;
  simplifications.add(llvm::createSROAPass());  // what kernels call variables stays in registers
  simplifications.add(llvm::createEarlyCSEPass());
  simplifications.add(llvm::createDeadCodeEliminationPass());
  simplifications.run(module);
  if (order == instruction_order::by_need) order_by_need(*module.getFunction(entry_name));

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    throw std::runtime_error("LLVM: this target has no object files");
  }
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace actio::machine_code
