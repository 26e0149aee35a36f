#include "actio/backend/llvm/stage_writer.hpp"

#include "actio/backend/llvm/flow_emitter.hpp"
#include "actio/backend/llvm/target.hpp"

namespace actio::machine_code {

using namespace stage_rules;

stage_writer::stage_writer(llvm::Module& module, const collocation_rows& rows)
    : rows_(rows), b_(module.getContext()), real_(b_.getDoubleTy()) {
  row_ = rows.lanes == 1
             ? real_
             : static_cast<llvm::Type*>(llvm::FixedVectorType::get(real_, static_cast<unsigned>(rows.lanes)));
  llvm::Type* const pointer = b_.getPtrTy();
  auto* const type = llvm::FunctionType::get(b_.getInt32Ty(), {pointer, pointer, pointer, pointer}, false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name, module);
  prepare(*function_);
  for (const unsigned argument : {0U, 1U, 2U, 3U}) function_->addParamAttr(argument, llvm::Attribute::NoAlias);
  for (const unsigned argument : {0U, 1U, 3U}) function_->addParamAttr(argument, llvm::Attribute::ReadOnly);
}

void stage_writer::note_first(progress& next, const progress& last) {
  llvm::Value* const was_first = b_.CreateICmpEQ(last.count, b_.getInt32(0));
  next.first_change = b_.CreateSelect(was_first, next.change, last.first_change);
}

void stage_writer::leave_unless_hopeful(const progress& next, const progress& last, llvm::Value* too_large) {
  leave_if(too_large, stage_outcome::argument_too_large, next);
  leave_if(b_.CreateFCmpUGT(next.change, number(lost)), stage_outcome::not_finite, next);
  llvm::Value* const grows = b_.CreateAnd(
      b_.CreateICmpSGT(next.count, b_.getInt32(patience)),
      b_.CreateAnd(b_.CreateFCmpOGE(next.change, last.change), b_.CreateFCmpOGT(next.change, number(stall_limit))));
  leave_if(b_.CreateOr(grows, b_.CreateICmpSGE(next.count, b_.getInt32(most_iterations))), stage_outcome::slow, next);
}

void stage_writer::leave_if(llvm::Value* condition, stage_outcome outcome, const progress& i) {
  llvm::BasicBlock *const leaves = block("leaves"), *const stays = block("stays");
  b_.CreateCondBr(condition, leaves, stays);
  b_.SetInsertPoint(leaves);
  leave(i, outcome);
  b_.SetInsertPoint(stays);
}

void stage_writer::leave(const progress& i, stage_outcome outcome) {
  b_.CreateStore(b_.CreateSIToFP(i.count, real_), work(rows_.iterations()));
  b_.CreateStore(i.change, work(rows_.change()));
  b_.CreateRet(b_.getInt32(static_cast<std::uint32_t>(outcome)));
}

llvm::Value* stage_writer::contracts(contraction& now, const contraction& before, llvm::Value* change,
                                     llvm::Value* previous, llvm::Value* first) {
  now.last_rate = b_.CreateFDiv(change, previous);
  now.last_series = b_.CreateFDiv(change, larger(b_.CreateFSub(previous, change), number(tiny)));
  llvm::Value* const is_clean = b_.CreateOr(b_.CreateFCmpOGT(change, number(clean)), first);
  now.rate = b_.CreateSelect(is_clean, larger(before.last_rate, now.last_rate), before.rate);
  now.series = b_.CreateSelect(is_clean, larger(before.last_series, now.last_series), before.series);
  now.missing =
      b_.CreateFMul(b_.CreateSelect(is_clean, change, before.missing), b_.CreateSelect(is_clean, now.series, now.rate));
  now.fastest = b_.CreateSelect(b_.CreateFCmpOLT(now.last_rate, before.fastest), now.last_rate, before.fastest);
  llvm::Value* const still = b_.CreateFCmpOEQ(change, number(0));
  llvm::Value* const stalls =
      b_.CreateAnd(b_.CreateFCmpOGE(now.last_rate, number(slow)), b_.CreateFCmpOLT(now.fastest, number(fast)));
  llvm::Value* const stalled =
      b_.CreateAnd(b_.CreateAnd(is_clean, stalls), b_.CreateFCmpOLE(change, number(stall_limit)));
  return b_.CreateOr(still, b_.CreateOr(reaches_floor(now.rate, now.missing), stalled));
}

llvm::Value* stage_writer::reaches_floor(llvm::Value* rate, llvm::Value* missing) {
  return b_.CreateAnd(b_.CreateFCmpOLT(rate, number(slow)), b_.CreateFCmpOLE(missing, number(floor_of_missing)));
}

stage_writer::measured_loop stage_writer::begin_measuring(llvm::BasicBlock* before) {
  const auto state = [&](llvm::Value* first) {
    llvm::PHINode* const phi = b_.CreatePHI(first->getType(), 2);
    phi->addIncoming(first, before);
    return phi;
  };
  llvm::BasicBlock* const head = b_.GetInsertBlock();
  const contraction so_far{state(number(0)), state(number(0)), state(number(1)),
                           state(number(1)), state(number(0)), state(number(0))};
  llvm::PHINode* const is_first = state(b_.getTrue());
  return {head, so_far, is_first, state(b_.getFalse())};
}

llvm::Value* stage_writer::measure_contraction(const measured_loop& here, llvm::Value* change, llvm::Value* previous) {
  contraction now{};
  llvm::Value* const is_done = contracts(now, here.so_far, change, previous, here.is_first);
  llvm::Value* const will_be_last = reaches_floor(now.rate, b_.CreateFMul(now.missing, now.rate));
  llvm::BasicBlock* const bottom = b_.GetInsertBlock();
  for (std::size_t k = 0; k < now.all().size(); ++k) {
    llvm::cast<llvm::PHINode>(here.so_far.all()[k])->addIncoming(now.all()[k], bottom);
  }
  here.is_first->addIncoming(b_.getFalse(), bottom);
  here.is_last->addIncoming(will_be_last, bottom);
  return is_done;
}

llvm::Value* stage_writer::weighted(llvm::Value* move, llvm::Value* inverse_size) {
  return as_bits(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, b_.CreateFMul(move, inverse_size)));
}

