// The builder that writes a kernel's text as LLVM instructions (see backend/kernel/number_builder.hpp): numbers are
// vectors of lanes, or doubles where there is one lane, as in the threads of a GPU.
#pragma once

#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <span>
#include <vector>

#include "actio/backend/llvm/ir_writer.hpp"
#include "actio/backend/llvm/machine_number.hpp"
#include "actio/expr/expr.hpp"

namespace actio::machine_code {

class machine_builder : protected ir_writer {
 public:
  using number = machine_number;
  using truth = machine_truth;
  using counter = llvm::Value*;

  // A place in rows: known while the text is written, or in a loop that the machine carries out.
  class index {
   public:
    index(std::size_t known) : known_(known) {}
    index(machine_builder& builder, llvm::Value* value) : b_(&builder), value_(value) {}
    // Where it is known while the text is written.
    std::size_t known() const { return known_; }
    friend index operator+(const index& a, const index& b) { return combined(a, b, true); }
    friend index operator*(const index& a, const index& b) { return combined(a, b, false); }

   private:
    friend machine_builder;
    static index combined(const index& a, const index& b, bool adds);
    llvm::Value* in(machine_builder& builder) const;
    machine_builder* b_ = nullptr;
    llvm::Value* value_ = nullptr;
    std::size_t known_ = 0;
  };

  // Numbers in memory, one of each lane side by side; or in registers, where all places are known.
  class rows {
   public:
    rows() = default;
    number operator[](const index& k) const;
    void put(const index& k, const number& x) const;
    rows from(const index& first) const;

   private:
    friend machine_builder;
    machine_builder* b_ = nullptr;
    llvm::Value* first_ = nullptr;
    llvm::Value* stride_ = nullptr;  // doubles between rows; nothing for those of the builder's own
  };

  // What changes in loops.
  class variable {
   public:
    number get() const;
    void set(const number& x) const;

   private:
    friend machine_builder;
    machine_builder* b_;
    llvm::Value* place_;
  };
  class truth_variable {
   public:
    truth get() const;
    void set(const truth& x) const;

   private:
    friend machine_builder;
    machine_builder* b_;
    llvm::Value* place_;
  };
  // Numbers that are known while the text is written.
  class constants {
   public:
    number operator[](const index& k) const;

   private:
    friend machine_builder;
    machine_builder* b_;
    std::vector<double> values_;
    llvm::Value* table_;
  };

  // `functions`: pointer to function_table(); nothing where there are no outside functions. `together`: calls of one
  // function that share a vector.
  machine_builder(llvm::IRBuilder<>& builder, std::size_t lanes, llvm::Value* functions, std::size_t together = 1)
      : ir_writer(builder), lanes_(lanes), together_(together), row_(vector_of(real_, lanes)), functions_(functions) {}
  // As many as fill the host's vectors.
  static std::size_t most_together(std::size_t lanes) { return std::max<std::size_t>(1, widest_vector() / lanes); }

  // One lane, that waits for no others.
  bool is_alone() const { return lanes_ == 1; }
  number one_number(double x) { return {b_, llvm::ConstantFP::get(row_, x)}; }
  truth never() { return {b_, llvm::Constant::getNullValue(mask())}; }
  number shared(llvm::Value* fixed, std::size_t k) {
    return {b_, splat(ir_writer::load(real_, element(fixed, k)), lanes_)};
  }
  number of_whole(llvm::Value* whole) { return {b_, splat(b_.CreateUIToFP(whole, real_), lanes_)}; }
  rows memory(llvm::Value* first, llvm::Value* stride);
  rows local(std::size_t count);
  rows local_memory(std::size_t count);
  variable make(const number& first);
  truth_variable make(const truth& first);
  constants table(std::span<const double> values);

