#include "actio/backend/llvm/collocation_writer.hpp"

#include <cmath>

#include "actio/backend/llvm/block_order.hpp"
#include "actio/backend/llvm/stage_writer.hpp"

namespace actio::machine_code {

namespace {

using namespace stage_rules;

class kernel_writer : stage_writer {
 public:
  kernel_writer(llvm::Module& module, const collocation_code& code, const collocation_rows& rows, bool any_argument)
      : stage_writer(module, code, rows, any_argument, rows.components) {}

  // Linear iterations come last where the field's slopes are known.
  void write() {
    for (std::size_t c = 0; c <= rows_.components; ++c) {
      llvm::AllocaInst* const place = b_.CreateAlloca(row_);
      place->setAlignment(llvm::Align(64));
      passing_.push_back(place);
    }
    const auto [known, exact] = find_reference(begin());
    if (code_.has_slopes()) write_near_and_linear(known, exact);
    else write_near(known, exact);
    order_by_need(*function_);
  }

 private:
  llvm::Value* start(std::size_t c) override { return start_[c]; }
  llvm::Value* stage(const iterate& i, std::size_t c) override { return i.rows[c]; }
  llvm::Value* rate_at(const reference& from, std::size_t c) override { return from.rates[c]; }
  llvm::Value* base(const reference& from, std::size_t c) override { return from.base[c]; }
  llvm::Value* base_move(const reference& from, std::size_t c) override { return from.base_move[c]; }
  void keep(const row_values& arguments) override { at_ = arguments; }

  iterate begin() {
    time_ = b_.CreateFAdd(spread(load(work(rows_.time()))), load_row(table(rows_.node())));
    iterate guess{{number(1), number(1), b_.getInt32(0)}, {}};
    for (std::size_t c = 0; c < rows_.components; ++c) {
      start_.push_back(spread(load(work(rows_.start(c)))));
      remainder_.push_back(spread(load(work(rows_.remainder(c)))));
      guess.rows.push_back(chained_sum(
          nullptr, [&](std::size_t j) { return continued_column(j); },
          [&](std::size_t j) { return in_all_lanes(work(rows_.rate(c)), j); }));
    }
    for (std::size_t c = 0; c < rows_.components; ++c) {
      const component_size size = measured(guess.rows[c], load(work(rows_.start(c))));
      inverse_size_.push_back(spread(size.inverse));
      grid_.push_back(spread(size.grid));
    }
    return guess;
  }

  void refer(reference& r) override {
    for (std::size_t c = 0; c < rows_.components; ++c) {
      if (is_left_out(c)) {
        r.base.push_back(b_.CreateFAdd(start_[c], r.last.rows[c]));
        for (row_values* const rows : {&r.low, &r.base_move}) rows->push_back(llvm::ConstantFP::get(row_, 0));
        continue;
      }
      const auto [sum, rest] = accurate_stage_sum(
          grid_[c], [&](std::size_t j) { return stage_column(j); }, [&](std::size_t j) { return remainder_column(j); },
          [&](std::size_t j) { return lane(r.rates[c], j); });
      const auto [place, lost] = exact_sum(start_[c], sum);
      r.base.push_back(b_.CreateFAdd(start_[c], r.last.rows[c]));
      llvm::Value* const beside_base = b_.CreateFAdd(b_.CreateFSub(place, r.base[c]), lost);
      r.low.push_back(b_.CreateFAdd(beside_base, b_.CreateFAdd(remainder_[c], rest)));
      r.base_move.push_back(b_.CreateFSub(r.base[c], at_[c]));
    }
  }

