// Instructions on rows of numbers, one number a lane: loops over them, where they stand, sums.
//
// Loops over nodes and over components keep code short whatever the size of a system. A row may be longer than a
// vector: it is then written in parts.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "actio/backend/lane_kernel.hpp"
#include "actio/backend/llvm/target.hpp"

namespace actio::machine_code {

using row_values = std::vector<llvm::Value*>;

class lane_row_writer {
 protected:
  // The function is a lane_stage_entry.
  lane_row_writer(llvm::Module& module, const lane_rows& rows)
      : rows_(rows),
        s_(rows.points),
        vector_(std::min(rows.lanes, widest_vector())),
        parts_(rows.lanes / vector_),
        b_(module.getContext()),
        real_(b_.getDoubleTy()),
        row_(vector_of(real_)),
        sizes_(vector_of(b_.getFloatTy())),
        mask_(vector_of(b_.getInt1Ty())),
        integers_(vector_of(b_.getInt64Ty())) {
    llvm::Type* const pointer = b_.getPtrTy();
    auto* const type = llvm::FunctionType::get(
        b_.getVoidTy(), {pointer, pointer, pointer, pointer, pointer, pointer, b_.getInt32Ty()}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name, module);
    prepare(*function_);
    for (const unsigned argument : {0U, 1U, 2U, 3U, 4U, 5U})
      function_->addParamAttr(argument, llvm::Attribute::NoAlias);
  }

