#include "actio/backend/llvm/machine_number.hpp"

#include <llvm/IR/Module.h>

#include <cmath>

namespace actio::machine_code {

namespace {

llvm::Type* with_element(llvm::Value* x, llvm::Type* element) { return x->getType()->getWithNewType(element); }

machine_number unary(llvm::Intrinsic::ID what, const machine_number& x) {
  return {x.builder(), x.builder().CreateUnaryIntrinsic(what, x.value())};
}

// f of the lanes of whole numbers, one by one.
template <class F, class... Wholes>
machine_whole lane_by_lane(F f, const machine_whole& first, const Wholes&... others) {
  ir_builder& b = first.builder();
  auto* const lanes = llvm::dyn_cast<llvm::FixedVectorType>(first.value()->getType());
  if (!lanes) return {b, f(first.value(), others.value()...)};
  llvm::Value* result = llvm::PoisonValue::get(lanes);
  for (unsigned l = 0; l < lanes->getNumElements(); ++l) {
    const auto lane = [&](const machine_whole& x) { return b.CreateExtractElement(x.value(), l); };
    result = b.CreateInsertElement(result, f(lane(first), lane(others)...), l);
  }
  return {b, result};
}

// The global table with these entries, made where the module has none.
llvm::GlobalVariable* global_table(llvm::Module& module, llvm::Constant* entries) {
  for (llvm::GlobalVariable& known : module.globals()) {
    if (known.hasInitializer() && known.getInitializer() == entries) return &known;
  }
  return new llvm::GlobalVariable(module, entries->getType(), true, llvm::GlobalValue::InternalLinkage, entries,
                                  "table");
}

}  // namespace

// What a constant of nothing makes superfluous is left out; the bits are the same.
machine_number fma(const machine_number& a, const machine_number& b, const machine_number& c) {
  if (a.is_constant() && b.is_constant()) return machine_number(a.constant() * b.constant()) + c;
  if (c.is_constant() && c.constant() == 0 && std::signbit(c.constant())) return a * b;
  const machine_number& typed = a.is_constant() ? b : a;
  llvm::Type* const type = typed.value()->getType();
  ir_builder& builder = typed.builder();
  return {builder, builder.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a.as(type), b.as(type), c.as(type)})};
}

machine_number sqrt(const machine_number& x) { return unary(llvm::Intrinsic::sqrt, x); }
machine_number absolute(const machine_number& x) { return unary(llvm::Intrinsic::fabs, x); }
machine_number floor(const machine_number& x) { return unary(llvm::Intrinsic::floor, x); }

machine_whole bits(const machine_number& x) {
  ir_builder& b = x.builder();
  return {b, b.CreateBitCast(x.value(), with_element(x.value(), b.getInt64Ty()))};
}
machine_number from_bits(const machine_whole& x) {
  ir_builder& b = x.builder();
  return {b, b.CreateBitCast(x.value(), with_element(x.value(), b.getDoubleTy()))};
}

machine_number select(const machine_truth& truth, const machine_number& a, const machine_number& b) {
  ir_builder& builder = truth.builder();
  llvm::Type* const type = with_element(truth.value(), builder.getDoubleTy());
  return {builder, builder.CreateSelect(truth.value(), a.as(type), b.as(type))};
}

machine_whole entry(const std::uint64_t* table, std::size_t size, const machine_whole& index) {
  ir_builder& b = index.builder();
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  llvm::GlobalVariable* const entries =
      global_table(module, llvm::ConstantDataArray::get(b.getContext(), llvm::ArrayRef(table, size)));
  return lane_by_lane(
      [&](llvm::Value* at) { return b.CreateLoad(b.getInt64Ty(), b.CreateGEP(b.getInt64Ty(), entries, at)); }, index);
}

machine_whole high_product(const machine_whole& a, const machine_whole& b) {
  ir_builder& builder = a.builder();
  const auto wide = [&](llvm::Value* x) { return builder.CreateZExt(x, builder.getInt128Ty()); };
  return lane_by_lane(
      [&](llvm::Value* x, llvm::Value* y) {
        return builder.CreateTrunc(builder.CreateLShr(builder.CreateMul(wide(x), wide(y)), 64), builder.getInt64Ty());
      },
      a, b);
}

rare_part rare_part::enter(const machine_truth& condition) {
  ir_builder& b = condition.builder();
  llvm::BasicBlock* const before = b.GetInsertBlock();
  const auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(b.getContext(), name, before->getParent());
  };
  rare_part part{condition, before, block("rare"), block("usual")};
  llvm::Value* const truths = condition.value();
  b.CreateCondBr(truths->getType()->isVectorTy() ? b.CreateOrReduce(truths) : truths, part.rare, part.after);
  b.SetInsertPoint(part.rare);
  return part;
}

void rare_part::leave(std::span<const machine_number> usual, std::span<machine_number> results) const {
  ir_builder& b = condition.builder();
  for (std::size_t k = 0; k < usual.size(); ++k) results[k] = select(condition, results[k], usual[k]);
  llvm::BasicBlock* const computed = b.GetInsertBlock();
  b.CreateBr(after);
  b.SetInsertPoint(after);
  for (std::size_t k = 0; k < usual.size(); ++k) {
    llvm::PHINode* const merged = b.CreatePHI(usual[k].value()->getType(), 2);
    merged->addIncoming(usual[k].value(), before);
    merged->addIncoming(results[k].value(), computed);
    results[k] = {b, merged};
  }
}

}  // namespace actio::machine_code
