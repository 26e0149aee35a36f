#include "actio/backend/llvm/collocation_writer.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "actio/backend/llvm/flow_emitter.hpp"
#include "actio/backend/llvm/target.hpp"

namespace actio::machine_code {

namespace {

using namespace stage_rules;

using row_values = std::vector<llvm::Value*>;

class kernel_writer {
 public:
  kernel_writer(llvm::Module& module, const collocation_code& code, const collocation_rows& rows, bool any_argument)
      : code_(code),
        rows_(rows),
        n_(code.coordinates),
        any_argument_(any_argument),
        b_(module.getContext()),
        flow_(analyse(code.field)) {
    real_ = b_.getDoubleTy();
    row_ = vector_of(rows.lanes);
    llvm::Type* const pointer = b_.getPtrTy();
    auto* const type = llvm::FunctionType::get(b_.getInt32Ty(), {pointer, pointer, pointer, pointer}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name, module);
    prepare(*function_);
    for (const unsigned argument : {0U, 1U, 2U, 3U}) function_->addParamAttr(argument, llvm::Attribute::NoAlias);
    for (const unsigned argument : {0U, 1U, 3U}) function_->addParamAttr(argument, llvm::Attribute::ReadOnly);
  }

  void write() {
    llvm::BasicBlock *const before = block("before"), *const far = block("far"), *const reference = block("reference"),
                            *const near = block("near"), *const done = block("done");
    b_.SetInsertPoint(before);
    flow_emitter field(b_, flow_, {function_->getArg(0), function_->getArg(3), rows_.lanes, any_argument_});
    time_ = b_.CreateFAdd(spread(load(work(rows_.time()))), load_row(table(rows_.node())));
    row_values Z;
    for (std::size_t c = 0; c < rows_.components; ++c) {
      start_.push_back(spread(load(work(rows_.start(c)))));
      remainder_.push_back(spread(load(work(rows_.remainder(c)))));
      Z.push_back(continued_sum(work(rows_.rate(c))));
    }
    for (std::size_t c = 0; c < rows_.components; ++c) measure_size(Z[c], c);
    b_.CreateBr(far);

    b_.SetInsertPoint(far);
    loop_values far_loop = open_loop(before, Z, number(0), b_.getInt32(1));
    row_values at;
    for (std::size_t c = 0; c < rows_.components; ++c) {
      at.push_back(b_.CreateFAdd(start_[c], b_.CreateFAdd(remainder_[c], far_loop.rows[c])));
    }
    at.push_back(time_);
    const row_values first = field.emit(at);
    const std::vector<flow_emitter::known_sines> sines = field.sines();
    llvm::Value* const too_large = field.too_large();
    row_values rates = first, next(rows_.components);
    for (std::size_t a = n_; a < 2 * n_; ++a) next[a] = stage_sum(rates[a]);
    move_velocities(rates, next, far_loop.rows);
    for (std::size_t a = 0; a < n_; ++a) next[a] = stage_sum(rates[a]);
    llvm::Value* change = change_of(next, far_loop.rows);
    leave_if(too_large, stage_outcome::argument_too_large, far_loop, change);
    leave_if(b_.CreateFCmpUGT(change, number(lost)), stage_outcome::not_finite, far_loop, change);
    leave_if(is_slow(far_loop, change), stage_outcome::slow, far_loop, change);
    close_loop(far_loop, next, change, [&](llvm::BasicBlock* again) {
      b_.CreateCondBr(b_.CreateFCmpOLE(change, number(nearly_known)), reference, again);
    });

    // y + Z = base + small, where small follows the differences of the rates from those known here.
    b_.SetInsertPoint(reference);
    row_values base, low;
    for (std::size_t c = 0; c < rows_.components; ++c) {
      const auto [sum, rest] = accurate_stage_sum(c, rates[c]);
      const auto [place, lost_of_place] = exact_sum(start_[c], sum);
      base.push_back(place);
      low.push_back(b_.CreateFAdd(b_.CreateFAdd(lost_of_place, remainder_[c]), rest));
    }
    llvm::Value* const next_count = b_.CreateAdd(far_loop.count, b_.getInt32(1));
    b_.CreateBr(near);

    b_.SetInsertPoint(near);
    loop_values near_loop = open_loop(reference, low, change, next_count);
    llvm::PHINode* kept[3];
    for (llvm::PHINode*& one : kept) {
      one = b_.CreatePHI(real_, 2);
      one->addIncoming(number(one == kept[0] ? 0 : 1), reference);
    }
    llvm::PHINode* const is_first = b_.CreatePHI(b_.getInt1Ty(), 2);
    is_first->addIncoming(b_.getTrue(), reference);
    at.clear();
    for (std::size_t c = 0; c < rows_.components; ++c) {
      at.push_back(b_.CreateFAdd(base[c], near_loop.rows[c]));
    }
    at.push_back(time_);
    row_values now = field.emit_near(at, sines);
    llvm::Value* const is_near = field.is_near();
    const auto new_small = [&](std::size_t c) { return stage_sum(b_.CreateFSub(now[c], rates[c]), low[c]); };
    row_values small(rows_.components);
    for (std::size_t a = n_; a < 2 * n_; ++a) small[a] = new_small(a);
    move_velocities(now, small, near_loop.rows);
    for (std::size_t a = 0; a < n_; ++a) small[a] = new_small(a);
    change = change_of(small, near_loop.rows);
    leave_if(b_.CreateFCmpUGT(change, number(lost)), stage_outcome::not_finite, near_loop, change);
    leave_if(is_slow(near_loop, change), stage_outcome::slow, near_loop, change);
    row_values whole;
    for (std::size_t c = 0; c < rows_.components; ++c)
      whole.push_back(b_.CreateFAdd(b_.CreateFSub(base[c], start_[c]), small[c]));
    llvm::BasicBlock* const still_near = block("still_near");
    far_loop.add_edge(b_.GetInsertBlock(), whole, change, b_.CreateAdd(near_loop.count, b_.getInt32(1)));
    b_.CreateCondBr(is_near, still_near, far);
    b_.SetInsertPoint(still_near);
    contraction measured{};
    llvm::Value* const ends = is_done(measured, {kept[0], kept[1], kept[2]}, near_loop, change, is_first);
    kept[0]->addIncoming(measured.rate, still_near);
    kept[1]->addIncoming(measured.missing, still_near);
    kept[2]->addIncoming(measured.fastest, still_near);
    is_first->addIncoming(b_.getFalse(), still_near);
    close_loop(near_loop, small, change, [&](llvm::BasicBlock* again) { b_.CreateCondBr(ends, done, again); });

    b_.SetInsertPoint(done);
    for (std::size_t c = 0; c <= rows_.components; ++c) store_row(now[c], work(rows_.rate(c)));
    for (std::size_t c = 0; c < rows_.components; ++c) {
      const auto [sum, rest] = weighted_sum(c, now[c]);
      b_.CreateStore(sum, work(rows_.increment(c)));
      b_.CreateStore(rest, work(rows_.increment_remainder(c)));
    }
    report(near_loop.count, change);
    b_.CreateRet(b_.getInt32(static_cast<std::uint32_t>(stage_outcome::converged)));
  }