  // `body` of i and the value that it passes on from one turn to the next, if there is one.
  template <class Body>
  llvm::Value* loop(std::size_t first, std::size_t last, llvm::Value* passed, Body&& body) {
    llvm::BasicBlock *const before = b_.GetInsertBlock(), *const turn = block("turn"), *const after = block("after");
    b_.CreateBr(turn);
    b_.SetInsertPoint(turn);
    llvm::PHINode* const i = b_.CreatePHI(b_.getInt64Ty(), 2);
    llvm::PHINode* const value = passed ? b_.CreatePHI(passed->getType(), 2) : nullptr;
    llvm::Value* const next_value = body(i, value);
    llvm::Value* const next = b_.CreateAdd(i, b_.getInt64(1));
    i->addIncoming(b_.getInt64(first), before);
    i->addIncoming(next, b_.GetInsertBlock());
    if (value) {
      value->addIncoming(passed, before);
      value->addIncoming(next_value, b_.GetInsertBlock());
    }
    b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(last)), turn, after);
    b_.SetInsertPoint(after);
    return next_value;
  }
  // For all parts of the rows: in a loop, or written out.
  template <class Body>
  void over_parts(Body&& body) {
    if (parts_ == 1) return body();
    loop(0, parts_, nullptr, [&](llvm::Value* p, llvm::Value*) {
      part_ = p;
      body();
      return nullptr;
    });
  }
  template <class Body>
  void each_part(Body&& body) {
    for (std::size_t p = 0; p < parts_; ++p) {
      part_ = b_.getInt64(p);
      body(p);
    }
  }
  // Nodes and parts together: k counts both.
  template <class Body>
  void over_nodes(Body&& body) {
    loop(0, s_ * parts_, nullptr, [&](llvm::Value* k, llvm::Value*) {
      body(k);
      return nullptr;
    });
  }
  // Of components first … last − 1 as many at once as share what is loaded: coefficients are loaded for all of them,
  // and loads are what a step waits for. `body` of the first one, how many there are and the value that is passed on.
  template <class Body>
  llvm::Value* over_blocks(std::size_t first, std::size_t last, std::size_t rows_each, llvm::Value* passed,
                           Body&& body) {
    constexpr std::size_t registers = 20;  // that may hold what a block keeps
    const std::size_t count = last - first;
    std::size_t size = std::clamp<std::size_t>(registers / rows_each, 1, count);
    while (count % size != 0) --size;
    if (size == count) return body(b_.getInt64(first), size, passed);
    return loop(0, count / size, passed, [&](llvm::Value* k, llvm::Value* value) {
      return body(b_.CreateAdd(b_.CreateMul(k, b_.getInt64(size)), b_.getInt64(first)), size, value);
    });
  }
  template <class Body>
  void over_components(std::size_t rows_each, Body&& body) {
    over_blocks(0, rows_.components, rows_each, nullptr, [&](llvm::Value* c, std::size_t size, llvm::Value*) {
      body(c, size);
      return nullptr;
    });
  }
  // Σ_j a_j x_j.
  llvm::Value* sum(const row_values& a, llvm::Value* const* x) {
    llvm::Value* total = b_.CreateFMul(a[0], x[0]);
    for (std::size_t j = 1; j < a.size(); ++j) total = fma(a[j], x[j], total);
    return total;
  }

  // Σ_j a_j K_j as a sum of two numbers, with the remainders of the coefficients. Starting from a number that is much
  // larger than all terms, sums are multiples of its last place and differences of successive ones exact: what each
  // term lost to that grid is known and summed apart.
  std::pair<llvm::Value*, llvm::Value*> accurate_sum(llvm::Value* grid, const row_values& heads,
                                                     const row_values& tails, llvm::Value* const* rates) {
    llvm::Value *total = grid, *rest = nullptr;
    for (std::size_t j = 0; j < s_; ++j) {
      llvm::Value* const next = fma(heads[j], rates[j], total);
      llvm::Value* const lost_of_product = fma(heads[j], rates[j], b_.CreateFNeg(b_.CreateFSub(next, total)));
      llvm::Value* const more = fma(tails[j], rates[j], lost_of_product);
      rest = rest ? b_.CreateFAdd(rest, more) : more;
      total = next;
    }
    return {b_.CreateFSub(total, grid), rest};
  }

  // a + b = sum + what rounding takes.
  std::pair<llvm::Value*, llvm::Value*> exact_sum(llvm::Value* a, llvm::Value* b) {
    llvm::Value* const sum = b_.CreateFAdd(a, b);
    llvm::Value* const of_b = b_.CreateFSub(sum, a);
    llvm::Value* const of_a = b_.CreateFSub(sum, of_b);
    return {sum, b_.CreateFAdd(b_.CreateFSub(a, of_a), b_.CreateFSub(b, of_b))};
  }

  void set_in(llvm::Value* lanes, llvm::Value* place, llvm::Value* value) {
    store(b_.CreateSelect(lanes, value, load(place)), place);
  }
  // Neither is NaN, or the lane is lost anyway.
  llvm::Value* larger(llvm::Value* a, llvm::Value* b) { return b_.CreateSelect(b_.CreateFCmpOGT(a, b), a, b); }
  llvm::Value* any(llvm::Value* truths) { return truths->getType()->isVectorTy() ? b_.CreateOrReduce(truths) : truths; }
  llvm::Value* none() const { return llvm::ConstantInt::get(mask_, 0); }
  llvm::Value* is_set(std::size_t k) { return b_.CreateFCmpONE(load(row(k)), number(0)); }

  // The part at hand of row k, or of the one that stands `further` rows behind it.
  llvm::Value* row(std::size_t k) { return row(k, b_.getInt64(0)); }
  llvm::Value* row(std::size_t k, llvm::Value* further) { return part_of(function_->getArg(2), k, further); }
  // That of component c + d where k is that of component d, in rows by components and nodes.
  llvm::Value* node_row(std::size_t k, llvm::Value* c) { return row(k, b_.CreateMul(c, b_.getInt64(s_))); }
  llvm::Value* rate(llvm::Value* array, llvm::Value* c, std::size_t d, std::size_t i) {
    return part_of(array, rows_.rate(d, i), b_.CreateMul(c, b_.getInt64(s_)));
  }
  llvm::Value* part_of(llvm::Value* array, std::size_t k, llvm::Value* further) {
    llvm::Value* const offset = b_.CreateAdd(b_.CreateMul(further, b_.getInt64(parts_)), part_);
    return b_.CreateGEP(row_, b_.CreateConstGEP1_64(row_, array, k * parts_), offset);
  }
  // Node and part k where row `first` is that of the first node.
  llvm::Value* at_node(llvm::Value* array, std::size_t first, llvm::Value* k) {
    return b_.CreateGEP(row_, b_.CreateConstGEP1_64(row_, array, first * parts_), k);
  }
  llvm::Value* load_pointer(double* lane_rates::* member) {
    static constexpr double* lane_rates::* order[] = {&lane_rates::now, &lane_rates::last, &lane_rates::solved,
                                                      &lane_rates::recent, &lane_rates::previous};
    const auto index = static_cast<std::uint64_t>(std::ranges::find(order, member) - std::begin(order));
    return b_.CreateLoad(b_.getPtrTy(), b_.CreateConstGEP1_64(b_.getPtrTy(), function_->getArg(3), index));
  }
  // s numbers of the table, each in all lanes.
  row_values coefficients(std::size_t first) {
    row_values values;
    for (std::size_t k = first; k < first + s_; ++k) {
      values.push_back(spread(b_.CreateLoad(real_, b_.CreateConstGEP1_64(real_, function_->getArg(1), k))));
    }
    return values;
  }
  llvm::Value* number(double value) const { return llvm::ConstantFP::get(row_, value); }
  llvm::Value* size(double value) const { return llvm::ConstantFP::get(sizes_, value); }
  llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(b_.getContext(), name, function_); }
  llvm::Value* load(llvm::Value* from) { return b_.CreateAlignedLoad(row_, from, llvm::Align(alignof(double))); }
  void store(llvm::Value* value, llvm::Value* to) { b_.CreateAlignedStore(value, to, llvm::Align(alignof(double))); }
  llvm::Value* spread(llvm::Value* x) {
    return vector_ == 1 ? x : b_.CreateVectorSplat(static_cast<unsigned>(vector_), x);
  }
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return b_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
  }

  const lane_rows& rows_;
  std::size_t s_;
  std::size_t vector_, parts_;  // lanes of a vector, vectors of a row
  llvm::IRBuilder<> b_;
  llvm::Type *real_, *row_, *sizes_, *mask_, *integers_;
  llvm::Function* function_;
  llvm::Value* part_ = nullptr;  // the part at hand

 private:
  llvm::Type* vector_of(llvm::Type* element) const {
    if (vector_ == 1) return element;
    return llvm::FixedVectorType::get(element, static_cast<unsigned>(vector_));
  }
};

}  // namespace actio::machine_code