  // As write_near while squares of changes matter, then an iteration that computes the field's slopes, then linear
  // ones.
  void write_near_and_linear(const reference& from, const loop& exact) {
    const loop near = make_loop("near"), turn = make_loop("turn");
    llvm::BasicBlock* const before = b_.GetInsertBlock();
    iterate first = from.last;
    for (llvm::Value*& row : first.rows) row = llvm::ConstantFP::get(row_, 0);  // need not wait for low
    near.add_edge(before, first);
    turn.add_edge(before, first);
    const auto will_be_linear = [&](llvm::Value* change) { return b_.CreateFCmpOLE(change, number(linear)); };
    llvm::Value* const expected = b_.CreateFMul(first.change, number(usual_rate));
    llvm::Value* const turns_soon = will_be_linear(b_.CreateFMul(expected, number(usual_rate)));
    b_.CreateCondBr(will_be_linear(expected), turn.head, near.head);

    b_.SetInsertPoint(near.head);
    const iterate last = near.at();
    llvm::PHINode* const turns = b_.CreatePHI(b_.getInt1Ty(), 3);
    turns->addIncoming(turns_soon, before);
    row_values differences = near_differences(from, last, exact);
    const iterate next = take(differences, last, &from);
    leave_unless_hopeful(next, last, b_.getFalse());
    // Expected after the next iteration: decided there, nothing waits for it.
    llvm::Value* const rate = ratio(next.change, last.change);
    llvm::Value* const later = b_.CreateFMul(next.change, b_.CreateFMul(rate, rate));
    near.add_edge(b_.GetInsertBlock(), next);
    turn.add_edge(b_.GetInsertBlock(), next);
    turns->addIncoming(will_be_linear(later), b_.GetInsertBlock());
    llvm::BasicBlock* const bottom = b_.GetInsertBlock();
    b_.CreateCondBr(turns, turn.head, near.head);

    b_.SetInsertPoint(turn.head);
    llvm::PHINode* const rate_before = b_.CreatePHI(real_, 2);
    rate_before->addIncoming(number(0), before);
    rate_before->addIncoming(rate, bottom);
    // Linear moves begin where the field is looked at, which rounding has moved: that it were elsewhere would make
    // energy drift.
    iterate known = turn.at();
    for (std::size_t c = 0; c < rows_.components; ++c) {
      known.rows[c] = b_.CreateFSub(b_.CreateFAdd(from.base[c], known.rows[c]), from.base[c]);
    }
    differences = near_differences(from, known, exact);
    const iterate then = take(differences, known, &from);
    leave_unless_hopeful(then, known, b_.getFalse());
    llvm::BasicBlock* const linear_from_here = block("linear_from_here");
    near.add_edge(b_.GetInsertBlock(), then);
    turns->addIncoming(b_.getFalse(), b_.GetInsertBlock());
    b_.CreateCondBr(will_be_linear(then.change), linear_from_here, near.head);
    b_.SetInsertPoint(linear_from_here);
    write_linear(from, differences, then, known, rate_before);
  }

  // How many linear iterations it takes follows from the slower one of the last two contractions, as stage_rules say;
  // that they were enough is checked at the end.
  void write_linear(const reference& from, const row_values& found, const iterate& now, const iterate& last,
                    llvm::Value* rate_before) {
    llvm::Value* const slower = larger(ratio(now.change, last.change), rate_before);
    llvm::Value* const rate = b_.CreateMinNum(slower, number(slow));
    llvm::Value* const series = b_.CreateFDiv(rate, b_.CreateFSub(number(1), rate));
    llvm::Value* const wanted = iterations_for(b_.CreateFMul(now.change, series), rate);
    row_values move;
    for (std::size_t c = 0; c < rows_.components; ++c) move.push_back(b_.CreateFSub(now.rows[c], last.rows[c]));
    llvm::BasicBlock *const before = b_.GetInsertBlock(), *const head = block("linear"),
                            *const checks = block("checks"), *const more = block("more"), *const done = block("done");
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    const auto passed = [&](llvm::Value* value) { return passed_from(before, value, 3); };
    std::vector<llvm::PHINode*> moves, changes;
    for (llvm::Value* const m : move) moves.push_back(passed(m));
    for (std::size_t c = 0; c <= rows_.components; ++c) changes.push_back(passed(found[c]));
    llvm::PHINode *const left = passed(wanted), *const count = passed(now.count);
    move.assign(moves.begin(), moves.end());
    row_values change(changes.begin(), changes.end());
    add_linear_iteration(found, move, change);
    iterate here = now;
    here.count = b_.CreateAdd(count, b_.getInt32(1));
    llvm::Value* const still_left = b_.CreateSub(left, b_.getInt32(1));
    const auto pass_on = [&](llvm::Value* times) {
      llvm::BasicBlock* const from_here = b_.GetInsertBlock();
      for (std::size_t k = 0; k < moves.size(); ++k) moves[k]->addIncoming(move[k], from_here);
      for (std::size_t k = 0; k < changes.size(); ++k) changes[k]->addIncoming(change[k], from_here);
      left->addIncoming(times, from_here);
      count->addIncoming(here.count, from_here);
    };
    pass_on(still_left);
    b_.CreateCondBr(b_.CreateICmpSGT(still_left, b_.getInt32(0)), head, checks);

    b_.SetInsertPoint(checks);
    here.change = size_of(move);
    llvm::Value* const missing = b_.CreateFMul(here.change, series);
    b_.CreateCondBr(b_.CreateFCmpOLE(missing, number(2 * floor_of_missing)), done, more);
    b_.SetInsertPoint(more);
    leave_if(b_.CreateICmpSGE(here.count, b_.getInt32(most_iterations)), stage_outcome::slow, here);
    pass_on(b_.getInt32(1));
    b_.CreateBr(head);

    b_.SetInsertPoint(done);
    finish(from, change, change[rows_.components], here);
  }

