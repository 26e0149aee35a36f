#include <tuple>

#include "actio/backend/llvm/flow_emitter.hpp"
#include "actio/backend/llvm/lane_row_writer.hpp"
#include "actio/backend/llvm/lane_writer.hpp"

namespace actio::machine_code {

namespace {

using namespace stage_rules;

// Lanes go through two loops together: one with exact sines until all are nearly known, then one with differences from
// there. A lane that is ready before others stays where it is: what is computed there again has the same bits, so that
// at the end of a loop every lane has what it would have alone.
class unrolled_writer : private lane_row_writer {
 public:
  unrolled_writer(llvm::Module& module, const collocation_code& code, const dataflow& flow, const lane_rows& rows)
      : lane_row_writer(module, rows), code_(code), n_(code.coordinates), flow_(flow) {}

  void write() {
    part_ = b_.getInt64(0);
    over_parts([&] { write_step(); });
    b_.CreateRetVoid();
  }

 private:
  // Differences begin earlier than stage_rules say, since series of sines with one more term reach farther.
  static constexpr double near_enough = 0x1p-10;
  static constexpr std::size_t terms = 6;

  // Rows by nodes: component or output c at node i is [i][c].
  using node_rows = std::vector<row_values>;

  // Where stages were evaluated, and y + Z = base + low where their rates lead.
  struct reference {
    node_rows rates, base, low, base_move;  // base_move: from where the rates were evaluated to base
    std::vector<std::vector<sine_series>> sines;
    llvm::Value *alive, *change;  // lanes that are nearly known; their last changes
  };
  // Where rates lead, and the rates with velocities at the new momenta.
  struct iterate {
    node_rows rates, stages;
  };
  void write_step() {
    llvm::BasicBlock* const end = block("end");
    start();
    flow_emitter field(b_, flow_, {function_->getArg(0), function_->getArg(5), vector_, true});
    const reference known = write_exact(field, end);
    write_near(field, known);
    b_.CreateBr(end);
    b_.SetInsertPoint(end);
  }

  // States and stages by the polynomials of the last steps, continued. Lanes that are not wanted look at the origin,
  // where nothing is slow.
  void start() {
    wanted_ = is_set(rows_.wanted());
    const auto where_wanted = [&](llvm::Value* x) { return b_.CreateSelect(wanted_, x, number(0)); };
    for (row_values* const rows : {&state_, &remainder_, &inverse_size_, &grid_, &time_, &parameters_}) rows->clear();
    guess_.assign(s_, row_values(rows_.components, nullptr));
    for (std::size_t i = 0; i < s_; ++i) time_.push_back(load(row(rows_.time(i))));
    for (std::size_t j = 0; j < rows_.varied; ++j) parameters_.push_back(load(row(rows_.parameter(j))));
    llvm::Value *const recent = load_pointer(&lane_rates::recent), *const previous =
                                                                       load_pointer(&lane_rates::previous);
    llvm::Value* const first = b_.getInt64(0);
    for (std::size_t c = 0; c < rows_.components; ++c) {
      state_.push_back(where_wanted(load(row(rows_.state(c)))));
      remainder_.push_back(load(row(rows_.remainder(c))));
      row_values known;
      for (llvm::Value* const array : {previous, recent}) {
        for (std::size_t j = 0; j < s_; ++j) known.push_back(load(rate(array, first, c, j)));
      }
      llvm::Value* extent = number(0);
      for (std::size_t i = 0; i < s_; ++i) {
        row_values continued;
        for (std::size_t j = 0; j < 2 * s_; ++j) continued.push_back(load(row(rows_.continued_stage(i, j))));
        guess_[i][c] = where_wanted(sum(continued, known.data()));
        extent = larger_number(extent, absolute(guess_[i][c]));
      }
      measure_size(b_.CreateFAdd(absolute(state_[c]), extent));
      set_in(wanted_, row(rows_.inverse_size(c)), inverse_size_[c]);
    }
  }
  // Of |y| + max |Z|: its inverse, 0 where that is infinite; and 1.5 times a power of two some times larger, see
  // accurate_sum.
  void measure_size(llvm::Value* size) {
    inverse_size_.push_back(inverse_of(size));
    llvm::Value* const power = power_of_two(size);
    grid_.push_back(b_.CreateFMul(power, number(48)));
  }