 private:
  // Values that change from one iteration to the next.
  struct loop_values {
    std::vector<llvm::PHINode*> phis;
    row_values rows;
    llvm::PHINode *previous, *count;
    llvm::BasicBlock* head;

    void add_edge(llvm::BasicBlock* from, const row_values& values, llvm::Value* change, llvm::Value* iteration) {
      for (std::size_t c = 0; c < phis.size(); ++c) phis[c]->addIncoming(values[c], from);
      previous->addIncoming(change, from);
      count->addIncoming(iteration, from);
    }
  };

  // The state of stage_rules::is_done.
  struct contraction {
    llvm::Value *rate, *missing, *fastest;
  };

  loop_values open_loop(llvm::BasicBlock* from, const row_values& values, llvm::Value* change, llvm::Value* iteration) {
    loop_values loop;
    loop.head = b_.GetInsertBlock();
    for (std::size_t c = 0; c < values.size(); ++c) loop.phis.push_back(b_.CreatePHI(row_, 2));
    loop.previous = b_.CreatePHI(real_, 2);
    loop.count = b_.CreatePHI(b_.getInt32Ty(), 2);
    loop.rows.assign(loop.phis.begin(), loop.phis.end());
    loop.add_edge(from, values, change, iteration);
    return loop;
  }