  // Where the last move of the stages moves them, and what that adds to the rates.
  void add_linear_iteration(const row_values& slopes, row_values& move, row_values& change) {
    row_values rates(rows_.components + 1, nullptr);
    const auto add = [&](std::size_t row, llvm::Value* slope, llvm::Value* by) {
      rates[row] = rates[row] ? fma(slope, by, rates[row]) : b_.CreateFMul(slope, by);
    };
    for (const bool by_position : {false, true}) {  // positions are known last
      for (std::size_t k = 0; k < code_.slopes.size(); ++k) {
        const auto [row, column] = code_.slopes[k];
        if ((column < n_) == by_position) add(row, slopes[code_.first_slope() + k], move[column]);
      }
    }
    const auto sum = [&](std::size_t c) {
      if (rates[c]) change[c] = b_.CreateFAdd(change[c], rates[c]);
      move[c] = rates[c] ? stage_sum(c, rates[c], nullptr) : llvm::ConstantFP::get(row_, 0);
    };
    for (std::size_t a = n_; a < 2 * n_; ++a) sum(a);
    for_each_inverse_mass(slopes, [&](std::size_t i, std::size_t j, llvm::Value* e) { add(i, e, move[n_ + j]); });
    for (std::size_t a = 0; a < n_; ++a) sum(a);
    if (rates[2 * n_]) change[2 * n_] = b_.CreateFAdd(change[2 * n_], rates[2 * n_]);
  }

  // Iterations until what is missing is below the floor, by logarithms to a tenth.
  llvm::Value* iterations_for(llvm::Value* missing, llvm::Value* rate) {
    const auto logarithm = [&](llvm::Value* x) {
      llvm::Value* const bits = b_.CreateSIToFP(as_bits(larger(x, number(tiny))), real_);
      return b_.CreateFSub(b_.CreateFMul(bits, number(0x1p-52)), number(1023));
    };
    llvm::Value* const bits_missing = b_.CreateFSub(logarithm(missing), number(std::log2(floor_of_missing)));
    llvm::Value* const count = b_.CreateFDiv(bits_missing, b_.CreateFNeg(logarithm(rate)));
    return b_.CreateFPToSI(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, count), b_.getInt32Ty());
  }
  llvm::Value* ratio(llvm::Value* change, llvm::Value* previous) {
    return b_.CreateFDiv(change, larger(previous, number(tiny)));
  }

  iterate whole(const reference& from, const iterate& beside) override {
    iterate all = beside;
    for (std::size_t c = 0; c < rows_.components; ++c) {
      all.rows[c] = b_.CreateFAdd(b_.CreateFSub(from.base[c], start_[c]), beside.rows[c]);
    }
    return all;
  }

  void finish(const reference& from, const row_values& differences, llvm::Value* power, const iterate& last) override {
    for (std::size_t c = 0; c < rows_.components; ++c) {
      store(b_.CreateFAdd(from.rates[c], differences[c]), work(rows_.rate(c)));
      const auto [sum, rest] = weighted_sum(grid_[c], from.rates[c], differences[c]);
      b_.CreateStore(sum, work(rows_.increment(c)));
      b_.CreateStore(rest, work(rows_.increment_remainder(c)));
    }
    store(power, work(rows_.rate(rows_.components)));
    leave(last, stage_outcome::converged);
  }