  reference write_exact(flow_emitter& field, llvm::BasicBlock* end) {
    llvm::BasicBlock *const before = b_.GetInsertBlock(), *const head = block("exact"), *const rates = block("rates"),
                            *const solving = block("solving"), *const again = block("again"),
                            *const refer = block("refer");
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    const auto passed = [&](llvm::Value* first) { return passed_from(before, first); };
    std::vector<std::vector<llvm::PHINode*>> phis(s_);
    node_rows stages(s_);
    for (std::size_t i = 0; i < s_; ++i) {
      for (llvm::Value* const guess : guess_[i]) stages[i].push_back(phis[i].emplace_back(passed(guess)));
    }
    llvm::PHINode *const far = passed(wanted_), *const alive = passed(wanted_), *const previous = passed(size(0)),
                         *const count = passed(b_.getInt32(1));
    reference r;
    node_rows at(s_), outputs(s_);
    std::vector<std::vector<flow_emitter::known_sines>> sines(s_);
    for (std::size_t i = 0; i < s_; ++i) {
      at[i] = arguments(i, state_, stages[i]);
      outputs[i] = field.emit(at[i]);
      sines[i] = field.sines();
    }
    b_.CreateCondBr(b_.CreateICmpNE(function_->getArg(6), b_.getInt32(0)), rates, solving);

    b_.SetInsertPoint(rates);
    llvm::Value* const found = load_pointer(&lane_rates::now);
    for (std::size_t i = 0; i < s_; ++i) {
      for (std::size_t c = 0; c < rows_.components; ++c) store(outputs[i][c], rate(found, b_.getInt64(0), c, i));
    }
    b_.CreateBr(end);

    b_.SetInsertPoint(solving);
    const iterate next = take(outputs, stages, {}, {});
    r.change = change_of(next.stages, stages);
    llvm::Value* const is_near = b_.CreateFCmpOLE(r.change, size(near_enough));
    llvm::Value* const gives_up = b_.CreateAnd(far, b_.CreateNot(has_hope(r.change, previous, count)));
    llvm::Value* const stays_far = b_.CreateAnd(far, b_.CreateNot(b_.CreateOr(is_near, gives_up)));
    r.alive = b_.CreateAnd(alive, b_.CreateNot(gives_up));
    b_.CreateCondBr(any(stays_far), again, refer);

    b_.SetInsertPoint(again);
    for (std::size_t i = 0; i < s_; ++i) {
      for (std::size_t c = 0; c < rows_.components; ++c) {
        phis[i][c]->addIncoming(b_.CreateSelect(stays_far, next.stages[i][c], stages[i][c]), again);
      }
    }
    far->addIncoming(stays_far, again);
    alive->addIncoming(r.alive, again);
    previous->addIncoming(r.change, again);
    count->addIncoming(b_.CreateAdd(count, b_.getInt32(1)), again);
    b_.CreateBr(head);

    b_.SetInsertPoint(refer);
    r.rates = next.rates;
    r.base = r.low = r.base_move = node_rows(s_, row_values(rows_.components, nullptr));
    for (std::size_t i = 0; i < s_; ++i) {
      const row_values heads = coefficients(rows_.stage(i, 0)), tails = coefficients(rows_.stage_remainder(i, 0));
      for (std::size_t c = 0; c < rows_.components; ++c) {
        const row_values K = of_nodes(next.rates, c);
        const auto [sum, rest] = accurate_sum(grid_[c], heads, tails, K.data());
        const auto [place, lost_of_place] = exact_sum(state_[c], sum);
        llvm::Value* const base = r.base[i][c] = b_.CreateFAdd(state_[c], next.stages[i][c]);
        llvm::Value* const beside_base = b_.CreateFAdd(b_.CreateFSub(place, base), lost_of_place);
        r.low[i][c] = b_.CreateFAdd(beside_base, b_.CreateFAdd(remainder_[c], rest));
        r.base_move[i][c] = b_.CreateFSub(base, at[i][c]);
      }
      r.sines.push_back(field.series_of(sines[i], terms));
    }
    return r;
  }