llvm::Value* stage_writer::largest_lane(llvm::Value* changes) {
  return as_real(folded(changes, [&](llvm::Value* a, llvm::Value* b) { return largest(a, b); }));
}

stage_writer::component_size stage_writer::measured(llvm::Value* Z, llvm::Value* start) {
  llvm::Value* const extent = folded(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, Z),
                                     [&](llvm::Value* a, llvm::Value* b) { return larger(a, b); });
  llvm::Value* const place = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, start);
  llvm::Value* const size = b_.CreateFAdd(place, extent);
  llvm::Value* const inverse = b_.CreateFDiv(number(1), size);
  llvm::Value* const is_measured =
      b_.CreateSExt(b_.CreateFCmpOGT(size, number(stage_rules::smallest_measured)), b_.getInt64Ty());
  llvm::Value* const power = as_real(b_.CreateAnd(as_bits(size), b_.getInt64(std::uint64_t{0x7ff} << 52)));
  return {as_real(b_.CreateAnd(as_bits(inverse), is_measured)), b_.CreateFMul(power, number(48))};
}

llvm::Value* stage_writer::larger(llvm::Value* a, llvm::Value* b) { return larger_number(b_, a, b); }

llvm::Value* stage_writer::part(llvm::Value* x, std::size_t first, std::size_t count) {
  if (!x->getType()->isVectorTy()) return x;
  if (count == 1) return b_.CreateExtractElement(x, first);
  llvm::SmallVector<int, 8> lanes;
  for (std::size_t l = 0; l < count; ++l) lanes.push_back(static_cast<int>(first + l));
  return b_.CreateShuffleVector(x, lanes);
}

std::pair<llvm::Value*, llvm::Value*> stage_writer::weighted_sum(llvm::Value* grid, llvm::Value* rates,
                                                                 llvm::Value* differences) {
  llvm::Value* const weight = load_row(table(rows_.weight()));
  llvm::Value* const on_grid = b_.CreateFSub(fma(weight, rates, grid), grid);
  llvm::Value* const lost_of_product = fma(weight, rates, b_.CreateFNeg(on_grid));
  llvm::Value* const of_rates = fma(load_row(table(rows_.weight_remainder())), rates, lost_of_product);
  llvm::Value* const rest = fma(weight, differences, of_rates);
  const auto add = [&](llvm::Value* a, llvm::Value* b) { return b_.CreateFAdd(a, b); };
  return {folded(on_grid, add), folded(rest, add)};
}

std::pair<llvm::Value*, llvm::Value*> stage_writer::exact_sum(llvm::Value* a, llvm::Value* b) {
  llvm::Value* const sum = b_.CreateFAdd(a, b);
  llvm::Value* const of_b = b_.CreateFSub(sum, a);
  llvm::Value* const of_a = b_.CreateFSub(sum, of_b);
  return {sum, b_.CreateFAdd(b_.CreateFSub(a, of_a), b_.CreateFSub(b, of_b))};
}

}  // namespace actio::machine_code
