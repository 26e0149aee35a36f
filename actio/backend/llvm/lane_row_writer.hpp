// Instructions on rows of numbers, one number a lane: loops over them, where they stand, sums.
//
// Loops over nodes and over components keep code short whatever the size of a system. A row may be longer than a
// vector: it is then written in parts.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "actio/backend/lane_kernel.hpp"
#include "actio/backend/llvm/ir_writer.hpp"

namespace actio::machine_code {

class lane_row_writer : protected entry_writer {
 protected:
  // The function is a lane_stage_entry.
  lane_row_writer(llvm::Module& module, const lane_rows& rows)
      : entry_writer(module, llvm::Type::getVoidTy(module.getContext()),
                     {argument::alone, argument::alone, argument::alone, argument::alone, argument::alone,
                      argument::alone, argument::integer}),
        rows_(rows),
        s_(rows.points),
        vector_(std::min(rows.lanes, widest_vector())),
        parts_(rows.lanes / vector_),
        row_(vector_of(real_, vector_)),
        sizes_(vector_of(b_.getFloatTy(), vector_)),
        mask_(vector_of(b_.getInt1Ty(), vector_)),
        integers_(vector_of(b_.getInt64Ty(), vector_)) {}

  // For all parts of the rows: in a loop, or written out.
  template <class Body>
  void over_parts(Body&& body) {
    if (parts_ == 1) return body();
    counted_loop(0, parts_, nullptr, [&](llvm::Value* p, llvm::Value*) {
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
    counted_loop(0, s_ * parts_, nullptr, [&](llvm::Value* k, llvm::Value*) {
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
    return counted_loop(0, count / size, passed, [&](llvm::Value* k, llvm::Value* value) {
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

  // The state of stage_rules::is_done in every lane; single precision is enough for sizes. Of the fastest rate only
  // whether it was fast matters.
  struct contraction {
    llvm::Value *rate, *missing, *last_rate, *last_series, *was_fast;
    std::array<llvm::Value*, 5> all() const { return {rate, missing, last_rate, last_series, was_fast}; }
  };
  // At the head of a loop.
  contraction begin_contraction(llvm::BasicBlock* before) {
    const auto passed = [&](llvm::Value* first) { return passed_from(before, first); };
    return {passed(size(0)), passed(size(1)), passed(size(0)), passed(size(0)), passed(none())};
  }
  static void pass_on(const contraction& to, const contraction& now, llvm::BasicBlock* from) {
    for (std::size_t k = 0; k < now.all().size(); ++k) {
      llvm::cast<llvm::PHINode>(to.all()[k])->addIncoming(now.all()[k], from);
    }
  }
  // What a change makes of it; where that is not clean, it may be rounding, and the series goes on as it was.
  contraction followed(const contraction& before, llvm::Value* change, llvm::Value* previous, llvm::Value* is_clean) {
    constexpr double smallest = 0x1p-100;  // in place of `tiny`, which single precision does not have
    contraction now{};
    now.last_rate = b_.CreateFDiv(change, previous);
    now.last_series = b_.CreateFDiv(change, larger_number(b_.CreateFSub(previous, change), size(smallest)));
    now.rate = b_.CreateSelect(is_clean, larger_number(before.last_rate, now.last_rate), before.rate);
    llvm::Value* const by_change = b_.CreateFMul(change, larger_number(before.last_series, now.last_series));
    now.missing = b_.CreateSelect(is_clean, by_change, b_.CreateFMul(before.missing, before.rate));
    now.was_fast = b_.CreateOr(before.was_fast, b_.CreateFCmpOLT(now.last_rate, size(stage_rules::fast)));
    return now;
  }
  llvm::Value* reaches_floor(llvm::Value* rate, llvm::Value* missing) {
    return b_.CreateAnd(b_.CreateFCmpOLT(rate, size(stage_rules::slow)),
                        b_.CreateFCmpOLE(missing, size(stage_rules::floor_of_missing)));
  }
  llvm::Value* stalls(const contraction& now, llvm::Value* change, llvm::Value* is_clean) {
    llvm::Value* const no_longer_shrinks =
        b_.CreateAnd(b_.CreateFCmpOGE(now.last_rate, size(stage_rules::slow)), now.was_fast);
    return b_.CreateAnd(b_.CreateAnd(is_clean, no_longer_shrinks),
                        b_.CreateFCmpOLE(change, size(stage_rules::stall_limit)));
  }
  // It is worth going on while numbers are finite, changes shrink after a while, and iterations are not too many.
  llvm::Value* has_hope(llvm::Value* change, llvm::Value* previous, llvm::Value* count) {
    llvm::Value* const shrinks =
        b_.CreateOr(b_.CreateFCmpOLT(change, previous), b_.CreateFCmpOLE(change, size(stage_rules::stall_limit)));
    llvm::Value* const is_early = spread(b_.CreateICmpSLE(count, b_.getInt32(stage_rules::patience)));
    llvm::Value* const goes_on = spread(b_.CreateICmpSLT(count, b_.getInt32(stage_rules::most_iterations)));
    return b_.CreateAnd(b_.CreateAnd(b_.CreateFCmpOLE(change, size(stage_rules::lost)), goes_on),
                        b_.CreateOr(is_early, shrinks));
  }
  // 1/size, 0 where that is infinite.
  llvm::Value* inverse_of(llvm::Value* size) {
    llvm::Value* const inverse = b_.CreateFDiv(number(1), size);
    return b_.CreateSelect(b_.CreateFCmpOGT(size, number(0)), inverse, number(0));
  }

  void set_in(llvm::Value* lanes, llvm::Value* place, llvm::Value* value) {
    store(b_.CreateSelect(lanes, value, load(place)), place);
  }
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
      values.push_back(spread(load(real_, element(function_->getArg(1), k))));
    }
    return values;
  }
  llvm::Value* number(double value) const { return llvm::ConstantFP::get(row_, value); }
  llvm::Value* size(double value) const { return llvm::ConstantFP::get(sizes_, value); }
  using ir_writer::load;
  llvm::Value* load(llvm::Value* from) { return load(row_, from); }
  llvm::Value* spread(llvm::Value* x) { return splat(x, vector_); }

  const lane_rows& rows_;
  std::size_t s_;
  std::size_t vector_, parts_;  // lanes of a vector, vectors of a row
  llvm::Type *row_, *sizes_, *mask_, *integers_;
  llvm::Value* part_ = nullptr;  // the part at hand
};

}  // namespace actio::machine_code