  // y + Z = base + small, where small follows the differences of the rates from those of the reference. Whether an
  // iteration is a lane's last one is decided in the one before: nothing waits for that.
  void write_near(flow_emitter& field, const reference& from) {
    llvm::BasicBlock *const before = b_.GetInsertBlock(), *const head = block("near"), *const redo = block("redo"),
                            *const found = block("found"), *const goes_on = block("goes_on"),
                            *const measures = block("measures"), *const coasts = block("coasts"),
                            *const done = block("done");
    llvm::Value* const is_lost = b_.CreateNot(from.alive);
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    const auto passed = [&](llvm::Value* first) { return passed_from(before, first); };
    std::vector<std::vector<llvm::PHINode*>> phis(s_);
    node_rows small(s_), kept(s_, row_values(rows_.components, nullptr));
    for (std::size_t i = 0; i < s_; ++i) {
      // The first iteration looks at base itself: it need not wait for low.
      for (std::size_t c = 0; c < rows_.components; ++c) {
        small[i].push_back(phis[i].emplace_back(passed(number(0))));
      }
    }
    llvm::PHINode *const alive = passed(from.alive), *const frozen = passed(is_lost),
                         *const previous = passed(from.change), *const count = passed(b_.getInt32(1)),
                         *const is_last = passed(b_.getFalse());
    const contraction so_far = begin_contraction(before);
    // Changes are rounding: the series goes on as it was, and nothing needs to be measured.
    llvm::PHINode *const settled = passed(none()), *const all_settled = passed(b_.getFalse());

    // Where a sine has moved too far for its series, lanes take exact ones: all is computed again.
    const auto iterated = [&](bool mixes) {
      node_rows outputs(s_);
      for (std::size_t i = 0; i < s_; ++i) {
        row_values moves;
        for (std::size_t c = 0; c < rows_.components; ++c) {
          moves.push_back(b_.CreateFAdd(from.base_move[i][c], small[i][c]));
        }
        moves.resize(rows_.components + 1 + rows_.varied, number(0));
        const row_values at = arguments(i, from.base[i], small[i]);
        outputs[i] =
            field.emit(at, {.how = mixes ? sines_by::mixed : sines_by::series, .moves = moves, .from = from.sines[i]});
      }
      return take(outputs, small, from.rates, from.low);
    };
    const iterate usual = iterated(false);
    llvm::BasicBlock* const near_end = b_.GetInsertBlock();
    b_.CreateCondBr(field.is_near(), found, redo);
    b_.SetInsertPoint(redo);
    const iterate mixed = iterated(true);
    llvm::BasicBlock* const redo_end = b_.GetInsertBlock();
    b_.CreateBr(found);

    b_.SetInsertPoint(found);
    const auto either = [&](const node_rows& a, const node_rows& b) {
      node_rows both(s_);
      for (std::size_t i = 0; i < s_; ++i) {
        for (std::size_t c = 0; c < a[i].size(); ++c) both[i].push_back(merged(a[i][c], near_end, b[i][c], redo_end));
      }
      return both;
    };
    const iterate next{either(usual.rates, mixed.rates), either(usual.stages, mixed.stages)};
    b_.CreateCondBr(is_last, done, goes_on);
    b_.SetInsertPoint(goes_on);
    for (std::size_t i = 0; i < s_; ++i) {
      for (std::size_t c = 0; c < rows_.components; ++c) {
        kept[i][c] = b_.CreateSelect(frozen, small[i][c], next.stages[i][c]);
      }
    }
    b_.CreateCondBr(all_settled, coasts, measures);

    const auto go_on = [&](const contraction& now, llvm::Value* settles, llvm::Value* stay, llvm::Value* living,
                           llvm::Value* change) {
      llvm::BasicBlock* const here = b_.GetInsertBlock();
      const auto all = [&](llvm::Value* truths) { return b_.CreateNot(any(b_.CreateNot(truths))); };
      for (std::size_t i = 0; i < s_; ++i) {
        for (std::size_t c = 0; c < rows_.components; ++c) phis[i][c]->addIncoming(kept[i][c], here);
      }
      alive->addIncoming(living, here);
      frozen->addIncoming(stay, here);
      previous->addIncoming(change, here);
      count->addIncoming(b_.CreateAdd(count, b_.getInt32(1)), here);
      is_last->addIncoming(all(stay), here);
      all_settled->addIncoming(all(b_.CreateOr(stay, settles)), here);
      pass_on(so_far, now, here);
      settled->addIncoming(settles, here);
      b_.CreateBr(head);
    };
    b_.SetInsertPoint(measures);
    llvm::Value* const change = change_of(next.stages, small);
    // Whether the next iteration is a lane's last one, as stage_rules::is_done.
    llvm::Value* const is_unsettled = b_.CreateNot(settled);
    llvm::Value* const is_first = spread(b_.CreateICmpEQ(count, b_.getInt32(1)));
    llvm::Value* const is_clean =
        b_.CreateAnd(b_.CreateOr(b_.CreateFCmpOGT(change, size(clean)), is_first), is_unsettled);
    const contraction now = followed(so_far, change, previous, is_clean);
    llvm::Value* const is_fast_enough = b_.CreateFCmpOLT(now.rate, size(slow));
    llvm::Value* const settles = b_.CreateOr(settled, b_.CreateAnd(b_.CreateNot(is_clean), is_fast_enough));
    llvm::Value* const still = b_.CreateAnd(b_.CreateFCmpOEQ(change, size(0)), is_unsettled);
    llvm::Value* const ends = b_.CreateOr(still, b_.CreateOr(converges(now), stalls(now, change, is_clean)));
    llvm::Value* const gives_up =
        b_.CreateAnd(b_.CreateNot(b_.CreateOr(frozen, settled)), b_.CreateNot(has_hope(change, previous, count)));
    go_on(now, settles, b_.CreateOr(frozen, b_.CreateOr(ends, gives_up)), b_.CreateAnd(alive, b_.CreateNot(gives_up)),
          change);
    b_.SetInsertPoint(coasts);
    contraction later = so_far;
    later.missing = b_.CreateFMul(so_far.missing, so_far.rate);
    go_on(later, settled, b_.CreateOr(frozen, converges(later)), alive, previous);

    b_.SetInsertPoint(done);
    finish(next.rates, alive);
  }

