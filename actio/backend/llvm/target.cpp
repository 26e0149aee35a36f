#include "actio/backend/llvm/target.hpp"

#include <fmt/format.h>
#include <llvm/Analysis/TargetTransformInfo.h>
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
#include <optional>
#include <stdexcept>
#include <vector>

#include "actio/backend/code_store.hpp"
#include "actio/backend/llvm/block_order.hpp"
#include "actio/backend/llvm/constant_bank.hpp"

namespace actio::machine_code {

namespace {

struct host_processor {
  code_target target{
      .triple = llvm::sys::getProcessTriple(), .processor = llvm::sys::getHostCPUName().str(), .features = {}};
  bool has_fma = false;

  host_processor() {
    const auto known = llvm::sys::getHostCPUFeatures();
    std::vector<std::string> list;
    for (const auto& entry : known) list.push_back((entry.getValue() ? "+" : "-") + entry.getKey().str());
    std::sort(list.begin(), list.end());
    target.features = fmt::format("{}", fmt::join(list, ","));
    target.has_wide_vectors = known.lookup("avx512f") && known.lookup("avx512vl") && known.lookup("avx512dq");
    has_fma = known.lookup("fma") && known.lookup("avx2");
  }
};

const host_processor& host() {
  static const host_processor processor;
  return processor;
}

void initialise_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
#ifdef ACTIO_HAS_NVPTX
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
#endif
  });
}

std::unique_ptr<llvm::TargetMachine> make_target_machine(const code_target& target) {
  initialise_llvm();
  std::string problem;
  const llvm::Target* const known = llvm::TargetRegistry::lookupTarget(target.triple, problem);
  if (!known) throw std::runtime_error("LLVM: " + problem);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // products are fused where the dataflow says, nowhere else
  const auto relocation = target.is_gpu ? std::optional<llvm::Reloc::Model>() : llvm::Reloc::PIC_;
  const auto model = target.is_gpu ? std::optional<llvm::CodeModel::Model>() : llvm::CodeModel::Small;
  return std::unique_ptr<llvm::TargetMachine>(
      known->createTargetMachine(target.triple, target.processor, target.features, options, relocation, model,
                                 llvm::CodeGenOptLevel::Default, !target.is_gpu));
}

// Attributes that every function has.
void prepare(llvm::Function& f, const code_target& target) {
  f.setDoesNotThrow();
  if (target.is_gpu) return;
  // Registers that are kept on the stack must not lie across cache lines.
  f.addFnAttr(llvm::Attribute::getWithStackAlignment(f.getContext(), llvm::Align(64)));
  f.addFnAttr("stackrealign");
  if (target.has_wide_vectors) {  // otherwise LLVM splits 512-bit vectors on processors that once slowed down with them
    f.addFnAttr("prefer-vector-width", "512");
    f.addFnAttr("min-legal-vector-width", "512");
  }
}

}  // namespace

const code_target& host_target() { return host().target; }

code_target gpu_target(const std::string& architecture) {
  return {.triple = "nvptx64-nvidia-cuda", .processor = architecture, .features = {}, .is_gpu = true};
}

const std::string& target_description() {
  static const std::string text = fmt::format("{} {} LLVM {} generator {}", host().target.processor,
                                              host().target.features, LLVM_VERSION_STRING, code_generator());
  return text;
}

bool processor_suffices() { return host().has_fma; }

std::size_t widest_vector() { return host().target.has_wide_vectors ? 8 : 4; }

std::string compile_module(const code_target& target, const std::function<void(llvm::Module&)>& write,
                           instruction_order order) {
  const std::unique_ptr<llvm::TargetMachine> machine = make_target_machine(target);
  llvm::LLVMContext context;
  llvm::Module module("actio", context);
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple().str());
  write(module);
  for (llvm::Function& f : module) {
    if (!f.isDeclaration()) prepare(f, target);
  }

  llvm::legacy::PassManager simplifications;
  // The first pass that asks would put one that knows no target in its place; with it memory of threads and of the GPU
  // is told apart.
  if (target.is_gpu) simplifications.add(llvm::createTargetTransformInfoWrapperPass(machine->getTargetIRAnalysis()));
  simplifications.add(llvm::createSROAPass());  // what kernels call variables stays in registers
  simplifications.add(llvm::createEarlyCSEPass());
  simplifications.add(llvm::createDeadCodeEliminationPass());
  simplifications.run(module);
  if (target.is_gpu) fill_constant_bank(module);
  if (order == instruction_order::by_need) order_by_need(*module.getFunction(entry_name));

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (target.is_gpu) passes.add(llvm::createTargetTransformInfoWrapperPass(machine->getTargetIRAnalysis()));
  const auto kind = target.is_gpu ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, kind)) {
    throw std::runtime_error("LLVM: this target has no object files");
  }
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

std::string compile_module(const std::function<void(llvm::Module&)>& write, instruction_order order) {
  return compile_module(host_target(), write, order);
}

}  // namespace actio::machine_code