  // Velocities q' + M⁻¹ (new − old) are summed in two parts, the first of which does not wait for the new momenta.
  iterate take(row_values& rates, const iterate& last, const reference* from) override {
    iterate next = last;
    const auto sum = [&](std::size_t c) {
      if (!is_left_out(c)) next.rows[c] = stage_sum(c, rates[c], from ? from->low[c] : nullptr);
    };
    const scale_rows scale = scale_of(rates, from);
    for_each_inverse_mass(rates, [&](std::size_t i, std::size_t j, llvm::Value* entry) {
      rates[i] = fma(b_.CreateFNeg(entry), last.rows[n_ + j], rates[i]);
    });
    for (std::size_t a = n_; a < 2 * n_; ++a) sum(a);
    const auto follow = [&](std::size_t first, const row_values& by, const row_values& moved, bool against) {
      if (code_.is_scaled) follow_scale(first, by, moved, against, rates, next, last);
    };
    follow(n_, scale.velocity, scale.slopes, true);
    for_each_inverse_mass(rates, [&](std::size_t i, std::size_t j, llvm::Value* entry) {
      rates[i] = fma(entry, next.rows[n_ + j], rates[i]);
    });
    for (std::size_t a = 0; a < n_; ++a) sum(a);
    follow(0, scale.slopes, scale.velocity, false);
    next.change = change_of(next.rows, last.rows);
    next.count = b_.CreateAdd(last.count, b_.getInt32(1));
    return next;
  }

  // p' moves by −c ω with ω = q'·δp, and q' by q' ω with ω = c·δq; stages by hA of that, with c and q' taken out of the
  // sums: what is missing is of the second order.
  void follow_scale(std::size_t first, const row_values& by, const row_values& moved, bool against, row_values& rates,
                    iterate& next, const iterate& last) {
    llvm::Value* omega = llvm::ConstantFP::get(row_, 0);
    for (std::size_t a = 0; a < n_; ++a) {
      if (is_left_out(first + a)) continue;
      omega = fma(by[a], b_.CreateFSub(next.rows[first + a], last.rows[first + a]), omega);
    }
    if (against) omega = b_.CreateFNeg(omega);
    llvm::Value* const summed = stage_sum(rows_.components, omega, nullptr);
    for (std::size_t a = 0; a < n_; ++a) {
      if (against && is_left_out(first + a)) continue;
      rates[first + a] = fma(moved[a], omega, rates[first + a]);
      if (!is_left_out(first + a)) next.rows[first + a] = fma(moved[a], summed, next.rows[first + a]);
    }
  }

  // The largest weighted change. Momenta come first: they are known first.
  llvm::Value* change_of(const row_values& next, const row_values& last) {
    row_values moves;
    for (std::size_t c = 0; c < rows_.components; ++c) moves.push_back(b_.CreateFSub(next[c], last[c]));
    return size_of(moves);
  }
  llvm::Value* size_of(const row_values& moves) {
    llvm::Value* all = nullptr;
    for (std::size_t k = 0; k < rows_.components; ++k) {
      const std::size_t c = (n_ + k) % rows_.components;
      all = largest(all, weighted(moves[c], inverse_size_[c]));
    }
    return largest_lane(all);
  }

  // first + Σ_j h a_ij K_j. Half of the rates pass through memory, where reading one into all lanes is part of the
  // product: in registers alone they would wait for each other.
  llvm::Value* stage_sum(std::size_t c, llvm::Value* rates, llvm::Value* first) {
    store(rates, passing_[c]);
    return chained_sum(
        first, [&](std::size_t j) { return stage_column(j); },
        [&](std::size_t j) { return j % chains < chains / 2 ? lane(rates, j) : in_all_lanes(passing_[c], j); });
  }

  // Lane j in all lanes.
  llvm::Value* lane(llvm::Value* row, std::size_t j) {
    if (rows_.lanes == 1) return row;
    return b_.CreateShuffleVector(row, llvm::SmallVector<int, 16>(rows_.lanes, static_cast<int>(j)));
  }

  row_values start_, remainder_, inverse_size_, grid_, at_;
  row_values passing_;  // memory for a row of each component
};

}  // namespace

collocation_form form_for(const collocation_code& code) {
  // Rows of larger systems do not stay in registers anyway.
  return code.coordinates > most_coordinates_with_slopes ? collocation_form::looped : collocation_form::straight;
}

std::string make_collocation_object(const collocation_code& code, const collocation_rows& rows, collocation_form form,
                                    bool any_argument) {
  return compile_module([&](llvm::Module& module) {
    if (form == collocation_form::looped) write_looped_collocation(module, code, rows, any_argument);
    else kernel_writer(module, code, rows, any_argument).write();
  });
}

}  // namespace actio::machine_code