  // f(k) for all k < count: written so many times, or once in a loop.
  template <class F>
  void each(std::size_t count, bool written_out, F&& f) {
    if (written_out || count == 1) {
      for (std::size_t k = 0; k < count; ++k) f(index(k));
      return;
    }
    llvm::BasicBlock *const before = b_.GetInsertBlock(), *const turn = block("turn"), *const after = block("after");
    b_.CreateBr(turn);
    b_.SetInsertPoint(turn);
    llvm::PHINode* const k = passed_from(before, b_.getInt64(0));
    f(index(*this, k));
    llvm::Value* const next = b_.CreateAdd(k, b_.getInt64(1));
    k->addIncoming(next, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(count)), turn, after);
    b_.SetInsertPoint(after);
  }
  // While any lane goes on; the body says which do, and is carried out at least once.
  template <class F>
  void repeat(F&& body) {
    llvm::BasicBlock *const turn = block("repeat"), *const after = block("after");
    b_.CreateBr(turn);
    b_.SetInsertPoint(turn);
    llvm::Value* const goes_on = any(body().value());
    b_.CreateCondBr(goes_on, turn, after);
    b_.SetInsertPoint(after);
  }
  template <class F>
  void count(llvm::Value* first, llvm::Value* end, F&& body) {
    llvm::BasicBlock *const before = b_.GetInsertBlock(), *const head = block("count"), *const turn = block("turn"),
                            *const after = block("after");
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    llvm::PHINode* const k = passed_from(before, first);
    b_.CreateCondBr(b_.CreateICmpULT(k, end), turn, after);
    b_.SetInsertPoint(turn);
    body(k);
    k->addIncoming(b_.CreateAdd(k, b_.getInt64(1)), b_.GetInsertBlock());
    b_.CreateBr(head);
    b_.SetInsertPoint(after);
  }
  // Where any lane says so.
  template <class F>
  void when_any(const truth& condition, F&& body) {
    when(any(condition.value()), body);
  }
  // The same where that is rare.
  template <class F>
  void when_rarely(const truth& condition, F&& body) {
    when(any(condition.value()), body, llvm::MDBuilder(b_.getContext()).createUnlikelyBranchWeights());
  }
  template <class F>
  void when(llvm::Value* condition, F&& body, llvm::MDNode* weights = nullptr) {
    llvm::BasicBlock *const inside = block("inside"), *const after = block("after");
    b_.CreateCondBr(condition, inside, after, weights);
    b_.SetInsertPoint(inside);
    body();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }

  // What f gives where the condition holds, else what g does.
  template <class F, class G>
  auto either(const truth& condition, F&& f, G&& g) -> decltype(f()) {
    llvm::BasicBlock *const first = block("first"), *const second = block("second"), *const after = block("after");
    b_.CreateCondBr(condition.value(), first, second);
    b_.SetInsertPoint(first);
    const auto a = f();
    llvm::BasicBlock* const after_first = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(second);
    const auto b = g();
    llvm::BasicBlock* const after_second = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    return {b_, merged(a.value(), after_first, b.value(), after_second)};
  }

  llvm::Value* is_zero(llvm::Value* k) { return b_.CreateICmpEQ(k, b_.getInt64(0)); }

  // Rows one behind the other in a vector whose size is a power of two, where the last row fills what is left; one of
  // these rows; how many doubles a number has.
  std::size_t together() const { return together_; }
  number joined(std::span<const number> rows);
  number part(const number& all, std::size_t k);
  std::size_t width(const number& x) { return lanes_of(x.value()); }
  truth anywhere(const truth& x) { return {b_, any(x.value())}; }
  truth nowhere() { return {b_, b_.getFalse()}; }
  // A number as wide as another one, from memory or into it.
  number read(const rows& from, const index& k, const number& like) {
    return {b_, load(like.value()->getType(), from.from(k).first_)};
  }
  void write(const rows& to, const index& k, const number& x) { store(x.value(), to.from(k).first_); }

  struct called {
    number sine, cosine;
    truth too_large;
  };
  called called_sines(const number& x);
  struct sines {
    number sine, cosine;
  };
  sines large_sines(const number& x);
  number function(operation op, const number& x, const number& y);
  // The power of two of the leading bit.
  number leading_power(const number& x) { return from_bits(bits(x) & (std::uint64_t{0x7ff} << 52)); }

 protected:
  static llvm::Value* address(const rows& r) { return r.first_; }

 private:
  llvm::Type* mask() { return vector_of(b_.getInt1Ty(), lanes_); }
  llvm::Value* call_own(llvm::Function& f, const row_values& arguments);
  llvm::Value* call(operation op, const row_values& arguments);
  llvm::Value* place(llvm::Type* type, std::size_t count);

  std::size_t lanes_, together_;
  llvm::Type* row_;
  llvm::Value* functions_;
};

}  // namespace actio::machine_code