  template <class Branch>
  void close_loop(loop_values& loop, const row_values& values, llvm::Value* change, Branch&& branch) {
    llvm::Value* const next = b_.CreateAdd(loop.count, b_.getInt32(1));
    loop.add_edge(b_.GetInsertBlock(), values, change, next);
    branch(loop.head);
  }

  void leave_if(llvm::Value* condition, stage_outcome outcome, const loop_values& loop, llvm::Value* change) {
    llvm::BasicBlock *const leave = block("leave"), *const stay = block("stay");
    b_.CreateCondBr(condition, leave, stay);
    b_.SetInsertPoint(leave);
    report(loop.count, change);
    b_.CreateRet(b_.getInt32(static_cast<std::uint32_t>(outcome)));
    b_.SetInsertPoint(stay);
  }

  void report(llvm::Value* iterations, llvm::Value* change) {
    b_.CreateStore(b_.CreateSIToFP(iterations, real_), work(rows_.iterations()));
    b_.CreateStore(change, work(rows_.change()));
  }

  llvm::Value* is_slow(const loop_values& loop, llvm::Value* change) {
    llvm::Value* const grows = b_.CreateAnd(
        b_.CreateICmpSGT(loop.count, b_.getInt32(patience)),
        b_.CreateAnd(b_.CreateFCmpOGE(change, loop.previous), b_.CreateFCmpOGT(change, number(stall_limit))));
    return b_.CreateOr(grows, b_.CreateICmpSGE(loop.count, b_.getInt32(most_iterations)));
  }

  // As stage_rules::is_done; the state of the contraction is kept in three values of the loop.
  llvm::Value* is_done(contraction& now, const contraction& before, const loop_values& loop, llvm::Value* change,
                       llvm::Value* first) {
    llvm::Value* const measured = b_.CreateFDiv(change, loop.previous);
    llvm::Value* const is_clean = b_.CreateOr(b_.CreateFCmpOGT(change, number(clean)), first);
    llvm::Value* const is_slower = b_.CreateAnd(is_clean, b_.CreateFCmpOGT(measured, before.rate));
    now.rate = b_.CreateSelect(is_slower, measured, before.rate);
    llvm::Value* const series = b_.CreateFDiv(b_.CreateFMul(change, now.rate), b_.CreateFSub(number(1), now.rate));
    now.missing = b_.CreateSelect(is_clean, series, b_.CreateFMul(before.missing, now.rate));
    now.fastest = b_.CreateSelect(b_.CreateFCmpOLT(measured, before.fastest), measured, before.fastest);
    llvm::Value* const still = b_.CreateFCmpOEQ(change, number(0));
    llvm::Value* const converged =
        b_.CreateAnd(b_.CreateFCmpOLT(now.rate, number(slow)), b_.CreateFCmpOLE(now.missing, number(floor_of_missing)));
    llvm::Value* const stalls =
        b_.CreateAnd(b_.CreateFCmpOGE(measured, number(slow)), b_.CreateFCmpOLT(now.fastest, number(fast)));
    llvm::Value* const stalled =
        b_.CreateAnd(b_.CreateAnd(is_clean, stalls), b_.CreateFCmpOLE(change, number(stall_limit)));
    return b_.CreateOr(still, b_.CreateOr(converged, stalled));
  }

  // rates of q += M⁻¹ (new − old momenta).
  void move_velocities(row_values& rates, const row_values& next, const row_values& last) {
    if (code_.inverse_mass.empty()) return;
    row_values moved(n_);
    for (std::size_t a = 0; a < n_; ++a) moved[a] = b_.CreateFSub(next[n_ + a], last[n_ + a]);
    for (std::size_t k = 0; k < code_.inverse_mass.size(); ++k) {
      const auto [i, j] = code_.inverse_mass[k];
      llvm::Value* const entry = rates[2 * n_ + 1 + k];
      rates[i] = fma(entry, moved[j], rates[i]);
      if (i != j) rates[j] = fma(entry, moved[i], rates[j]);
    }
  }

  // The weighted size of all changes.
  llvm::Value* change_of(const row_values& next, const row_values& last) {
    llvm::Value* squares = llvm::ConstantFP::get(row_, 0);
    for (std::size_t c = 0; c < rows_.components; ++c) {
      llvm::Value* const change = b_.CreateFMul(b_.CreateFSub(next[c], last[c]), inverse_size_[c]);
      squares = fma(change, change, squares);
    }
    llvm::Value* const sum = folded(squares, [&](llvm::Value* a, llvm::Value* b) { return b_.CreateFAdd(a, b); });
    return b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, sum);
  }