  row_values arguments(std::size_t i, const row_values& from, const row_values& stages) {
    row_values at;
    for (std::size_t c = 0; c < rows_.components; ++c) at.push_back(b_.CreateFAdd(from[c], stages[c]));
    at.push_back(time_[i]);
    at.insert(at.end(), parameters_.begin(), parameters_.end());
    return at;
  }

  // Where rates lead: first momenta, then velocities with these, then positions. Velocities q' + M⁻¹ (new − old) are
  // summed in two parts, the first of which does not wait for the new momenta. With `reference` differences from its
  // rates lead to stages beside `first`.
  iterate take(node_rows rates, const node_rows& last, const node_rows& reference, const node_rows& first) {
    iterate next{{}, last};
    const auto for_each_inverse_mass = [&](std::size_t i, auto&& f) {
      for (std::size_t k = 0; k < code_.inverse_mass.size(); ++k) {
        const auto [r, c] = code_.inverse_mass[k];
        llvm::Value* const entry = rates[i][2 * n_ + 1 + k];
        f(r, c, entry);
        if (r != c) f(c, r, entry);
      }
    };
    for (std::size_t i = 0; i < s_; ++i) {
      for_each_inverse_mass(i, [&](std::size_t r, std::size_t c, llvm::Value* entry) {
        rates[i][r] = fma(b_.CreateFNeg(entry), last[i][n_ + c], rates[i][r]);
      });
    }
    sum_stages(n_, 2 * n_, rates, reference, first, next.stages);
    for (std::size_t i = 0; i < s_; ++i) {
      for_each_inverse_mass(i, [&](std::size_t r, std::size_t c, llvm::Value* entry) {
        rates[i][r] = fma(entry, next.stages[i][n_ + c], rates[i][r]);
      });
    }
    sum_stages(0, n_, rates, reference, first, next.stages);
    for (row_values& outputs : rates) outputs.resize(rows_.components + 1);
    next.rates = std::move(rates);
    return next;
  }
  void sum_stages(std::size_t begin, std::size_t end, const node_rows& rates, const node_rows& reference,
                  const node_rows& first, node_rows& stages) {
    for (std::size_t c = begin; c < end; ++c) {
      row_values K = of_nodes(rates, c);
      for (std::size_t j = 0; j < s_ && !reference.empty(); ++j) K[j] = b_.CreateFSub(K[j], reference[j][c]);
      for (std::size_t i = 0; i < s_; ++i) {
        const row_values a = coefficients(rows_.stage(i, 0));
        llvm::Value* total = first.empty() ? b_.CreateFMul(a[0], K[0]) : fma(a[0], K[0], first[i][c]);
        for (std::size_t j = 1; j < s_; ++j) total = fma(a[j], K[j], total);
        stages[i][c] = total;
      }
    }
  }
  row_values of_nodes(const node_rows& rows, std::size_t c) const {
    row_values values;
    for (std::size_t i = 0; i < s_; ++i) values.push_back(rows[i][c]);
    return values;
  }

