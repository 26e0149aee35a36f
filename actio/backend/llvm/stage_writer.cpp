#include "actio/backend/llvm/stage_writer.hpp"

namespace actio::machine_code {

using namespace stage_rules;

stage_writer::stage_writer(llvm::Module& module, const collocation_code& code, const collocation_rows& rows,
                           bool any_argument, std::size_t rows_in_registers)
    : entry_writer(module, llvm::Type::getInt32Ty(module.getContext()),
                   {argument::read_only, argument::read_only, argument::alone, argument::read_only}),
      code_(code),
      rows_(rows),
      n_(code.coordinates),
      rows_in_registers_(rows_in_registers),
      row_(vector_of(real_, rows.lanes)),
      flow_(analyse(code.with_all())),
      field_(b_, flow_, {function_->getArg(0), function_->getArg(3), rows.lanes, any_argument}),
      time_(nullptr) {}

stage_writer::iterate stage_writer::loop::at() const {
  const std::size_t n = phis.size() - 3;
  return {{phis[n], phis[n + 1], phis[n + 2]}, row_values(phis.begin(), phis.begin() + static_cast<std::ptrdiff_t>(n))};
}

void stage_writer::loop::add_edge(llvm::BasicBlock* from, const iterate& values) const {
  const std::size_t n = phis.size() - 3;
  for (std::size_t c = 0; c < n; ++c) phis[c]->addIncoming(values.rows[c], from);
  phis[n]->addIncoming(values.change, from);
  phis[n + 1]->addIncoming(values.first_change, from);
  phis[n + 2]->addIncoming(values.count, from);
}

stage_writer::loop stage_writer::make_loop(const char* name) {
  const llvm::IRBuilder<>::InsertPointGuard guard(b_);
  loop made{block(name), {}};
  b_.SetInsertPoint(made.head);
  for (std::size_t c = 0; c < rows_in_registers_; ++c) made.phis.push_back(b_.CreatePHI(row_, 3));
  for (llvm::Type* const type : {real_, real_, static_cast<llvm::Type*>(b_.getInt32Ty())}) {
    made.phis.push_back(b_.CreatePHI(type, 3));
  }
  return made;
}

row_values stage_writer::arguments(const iterate& i) {
  row_values at;
  for (std::size_t c = 0; c < rows_.components; ++c) at.push_back(b_.CreateFAdd(start(c), stage(i, c)));
  at.push_back(time_);
  return at;
}

std::pair<stage_writer::reference, stage_writer::loop> stage_writer::find_reference(const iterate& guess) {
  const loop exact = make_loop("exact");
  exact.add_edge(b_.GetInsertBlock(), guess);
  if (field_.has_sines()) {
    const loop rough = make_loop("rough");
    rough.add_edge(b_.GetInsertBlock(), guess);
    llvm::Value* const is_poor = b_.CreateFCmpOGT(load(work(rows_.missed())), number(nearly_known));
    b_.CreateCondBr(is_poor, rough.head, exact.head);
    write_rough(rough, exact);
  } else {
    b_.CreateBr(exact.head);
  }
  return {write_exact(exact), exact};
}

// Whether to go on is decided by the change of the iteration before, which is known by now.
void stage_writer::write_rough(const loop& here, const loop& exact) {
  b_.SetInsertPoint(here.head);
  const iterate last = here.at();
  row_values rates = field_.emit(arguments(last), {.how = sines_by::rough});
  iterate next = take(rates, last, nullptr);
  note_first(next, last);
  leave_unless_hopeful(next, last, field_.too_large());
  here.add_edge(b_.GetInsertBlock(), next);
  exact.add_edge(b_.GetInsertBlock(), next);
  b_.CreateCondBr(b_.CreateFCmpOLE(last.change, number(roughly_known)), exact.head, here.head);
}

stage_writer::reference stage_writer::write_exact(const loop& here) {
  b_.SetInsertPoint(here.head);
  const iterate last = here.at();
  const row_values at = arguments(last);
  keep(at);
  reference r;
  r.rates = field_.emit(at);
  r.last = take(r.rates, last, nullptr);
  note_first(r.last, last);
  leave_unless_hopeful(r.last, last, field_.too_large());
  llvm::BasicBlock* const known = block("refer");
  here.add_edge(b_.GetInsertBlock(), r.last);
  b_.CreateCondBr(b_.CreateFCmpOLE(r.last.change, number(nearly_known)), known, here.head);
  b_.SetInsertPoint(known);
  b_.CreateStore(r.last.first_change, work(rows_.missed()));
  refer(r);
  r.sines = field_.series_of(field_.sines());
  return r;
}

void stage_writer::write_near(const reference& from, const loop& exact) {
  const loop here = make_loop("near");
  iterate first = from.last;
  for (llvm::Value*& row : first.rows) row = llvm::ConstantFP::get(row_, 0);  // looks at base: need not wait for low
  llvm::BasicBlock* const before = b_.GetInsertBlock();
  here.add_edge(before, first);
  b_.CreateBr(here.head);
  b_.SetInsertPoint(here.head);
  const iterate last = here.at();
  const measured_loop measuring = begin_measuring(before);
  row_values differences = near_differences(from, last, exact);
  llvm::Value* const power = differences[rows_.components];
  const iterate next = take(differences, last, &from);
  measure(measuring, next, last, [&](llvm::BasicBlock* bottom) { here.add_edge(bottom, next); });
  finish(from, differences, power, next);
}

row_values stage_writer::near_differences(const reference& from, const iterate& last, const loop& exact) {
  row_values at, moves;
  for (std::size_t c = 0; c < rows_.components; ++c) {
    llvm::Value* const small = stage(last, c);
    at.push_back(b_.CreateFAdd(base(from, c), small));
    moves.push_back(b_.CreateFAdd(base_move(from, c), small));
  }
  at.push_back(time_);
  moves.push_back(llvm::ConstantFP::get(row_, 0));
  row_values differences = field_.emit(at, {.how = sines_by::series, .moves = moves, .from = from.sines});
  llvm::BasicBlock *const returns = block("returns"), *const stays = block("stays");
  b_.CreateCondBr(field_.is_near(), stays, returns);
  b_.SetInsertPoint(returns);
  iterate again = whole(from, last);
  again.count = b_.CreateAdd(last.count, b_.getInt32(1));
  exact.add_edge(b_.GetInsertBlock(), again);
  b_.CreateBr(exact.head);
  b_.SetInsertPoint(stays);
  for (std::size_t c = 0; c < rows_.components; ++c) differences[c] = b_.CreateFSub(differences[c], rate_at(from, c));
  return differences;
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
  const auto state = [&](llvm::Value* first) { return passed_from(before, first); };
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
  return as_bits(absolute(b_.CreateFMul(move, inverse_size)));
}

llvm::Value* stage_writer::largest_lane(llvm::Value* changes) {
  return as_real(folded(changes, [&](llvm::Value* a, llvm::Value* b) { return largest(a, b); }));
}

stage_writer::component_size stage_writer::measured(llvm::Value* Z, llvm::Value* start) {
  llvm::Value* const extent = folded(absolute(Z), [&](llvm::Value* a, llvm::Value* b) { return larger(a, b); });
  llvm::Value* const place = absolute(start);
  llvm::Value* const size = b_.CreateFAdd(place, extent);
  llvm::Value* const inverse = b_.CreateFDiv(number(1), size);
  llvm::Value* const is_measured =
      b_.CreateSExt(b_.CreateFCmpOGT(size, number(stage_rules::smallest_measured)), b_.getInt64Ty());
  llvm::Value* const power = power_of_two(size);
  return {as_real(b_.CreateAnd(as_bits(inverse), is_measured)), b_.CreateFMul(power, number(48))};
}

llvm::Value* stage_writer::part(llvm::Value* x, std::size_t first, std::size_t count) {
  if (!x->getType()->isVectorTy()) return x;
  if (count == 1) return b_.CreateExtractElement(x, first);
  return b_.CreateShuffleVector(x, consecutive(first, count));
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

}  // namespace actio::machine_code