  // |y| + max |Z|: its inverse, 0 where that is infinite; and 1.5 times a power of two some times larger, see
  // accurate_stage_sum.
  void measure_size(llvm::Value* Z, std::size_t c) {
    llvm::Value* const extent = folded(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, Z),
                                       [&](llvm::Value* a, llvm::Value* b) { return larger(a, b); });
    llvm::Value* const place = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, load(work(rows_.start(c))));
    llvm::Value* const size = b_.CreateFAdd(place, extent);
    llvm::Value* const inverse = b_.CreateFDiv(number(1), size);
    llvm::Value* const is_positive = b_.CreateSExt(b_.CreateFCmpOGT(size, number(0)), b_.getInt64Ty());
    inverse_size_.push_back(spread(as_real(b_.CreateAnd(as_bits(inverse), is_positive))));
    llvm::Value* const power = as_real(b_.CreateAnd(as_bits(size), b_.getInt64(std::uint64_t{0x7ff} << 52)));
    grid_.push_back(spread(b_.CreateFMul(power, number(48))));
  }

  // Neither is NaN, or the step is lost anyway.
  llvm::Value* larger(llvm::Value* a, llvm::Value* b) {
    const llvm::IRBuilder<>::FastMathFlagGuard guard(b_);
    llvm::FastMathFlags flags;
    flags.setNoNaNs();
    flags.setNoSignedZeros();
    b_.setFastMathFlags(flags);
    return b_.CreateMaxNum(a, b);
  }

  // A vector folded in halves to one number.
  template <class Fold>
  llvm::Value* folded(llvm::Value* x, Fold&& fold) {
    for (std::size_t half = rows_.lanes / 2; half >= 1; half /= 2) x = fold(part(x, 0, half), part(x, half, half));
    return x;
  }

  llvm::Value* part(llvm::Value* x, std::size_t first, std::size_t count) {
    if (!x->getType()->isVectorTy()) return x;
    if (count == 1) return b_.CreateExtractElement(x, first);
    llvm::SmallVector<int, 8> lanes;
    for (std::size_t l = 0; l < count; ++l) lanes.push_back(static_cast<int>(first + l));
    return b_.CreateShuffleVector(x, lanes);
  }

  // Σ_j column_j K_j of rates that stand in memory.
  llvm::Value* continued_sum(llvm::Value* rates) {
    llvm::Value* total = nullptr;
    for (std::size_t j = 0; j < rows_.points; ++j) {
      llvm::Value* const column = load_row(table(rows_.continued_stage(j)));
      llvm::Value* const k = spread(load(b_.CreateConstGEP1_64(real_, rates, j)));
      total = total ? fma(column, k, total) : b_.CreateFMul(column, k);
    }
    return total;
  }

  // first + Σ_j h a_ij K_j, in four chains.
  llvm::Value* stage_sum(llvm::Value* rates, llvm::Value* first = nullptr) {
    constexpr std::size_t most = 4;
    std::vector<llvm::Value*> chains(std::min(most, rows_.points), nullptr);
    chains[0] = first;
    for (std::size_t j = 0; j < rows_.points; ++j) {
      llvm::Value* const column = load_row(table(rows_.stage(j)));
      llvm::Value*& chain = chains[j % most];
      chain = chain ? fma(column, lane(rates, j), chain) : b_.CreateFMul(column, lane(rates, j));
    }
    while (chains.size() > 1) {
      for (std::size_t k = 0; k + 1 < chains.size(); k += 2) chains[k / 2] = b_.CreateFAdd(chains[k], chains[k + 1]);
      if (chains.size() % 2 == 1) chains[chains.size() / 2] = chains.back();
      chains.resize((chains.size() + 1) / 2);
    }
    return chains[0];
  }

  // Lane j in all lanes.
  llvm::Value* lane(llvm::Value* row, std::size_t j) {
    if (rows_.lanes == 1) return row;
    return b_.CreateShuffleVector(row, llvm::SmallVector<int, 16>(rows_.lanes, static_cast<int>(j)));
  }

  // The same with the remainders of the coefficients, as a sum of two numbers. Starting from a number that is much
  // larger than all terms, sums are multiples of its last place and differences of successive ones exact: what each
  // term lost to that grid is known and summed apart.
  std::pair<llvm::Value*, llvm::Value*> accurate_stage_sum(std::size_t c, llvm::Value* rates) {
    llvm::Value* total = grid_[c];
    llvm::Value* rest = llvm::ConstantFP::get(row_, 0);
    for (std::size_t j = 0; j < rows_.points; ++j) {
      llvm::Value* const column = load_row(table(rows_.stage(j)));
      llvm::Value* const k = lane(rates, j);
      llvm::Value* const next = fma(column, k, total);
      rest = b_.CreateFAdd(rest, fma(column, k, b_.CreateFNeg(b_.CreateFSub(next, total))));
      rest = fma(load_row(table(rows_.stage_remainder(j))), k, rest);
      total = next;
    }
    return {b_.CreateFSub(total, grid_[c]), rest};
  }

  // Σ_i h b_i K_i over the lanes, likewise.
  std::pair<llvm::Value*, llvm::Value*> weighted_sum(std::size_t c, llvm::Value* rates) {
    llvm::Value* const weight = load_row(table(rows_.weight()));
    llvm::Value* const on_grid = b_.CreateFSub(fma(weight, rates, grid_[c]), grid_[c]);
    llvm::Value* const lost_of_product = fma(weight, rates, b_.CreateFNeg(on_grid));
    llvm::Value* const rest = fma(load_row(table(rows_.weight_remainder())), rates, lost_of_product);
    const auto add = [&](llvm::Value* a, llvm::Value* b) { return b_.CreateFAdd(a, b); };
    return {folded(on_grid, add), folded(rest, add)};
  }

  // a + b = sum + what rounding takes.
  std::pair<llvm::Value*, llvm::Value*> exact_sum(llvm::Value* a, llvm::Value* b) {
    llvm::Value* const sum = b_.CreateFAdd(a, b);
    llvm::Value* const of_b = b_.CreateFSub(sum, a);
    llvm::Value* const of_a = b_.CreateFSub(sum, of_b);
    return {sum, b_.CreateFAdd(b_.CreateFSub(a, of_a), b_.CreateFSub(b, of_b))};
  }

  llvm::Value* as_bits(llvm::Value* x) { return b_.CreateBitCast(x, b_.getInt64Ty()); }
  llvm::Value* as_real(llvm::Value* x) { return b_.CreateBitCast(x, real_); }
  llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(b_.getContext(), name, function_); }
  llvm::Type* vector_of(std::size_t lanes) const {
    if (lanes == 1) return real_;
    return llvm::FixedVectorType::get(real_, static_cast<unsigned>(lanes));
  }
  llvm::Value* number(double value) const { return llvm::ConstantFP::get(real_, value); }
  llvm::Value* table(std::size_t k) { return b_.CreateConstGEP1_64(real_, function_->getArg(1), k); }
  llvm::Value* work(std::size_t k) { return b_.CreateConstGEP1_64(real_, function_->getArg(2), k); }
  llvm::Value* load(llvm::Value* from) { return b_.CreateLoad(real_, from); }
  llvm::Value* load_row(llvm::Value* from) { return b_.CreateAlignedLoad(row_, from, llvm::Align(alignof(double))); }
  void store_row(llvm::Value* row, llvm::Value* to) { b_.CreateAlignedStore(row, to, llvm::Align(alignof(double))); }
  llvm::Value* spread(llvm::Value* x) {
    return rows_.lanes == 1 ? x : b_.CreateVectorSplat(static_cast<unsigned>(rows_.lanes), x);
  }
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return b_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
  }

  const collocation_code& code_;
  const collocation_rows& rows_;
  std::size_t n_;
  bool any_argument_;
  llvm::IRBuilder<> b_;
  dataflow flow_;
  llvm::Function* function_;
  llvm::Type *real_, *row_;
  llvm::Value* time_ = nullptr;
  row_values start_, remainder_, inverse_size_, grid_;
};

}  // namespace

std::string make_collocation_object(const collocation_code& code, const collocation_rows& rows, bool any_argument) {
  return compile_module([&](llvm::Module& module) { kernel_writer(module, code, rows, any_argument).write(); });
}

}  // namespace actio::machine_code