  // The largest weighted change. NaN may be lost here: finish() looks for it.
  llvm::Value* change_of(const node_rows& next, const node_rows& last) {
    llvm::Value* all = nullptr;
    for (std::size_t c = 0; c < rows_.components; ++c) {
      llvm::Value* change = nullptr;
      for (std::size_t i = 0; i < s_; ++i) {
        llvm::Value* const size = absolute(b_.CreateFSub(next[i][c], last[i][c]));
        change = change ? larger_number(change, size) : size;
      }
      change = b_.CreateFMul(change, inverse_size_[c]);
      all = all ? larger_number(all, change) : change;
    }
    return b_.CreateFPTrunc(all, sizes_);
  }

  llvm::Value* converges(const contraction& now) {
    return reaches_floor(now.rate, b_.CreateFMul(now.missing, now.rate));
  }

  // Adds h Σ b_i K_i to the states of the lanes that are solved; others that were wanted are lost.
  void finish(const node_rows& rates, llvm::Value* alive) {
    const row_values heads = coefficients(rows_.weight(0)), tails = coefficients(rows_.weight_remainder(0));
    row_values values, remainders;
    llvm::Value* solved = b_.CreateAnd(wanted_, alive);
    for (std::size_t c = 0; c < rows_.components; ++c) {
      const row_values K = of_nodes(rates, c);
      const auto [sum, rest] = accurate_sum(grid_[c], heads, tails, K.data());
      llvm::Value *value = state_[c], *remainder = remainder_[c];
      for (llvm::Value* const part : {sum, rest}) {
        std::tie(value, remainder) = exact_sum(value, b_.CreateFAdd(part, remainder));
      }
      values.push_back(value);
      remainders.push_back(remainder);
      llvm::Value* const nothing = b_.CreateFSub(value, value);  // or NaN
      solved = b_.CreateAnd(solved, b_.CreateFCmpOEQ(nothing, number(0)));
    }
    for (std::size_t c = 0; c < rows_.components; ++c) {
      set_in(solved, row(rows_.state(c)), values[c]);
      set_in(solved, row(rows_.remainder(c)), remainders[c]);
    }
    llvm::Value* const to = load_pointer(&lane_rates::solved);
    for (std::size_t c = 0; c <= rows_.components; ++c) {
      for (std::size_t i = 0; i < s_; ++i) set_in(solved, rate(to, b_.getInt64(0), c, i), rates[i][c]);
    }
    const row_values powers = of_nodes(rates, rows_.components);
    set_in(solved, row(rows_.work()), sum(heads, powers.data()));
    set_in(b_.CreateAnd(wanted_, b_.CreateNot(solved)), row(rows_.lives()), number(0));
  }

  const collocation_code& code_;
  std::size_t n_;
  const dataflow& flow_;
  llvm::Value* wanted_ = nullptr;
  row_values state_, remainder_, inverse_size_, grid_, time_, parameters_;
  node_rows guess_;
};

}  // namespace

bool is_worth_unrolling(const collocation_code& code, const dataflow& flow) {
  constexpr std::size_t most_rows = 20, most_values = 1000;  // more would not stay in registers and nearest memory
  return 2 * code.coordinates * code.points <= most_rows && flow.values.size() * code.points <= most_values;
}

void write_unrolled_lanes(llvm::Module& module, const collocation_code& code, const dataflow& flow,
                          const lane_rows& rows) {
  unrolled_writer(module, code, flow, rows).write();
}

}  // namespace actio::machine_code
