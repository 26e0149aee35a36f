// The number type that writes the elementary functions as LLVM instructions, for a double or a vector of doubles (see
// backend/elementary/arithmetic.hpp for what it can do). A constant takes its type from what it meets.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace actio::machine_code {

using ir_builder = llvm::IRBuilder<>;

class machine_truth {
 public:
  machine_truth(ir_builder& builder, llvm::Value* value) : b_(&builder), value_(value) {}
  ir_builder& builder() const { return *b_; }
  llvm::Value* value() const { return value_; }

  friend machine_truth operator&(const machine_truth& a, const machine_truth& b) {
    return {*a.b_, a.b_->CreateAnd(a.value_, b.value_)};
  }
  friend machine_truth operator|(const machine_truth& a, const machine_truth& b) {
    return {*a.b_, a.b_->CreateOr(a.value_, b.value_)};
  }
  friend machine_truth operator^(const machine_truth& a, const machine_truth& b) {
    return {*a.b_, a.b_->CreateXor(a.value_, b.value_)};
  }
  // Of a comparison of vectors the opposite one: their masks live in registers of their own.
  friend machine_truth operator!(const machine_truth& a) {
    const auto* const known = llvm::dyn_cast<llvm::CmpInst>(a.value_);
    if (!known || !known->getType()->isVectorTy()) return {*a.b_, a.b_->CreateNot(a.value_)};
    return {*a.b_, a.b_->CreateCmp(known->getInversePredicate(), known->getOperand(0), known->getOperand(1))};
  }

 private:
  ir_builder* b_;
  llvm::Value* value_;
};

// A value of LLVM or a constant of type Constant whose type is not known yet.
template <class Constant>
class value_or_constant {
 public:
  value_or_constant() = default;
  value_or_constant(Constant constant) : constant_(constant) {}
  value_or_constant(ir_builder& builder, llvm::Value* value) : b_(&builder), value_(value) {}

  bool is_constant() const { return value_ == nullptr; }
  Constant constant() const { return constant_; }
  ir_builder& builder() const { return *b_; }
  llvm::Value* value() const { return value_; }
  llvm::Value* as(llvm::Type* type) const {
    if (value_) return value_;
    if constexpr (std::is_same_v<Constant, double>) return llvm::ConstantFP::get(type, constant_);
    else return llvm::ConstantInt::get(type, constant_);
  }

 private:
  ir_builder* b_ = nullptr;
  llvm::Value* value_ = nullptr;
  Constant constant_{};
};

// The operands of an operation of two, at least one of which has a type.
template <class Number>
struct operands {
  operands(const Number& a, const Number& b) {
    const Number& typed = a.is_constant() ? b : a;
    builder = &typed.builder();
    left = a.as(typed.value()->getType());
    right = b.as(typed.value()->getType());
  }
  ir_builder* builder;
  llvm::Value *left, *right;
};

#define ACTIO_OPERATOR(type, symbol, instruction)                 \
  friend type operator symbol(const type& a, const type& b) {     \
    const operands<type> o(a, b);                                 \
    return {*o.builder, o.builder->instruction(o.left, o.right)}; \
  }
#define ACTIO_COMPARISON(type, symbol, instruction)                    \
  friend machine_truth operator symbol(const type& a, const type& b) { \
    const operands<type> o(a, b);                                      \
    return {*o.builder, o.builder->instruction(o.left, o.right)};      \
  }

// 64 bits.
class machine_whole : public value_or_constant<std::uint64_t> {
 public:
  using value_or_constant::value_or_constant;
  ACTIO_OPERATOR(machine_whole, +, CreateAdd)
  ACTIO_OPERATOR(machine_whole, -, CreateSub)
  ACTIO_OPERATOR(machine_whole, *, CreateMul)
  ACTIO_OPERATOR(machine_whole, &, CreateAnd)
  ACTIO_OPERATOR(machine_whole, |, CreateOr)
  ACTIO_OPERATOR(machine_whole, ^, CreateXor)
  ACTIO_OPERATOR(machine_whole, <<, CreateShl)
  ACTIO_OPERATOR(machine_whole, >>, CreateLShr)
  ACTIO_COMPARISON(machine_whole, ==, CreateICmpEQ)
};

class machine_number : public value_or_constant<double> {
 public:
  using value_or_constant::value_or_constant;
  ACTIO_OPERATOR(machine_number, +, CreateFAdd)
  ACTIO_OPERATOR(machine_number, -, CreateFSub)
  ACTIO_OPERATOR(machine_number, *, CreateFMul)
  ACTIO_OPERATOR(machine_number, /, CreateFDiv)
  ACTIO_COMPARISON(machine_number, <, CreateFCmpOLT)
  ACTIO_COMPARISON(machine_number, >, CreateFCmpOGT)
  ACTIO_COMPARISON(machine_number, <=, CreateFCmpOLE)
  ACTIO_COMPARISON(machine_number, >=, CreateFCmpOGE)
  ACTIO_COMPARISON(machine_number, ==, CreateFCmpOEQ)
  ACTIO_COMPARISON(machine_number, !=, CreateFCmpUNE)
  friend machine_number operator-(const machine_number& a) {
    return a.is_constant() ? machine_number(-a.constant())
                           : machine_number(a.builder(), a.builder().CreateFNeg(a.value()));
  }
};

#undef ACTIO_OPERATOR
#undef ACTIO_COMPARISON

machine_number fma(const machine_number& a, const machine_number& b, const machine_number& c);
machine_number sqrt(const machine_number& x);
machine_number absolute(const machine_number& x);
machine_number floor(const machine_number& x);
machine_whole bits(const machine_number& x);
machine_number from_bits(const machine_whole& x);
machine_number select(const machine_truth& truth, const machine_number& a, const machine_number& b);
// Each lane by itself.
machine_whole high_product(const machine_whole& a, const machine_whole& b);
machine_whole entry(const std::uint64_t* table, std::size_t size, const machine_whole& index);

// Blocks around what is rarely needed: `enter` begins it, `leave` merges its results with the usual ones.
struct rare_part {
  machine_truth condition;
  llvm::BasicBlock *before, *rare, *after;
  static rare_part enter(const machine_truth& condition);
  void leave(std::span<const machine_number> usual, std::span<machine_number> results) const;
};

template <std::size_t Count, class F>
std::array<machine_number, Count> rarely(const machine_truth& condition, const std::array<machine_number, Count>& usual,
                                         F f) {
  const rare_part part = rare_part::enter(condition);
  std::array<machine_number, Count> results = f();
  part.leave(usual, results);
  return results;
}

}  // namespace actio::machine_code
