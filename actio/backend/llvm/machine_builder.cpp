#include "actio/backend/llvm/machine_builder.hpp"

#include <llvm/IR/Module.h>

#include "actio/backend/llvm/elementary_functions.hpp"
#include "actio/backend/llvm/sine_emitter.hpp"
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

machine_builder::sines machine_builder::sine_and_cosine(const number& x) {
  const machine_code::sine_and_cosine usual = emit_sine_and_cosine(b_, x.value());
  const auto both =
      rarely(truth(b_, usual.too_large), std::array<number, 2>{number(b_, usual.sine), number(b_, usual.cosine)}, [&] {
        llvm::Function& f = large_sine_function(*b_.GetInsertBlock()->getModule(), row_);
        llvm::CallInst* const large = b_.CreateCall(&f, {x.value()});
        large->setCallingConv(f.getCallingConv());
        return std::array<number, 2>{number(b_, b_.CreateExtractValue(large, 0)),
                                     number(b_, b_.CreateExtractValue(large, 1))};
      });
  return {both[0], both[1]};
}

machine_builder::number machine_builder::function(operation op, const number& x, const number& y) {
  std::vector<llvm::Value*> arguments{x.as(row_)};
  if (operand_count(op) == 2) arguments.push_back(y.as(row_));
  llvm::Module& module = *b_.GetInsertBlock()->getModule();
  if (!is_outside(op)) {
    llvm::Function& f = elementary_function(module, op, row_);
    llvm::CallInst* const result = b_.CreateCall(&f, arguments);
    result->setCallingConv(f.getCallingConv());
    return {b_, result};
  }
  ACTIO_ASSERT(functions_ != nullptr);
  llvm::Value* const address = b_.CreateConstGEP1_64(b_.getPtrTy(), functions_, function_index(op, lanes_));
  llvm::CallInst* const result =
      b_.CreateCall(llvm::FunctionType::get(row_, std::vector<llvm::Type*>(arguments.size(), row_), false),
                    b_.CreateLoad(b_.getPtrTy(), address), arguments);
  result->setDoesNotThrow();
  result->setDoesNotAccessMemory();
  return {b_, result};
}

}  // namespace actio::machine_code
