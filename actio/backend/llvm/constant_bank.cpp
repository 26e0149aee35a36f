#include "actio/backend/llvm/constant_bank.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace actio::machine_code {

namespace {

constexpr unsigned global_memory = 1, constant_bank = 4;          // address spaces
constexpr std::size_t most_shared = 2048, most_constants = 2048;  // numbers; the bank has 8192

bool reads_the_bank(const llvm::Instruction& i) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i))
    return intrinsic->getIntrinsicID() == llvm::Intrinsic::fma;
  return i.isBinaryOp() || llvm::isa<llvm::FCmpInst>(i);
}

// The bits of a number that an instruction cannot hold.
const llvm::ConstantFP* too_long(const llvm::Value* operand) {
  const auto* const constant = llvm::dyn_cast<llvm::ConstantFP>(operand);
  if (constant == nullptr || !constant->getType()->isDoubleTy()) return nullptr;
  return (constant->getValueAPF().bitcastToAPInt().getZExtValue() & 0xffffffffU) != 0 ? constant : nullptr;
}

}  // namespace

llvm::GlobalVariable* make_shared_numbers(llvm::Module& module, const std::string& name, std::size_t count) {
  auto* const type =
      llvm::ArrayType::get(llvm::Type::getDoubleTy(module.getContext()), std::max<std::size_t>(1, count));
  return new llvm::GlobalVariable(
      module, type, false, llvm::GlobalValue::ExternalLinkage, llvm::ConstantAggregateZero::get(type), name, nullptr,
      llvm::GlobalValue::NotThreadLocal, count <= most_shared ? constant_bank : global_memory, true);
}

void fill_constant_bank(llvm::Module& module) {
  llvm::Type* const real = llvm::Type::getDoubleTy(module.getContext());
  std::vector<double> numbers;
  std::map<std::uint64_t, std::size_t> places;
  struct use {
    llvm::Instruction* reader;
    unsigned operand;
    std::size_t place;
  };
  std::vector<use> uses;
  for (llvm::Function& f : module) {
    for (llvm::BasicBlock& block : f) {
      for (llvm::Instruction& i : block) {
        for (unsigned k = 0; reads_the_bank(i) && k < i.getNumOperands(); ++k) {
          const llvm::ConstantFP* const constant = too_long(i.getOperand(k));
          if (constant == nullptr) continue;
          const auto [at, is_new] =
              places.try_emplace(constant->getValueAPF().bitcastToAPInt().getZExtValue(), numbers.size());
          if (is_new) numbers.push_back(constant->getValueAPF().convertToDouble());
          uses.push_back({&i, k, at->second});
        }
      }
    }
  }
  if (numbers.empty()) return;
  llvm::Constant* const values = llvm::ConstantDataArray::get(module.getContext(), llvm::ArrayRef(numbers));
  // As if it could change: otherwise compilers put the values back to where they were.
  auto* const bank =
      new llvm::GlobalVariable(module, values->getType(), false, llvm::GlobalValue::ExternalLinkage, values,
                               "constants", nullptr, llvm::GlobalValue::NotThreadLocal, constant_bank);
  for (const use& u : uses) {
    if (u.place >= most_constants) continue;
    llvm::IRBuilder<> b(u.reader);
    u.reader->setOperand(u.operand,
                         b.CreateAlignedLoad(real, b.CreateConstGEP1_64(real, bank, u.place), llvm::Align(8)));
  }
}

}  // namespace actio::machine_code
