#include "actio/backend/llvm/machine_builder.hpp"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <bit>

#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/base/error.hpp"

namespace actio::machine_code {

llvm::Value* machine_builder::index::in(machine_builder& builder) const {
  return value_ ? value_ : builder.b_.getInt64(known_);
}

machine_builder::index machine_builder::index::combined(const index& a, const index& b, bool adds) {
  if (!a.value_ && !b.value_) return adds ? a.known_ + b.known_ : a.known_ * b.known_;
  machine_builder& builder = a.b_ ? *a.b_ : *b.b_;
  llvm::Value *const x = a.in(builder), *const y = b.in(builder);
  return {builder, adds ? builder.b_.CreateAdd(x, y, "", true, true) : builder.b_.CreateMul(x, y, "", true, true)};
}

machine_builder::number machine_builder::rows::operator[](const index& k) const {
  return {b_->b_, b_->load(b_->row_, from(k).first_)};
}
void machine_builder::rows::put(const index& k, const number& x) const { b_->store(x.as(b_->row_), from(k).first_); }
machine_builder::rows machine_builder::rows::from(const index& first) const {
  rows result = *this;
  llvm::Value* const k = first.in(*b_);
  result.first_ = stride_ ? b_->b_.CreateInBoundsGEP(b_->real_, first_, b_->b_.CreateMul(k, stride_))
                          : b_->b_.CreateInBoundsGEP(b_->row_, first_, k);
  return result;
}

machine_builder::number machine_builder::variable::get() const { return {b_->b_, b_->b_.CreateLoad(b_->row_, place_)}; }
void machine_builder::variable::set(const number& x) const { b_->b_.CreateStore(x.as(b_->row_), place_); }
machine_builder::truth machine_builder::truth_variable::get() const {
  return {b_->b_, b_->b_.CreateLoad(b_->mask(), place_)};
}
void machine_builder::truth_variable::set(const truth& x) const { b_->b_.CreateStore(x.value(), place_); }

machine_builder::number machine_builder::constants::operator[](const index& k) const {
  if (!k.value_) return values_[k.known_];
  return {b_->b_,
          b_->splat(b_->b_.CreateLoad(b_->real_, b_->b_.CreateInBoundsGEP(b_->real_, table_, k.value_)), b_->lanes_)};
}

machine_builder::rows machine_builder::memory(llvm::Value* first, llvm::Value* stride) {
  rows result;
  result.b_ = this;
  result.first_ = first;
  result.stride_ = stride;
  return result;
}

// Places stand in the first block of a function, where LLVM looks for what can stay in registers.
llvm::Value* machine_builder::place(llvm::Type* type, std::size_t count) {
  llvm::BasicBlock& first = b_.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at(&first, first.begin());
  llvm::Type* const whole = count == 1 ? type : llvm::ArrayType::get(type, count);
  llvm::AllocaInst* const result = at.CreateAlloca(whole);
  if (type == row_) result->setAlignment(llvm::Align(sizeof(double) * lanes_));
  return result;
}
machine_builder::rows machine_builder::local(std::size_t count) { return memory(place(row_, count), nullptr); }
// For GPUs by an address of which nothing shows what it points to, or else LLVM would put the rows into registers.
machine_builder::rows machine_builder::local_memory(std::size_t count) {
  constexpr unsigned of_thread = 5;  // address space
  llvm::Value* const first = place(row_, count);
  if (!llvm::Triple(b_.GetInsertBlock()->getModule()->getTargetTriple()).isNVPTX()) return memory(first, nullptr);
  llvm::Type *const whole = b_.getInt64Ty(), *const local = b_.getPtrTy(of_thread);
  llvm::InlineAsm* const same =
      llvm::InlineAsm::get(llvm::FunctionType::get(whole, {whole}, false), "mov.b64 $0, $1;", "=l,l", false);
  llvm::Value* const address = b_.CreateCall(same, {b_.CreatePtrToInt(b_.CreateAddrSpaceCast(first, local), whole)});
  return memory(b_.CreateAddrSpaceCast(b_.CreateIntToPtr(address, local), b_.getPtrTy()), nullptr);
}
machine_builder::variable machine_builder::make(const number& first) {
  variable result;
  result.b_ = this;
  result.place_ = place(row_, 1);
  result.set(first);
  return result;
}
machine_builder::truth_variable machine_builder::make(const truth& first) {
  truth_variable result;
  result.b_ = this;
  result.place_ = place(mask(), 1);
  result.set(first);
  return result;
}
machine_builder::constants machine_builder::table(std::span<const double> values) {
  constants result;
  result.b_ = this;
  result.values_.assign(values.begin(), values.end());
  llvm::Module& module = *b_.GetInsertBlock()->getModule();
  llvm::Constant* const all =
      llvm::ConstantDataArray::get(b_.getContext(), llvm::ArrayRef(values.data(), values.size()));
  result.table_ =
      new llvm::GlobalVariable(module, all->getType(), true, llvm::GlobalValue::InternalLinkage, all, "table");
  return result;
}

machine_builder::number machine_builder::joined(std::span<const number> rows) {
  const std::size_t count = std::bit_ceil(rows.size());
  if (count == 1) return rows[0];
  row_values parts;
  for (std::size_t k = 0; k < count; ++k) parts.push_back(rows[std::min(k, rows.size() - 1)].as(row_));
  if (lanes_ == 1) {
    llvm::Value* all = llvm::PoisonValue::get(vector_of(real_, count));
    for (std::size_t k = 0; k < count; ++k) all = b_.CreateInsertElement(all, parts[k], k);
    return {b_, all};
  }
  for (std::size_t lanes = 2 * lanes_; parts.size() > 1; lanes *= 2) {
    row_values pairs;
    for (std::size_t k = 0; k < parts.size(); k += 2) {
      pairs.push_back(b_.CreateShuffleVector(parts[k], parts[k + 1], consecutive(0, lanes)));
    }
    parts = std::move(pairs);
  }
  return {b_, parts.front()};
}
machine_builder::number machine_builder::part(const number& all, std::size_t k) {
  if (all.value()->getType() == row_) return all;
  return {b_, lanes_ == 1 ? b_.CreateExtractElement(all.value(), k)
                          : b_.CreateShuffleVector(all.value(), consecutive(k * lanes_, lanes_))};
}

// A function of this module, which passes everything in registers.
llvm::Value* machine_builder::call_own(llvm::Function& f, const row_values& arguments) {
  llvm::CallInst* const result = b_.CreateCall(&f, arguments);
  result->setCallingConv(f.getCallingConv());
  return result;
}
machine_builder::called machine_builder::called_sines(const number& x) {
  llvm::Value* const all =
      call_own(usual_sine_function(*b_.GetInsertBlock()->getModule(), x.value()->getType()), {x.value()});
  return {
      {b_, b_.CreateExtractValue(all, 0)}, {b_, b_.CreateExtractValue(all, 1)}, {b_, b_.CreateExtractValue(all, 2)}};
}
machine_builder::sines machine_builder::large_sines(const number& x) {
  llvm::Value* const both =
      call_own(large_sine_function(*b_.GetInsertBlock()->getModule(), x.value()->getType()), {x.value()});
  return {{b_, b_.CreateExtractValue(both, 0)}, {b_, b_.CreateExtractValue(both, 1)}};
}

machine_builder::number machine_builder::function(operation op, const number& x, const number& y) {
  row_values arguments{x.is_constant() ? x.as(row_) : x.value()};
  if (operand_count(op) == 2) arguments.push_back(y.as(arguments[0]->getType()));
  return {b_, call(op, arguments)};
}
// Vectors that the processor does not have are computed by halves.
llvm::Value* machine_builder::call(operation op, const row_values& arguments) {
  llvm::Type* const type = arguments.front()->getType();
  const std::size_t lanes = lanes_of(arguments.front());
  if (lanes > widest_vector()) {
    llvm::Value* halves[2];
    for (const std::size_t k : {0, 1}) {
      row_values half;
      for (llvm::Value* const a : arguments) {
        half.push_back(b_.CreateShuffleVector(a, consecutive(k * lanes / 2, lanes / 2)));
      }
      halves[k] = call(op, half);
    }
    return b_.CreateShuffleVector(halves[0], halves[1], consecutive(0, lanes));
  }
  if (!is_outside(op)) return call_own(elementary_function(*b_.GetInsertBlock()->getModule(), op, type), arguments);
  ACTIO_ASSERT(functions_ != nullptr);
  llvm::Value* const address = b_.CreateConstGEP1_64(b_.getPtrTy(), functions_, function_index(op, lanes));
  const std::vector<llvm::Type*> types(arguments.size(), type);
  llvm::CallInst* const result =
      b_.CreateCall(llvm::FunctionType::get(type, types, false), b_.CreateLoad(b_.getPtrTy(), address), arguments);
  result->setDoesNotThrow();
  result->setDoesNotAccessMemory();
  result->addFnAttr(llvm::Attribute::WillReturn);  // so that one whose result is not needed can be left out
  return result;
}

}  // namespace actio::machine_code
