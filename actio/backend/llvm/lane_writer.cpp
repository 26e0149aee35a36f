#include "actio/backend/llvm/lane_writer.hpp"

#include <algorithm>
#include <tuple>

#include "actio/backend/llvm/flow_emitter.hpp"
#include "actio/backend/llvm/lane_row_writer.hpp"

namespace actio::machine_code {

namespace {

using namespace stage_rules;

class lane_stage_writer : private lane_row_writer {
 public:
  lane_stage_writer(llvm::Module& module, const collocation_code& code, const lane_rows& rows)
      : lane_row_writer(module, rows), code_(code), n_(code.coordinates), flow_(analyse(code.field)) {}

  void write() {
    llvm::BasicBlock *const head = block("head"), *const solving = block("solving"), *const put = block("put"),
                            *const put_aside = block("put_aside"), *const going_on = block("going_on"),
                            *const approach = block("approach"), *const again = block("again"),
                            *const done = block("done"), *const end = block("end");
    part_ = b_.getInt64(0);
    now_ = load_pointer(&lane_rates::now);
    last_ = load_pointer(&lane_rates::last);
    solved_ = load_pointer(&lane_rates::solved);
    recent_ = load_pointer(&lane_rates::recent);
    previous_ = load_pointer(&lane_rates::previous);
    over_parts([&] { predict(); });
    row_values wanted(parts_);
    each_part([&](std::size_t p) { wanted[p] = is_set(rows_.wanted()); });

    llvm::BasicBlock* const predicted = b_.GetInsertBlock();
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    const auto passed = [&](llvm::Value* first) { return passed_from(predicted, first); };
    llvm::PHINode *const now = passed(now_), *const last = passed(last_), *const count = passed(b_.getInt32(1));
    std::vector<lane_phis> phis;
    for (std::size_t p = 0; p < parts_; ++p) {
      phis.push_back({passed(wanted[p]), passed(none()), passed(none()), passed(none()), passed(size(0)),
                      begin_contraction(predicted)});
    }
    now_ = now;
    last_ = last;
    evaluate(count);
    b_.CreateCondBr(b_.CreateICmpNE(function_->getArg(6), b_.getInt32(0)), end, solving);

    b_.SetInsertPoint(solving);
    row_values changes(parts_, llvm::ConstantInt::get(integers_, 0));
    each_part([&](std::size_t p) { changes[p] = sums(n_, 2 * n_, changes[p]); });
    if (!code_.inverse_mass.empty()) move_velocities();
    each_part([&](std::size_t p) { changes[p] = sums(0, n_, changes[p]); });
    std::vector<decision> decisions;
    for (std::size_t p = 0; p < parts_; ++p) decisions.push_back(decide(phis[p], changes[p], count));
    const auto any_of = [&](llvm::Value* decision::* mask) {
      llvm::Value* all = nullptr;
      for (const decision& d : decisions) all = all ? b_.CreateOr(all, d.*mask) : d.*mask;
      return any(all);
    };
    const auto choose = [&](llvm::Value* decision::* mask) {
      each_part([&](std::size_t p) {
        store(b_.CreateSelect(decisions[p].*mask, number(1), number(0)), row(rows_.chosen()));
      });
    };
    b_.CreateCondBr(any_of(&decision::ends), put_aside, put);
    b_.SetInsertPoint(put_aside);
    choose(&decision::ends);
    over_parts([&] { put_rates_aside(); });
    b_.CreateBr(put);
    b_.SetInsertPoint(put);
    b_.CreateCondBr(any_of(&decision::goes_on), going_on, done);
    b_.SetInsertPoint(going_on);
    b_.CreateCondBr(any_of(&decision::becomes_near), approach, again);
    b_.SetInsertPoint(approach);
    choose(&decision::becomes_near);
    over_parts([&] { move_base(); });
    b_.CreateBr(again);
    b_.SetInsertPoint(again);
    now->addIncoming(last, again);
    last->addIncoming(now, again);
    count->addIncoming(b_.CreateAdd(count, b_.getInt32(1)), again);
    for (std::size_t p = 0; p < parts_; ++p) pass_decision(phis[p], decisions[p], again);
    b_.CreateBr(head);

    b_.SetInsertPoint(done);
    choose(&decision::solved);
    over_parts([&] { finish(); });
    b_.CreateBr(end);
    b_.SetInsertPoint(end);
    b_.CreateRetVoid();
  }

 private:
  // What changes from one iteration to the next, and what an iteration decides, in every lane.
  struct lane_phis {
    llvm::PHINode *iterates, *solved, *near, *first, *change;
    contraction so_far;
  };
  struct decision {
    llvm::Value *ends, *goes_on, *solved, *becomes_near, *change;
    contraction now;
  };

  // Rates from the polynomials of the last steps, continued, and the stages they lead to, in the lanes that are wanted.
  // Lanes that hold no trajectory look at the origin, where nothing is slow.
  void predict() {
    wanted_ = is_set(rows_.wanted());
    lives_ = is_set(rows_.lives());
    over_components(2 * s_, [&](llvm::Value* c, std::size_t size) {
      row_values known, rates(size * s_), extent(size, number(0));
      for (std::size_t d = 0; d < size; ++d) {
        for (llvm::Value* const array : {previous_, recent_}) {
          for (std::size_t j = 0; j < s_; ++j) known.push_back(load(rate(array, c, d, j)));
        }
      }
      for (std::size_t i = 0; i < s_; ++i) {
        row_values continuation;
        for (std::size_t j = 0; j < 2 * s_; ++j) continuation.push_back(load(row(rows_.continuation(i, j))));
        for (std::size_t d = 0; d < size; ++d) {
          rates[d * s_ + i] = sum(continuation, &known[d * 2 * s_]);
          set_where_wanted(rate(last_, c, d, i), rates[d * s_ + i]);
        }
      }
      for (std::size_t i = 0; i < s_; ++i) {
        const row_values stage = coefficients(rows_.stage(i, 0));
        for (std::size_t d = 0; d < size; ++d) {
          llvm::Value* const Z = sum(stage, &rates[d * s_]);
          extent[d] = larger_number(extent[d], absolute(Z));
          set_where_wanted(node_row(rows_.small(d, i), c), b_.CreateFAdd(load(row(rows_.remainder(d), c)), Z));
          set_where_wanted(node_row(rows_.base(d, i), c), load(row(rows_.state(d), c)));
        }
      }
      for (std::size_t d = 0; d < size; ++d) measure_size(c, d, extent[d]);
    });
  }
  // |y| + max |Z|: its inverse, 0 where that is infinite; and 1.5 times a power of two some times larger, see
  // accurate_sum.
  void measure_size(llvm::Value* c, std::size_t d, llvm::Value* extent) {
    llvm::Value* const place = absolute(load(row(rows_.state(d), c)));
    llvm::Value* const size = b_.CreateFAdd(place, extent);
    set_where_wanted(row(rows_.inverse_size(d), c), inverse_of(size));
    llvm::Value* const power = power_of_two(size);
    set_where_wanted(row(rows_.grid(d), c), b_.CreateFMul(power, number(48)));
  }
  void set_where_wanted(llvm::Value* place, llvm::Value* value) {
    llvm::Value* const otherwise = b_.CreateSelect(lives_, load(place), number(0));
    store(b_.CreateSelect(wanted_, value, otherwise), place);
  }

  // The field at all nodes. Mostly all sines are near known ones, and a loop in which nothing but these occurs is
  // tried first; another one, which turns or computes each lane's own, gives the same numbers where both can.
  void evaluate(llvm::Value* count) {
    const std::size_t kept = flow_emitter::cached_numbers(flow_, vector_);
    constexpr std::size_t largest_written_twice = 1000;  // values
    const auto cache_of = [&](llvm::Value* k) {
      return b_.CreateGEP(real_, function_->getArg(4), b_.CreateMul(k, b_.getInt64(kept)));
    };
    llvm::BasicBlock *const any_sines = block("any_sines"), *const evaluated = block("evaluated");
    if (kept > 0 && flow_.values.size() <= largest_written_twice) {
      llvm::BasicBlock* const near_sines = block("near_sines");
      b_.CreateCondBr(b_.CreateICmpEQ(count, b_.getInt32(1)), any_sines, near_sines);
      b_.SetInsertPoint(near_sines);
      llvm::Value* const is_near = counted_loop(0, s_ * parts_, b_.getTrue(), [&](llvm::Value* k, llvm::Value* known) {
        flow_emitter field(b_, flow_, around());
        store_rates(field.emit(arguments(k), {.how = sines_by::turning, .cache = cache_of(k)}), k);
        return b_.CreateAnd(known, field.is_near());
      });
      b_.CreateCondBr(is_near, evaluated, any_sines);
    } else {
      b_.CreateBr(any_sines);
    }
    b_.SetInsertPoint(any_sines);
    over_nodes([&](llvm::Value* k) {
      store_rates(flow_emitter(b_, flow_, around()).emit(arguments(k), {.how = sines_by::cache, .cache = cache_of(k)}),
                  k);
    });
    b_.CreateBr(evaluated);
    b_.SetInsertPoint(evaluated);
  }
  flow_emitter::surroundings around() const { return {function_->getArg(0), function_->getArg(5), vector_, false}; }
  row_values arguments(llvm::Value* k) {
    row_values at;
    for (std::size_t c = 0; c < rows_.components; ++c) {
      at.push_back(b_.CreateFAdd(load(at_node(function_->getArg(2), rows_.base(c, 0), k)),
                                 load(at_node(function_->getArg(2), rows_.small(c, 0), k))));
    }
    at.push_back(load(at_node(function_->getArg(2), rows_.time(0), k)));
    part_ = b_.CreateAnd(k, b_.getInt64(parts_ - 1));
    for (std::size_t j = 0; j < rows_.varied; ++j) at.push_back(load(row(rows_.parameter(j))));
    return at;
  }
  void store_rates(const row_values& outputs, llvm::Value* k) {
    for (std::size_t c = 0; c < outputs.size(); ++c) store(outputs[c], at_node(now_, rows_.rate(c, 0), k));
  }

  // Moves components first … last − 1 of the stages as their rates have changed; the largest weighted change of
  // these and of those known. Numbers without a sign are ordered as integers are, with NaN behind all others.
  llvm::Value* sums(std::size_t first, std::size_t last, llvm::Value* largest) {
    return over_blocks(first, last, s_, largest, [&](llvm::Value* c, std::size_t size, llvm::Value* known) {
      row_values differences, inverse_sizes, changes(size, nullptr);
      for (std::size_t d = 0; d < size; ++d) {
        inverse_sizes.push_back(load(row(rows_.inverse_size(d), c)));
        for (std::size_t j = 0; j < s_; ++j) {
          differences.push_back(b_.CreateFSub(load(rate(now_, c, d, j)), load(rate(last_, c, d, j))));
        }
      }
      for (std::size_t i = 0; i < s_; ++i) {
        const row_values stage = coefficients(rows_.stage(i, 0));
        for (std::size_t d = 0; d < size; ++d) {
          llvm::Value* const change = sum(stage, &differences[d * s_]);
          llvm::Value* const small = node_row(rows_.small(d, i), c);
          store(b_.CreateFAdd(load(small), change), small);
          if (first == n_ && !code_.inverse_mass.empty()) store(change, node_row(rows_.change(d, i), c));
          llvm::Value* const relative = b_.CreateFMul(change, inverse_sizes[d]);
          llvm::Value* const bits = as_bits(absolute(relative));
          changes[d] = changes[d] ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, changes[d], bits) : bits;
        }
      }
      for (llvm::Value* const change : changes) {
        known = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, known, change);
      }
      return known;
    });
  }

  // Velocities at the new momenta: q' + M⁻¹ δp.
  void move_velocities() {
    over_nodes([&](llvm::Value* k) {
      const auto at = [&](std::size_t c) { return at_node(now_, rows_.rate(c, 0), k); };
      row_values moved(n_), velocity(n_);
      for (std::size_t a = 0; a < n_; ++a) {
        moved[a] = load(at_node(function_->getArg(2), rows_.change(n_ + a, 0), k));
        velocity[a] = load(at(a));
      }
      for (std::size_t m = 0; m < code_.inverse_mass.size(); ++m) {
        const auto [r, c] = code_.inverse_mass[m];
        llvm::Value* const entry = load(at(2 * n_ + 1 + m));
        velocity[r] = fma(entry, moved[c], velocity[r]);
        if (r != c) velocity[c] = fma(entry, moved[r], velocity[c]);
      }
      for (std::size_t a = 0; a < n_; ++a) store(velocity[a], at(a));
    });
  }

  // As stage_rules::is_done.
  decision decide(const lane_phis& before, llvm::Value* largest, llvm::Value* count) {
    decision d{};
    llvm::Value* const change = d.change = b_.CreateFPTrunc(b_.CreateBitCast(largest, row_), sizes_);
    llvm::Value* const is_clean = b_.CreateOr(b_.CreateFCmpOGT(change, size(clean)), before.first);
    d.now = followed(before.so_far, change, before.change, is_clean);
    llvm::Value* const still = b_.CreateFCmpOEQ(change, size(0));
    llvm::Value* const converged = reaches_floor(d.now.rate, d.now.missing);
    llvm::Value* const is_done = b_.CreateOr(still, b_.CreateOr(converged, stalls(d.now, change, is_clean)));
    d.ends = b_.CreateAnd(b_.CreateAnd(before.iterates, before.near), is_done);
    d.solved = b_.CreateOr(before.solved, d.ends);
    d.goes_on =
        b_.CreateAnd(b_.CreateAnd(before.iterates, b_.CreateNot(d.ends)), has_hope(change, before.change, count));
    d.becomes_near =
        b_.CreateAnd(b_.CreateAnd(d.goes_on, b_.CreateNot(before.near)), b_.CreateFCmpOLE(change, size(nearly_known)));
    return d;
  }
  // What is known of contractions begins anew where a lane becomes near.
  void pass_decision(const lane_phis& to, const decision& from, llvm::BasicBlock* block) {
    to.iterates->addIncoming(from.goes_on, block);
    to.solved->addIncoming(from.solved, block);
    to.near->addIncoming(b_.CreateOr(to.near, from.becomes_near), block);
    to.first->addIncoming(from.becomes_near, block);
    to.change->addIncoming(from.change, block);
    contraction now = from.now;
    for (llvm::Value** const x : {&now.rate, &now.last_rate, &now.last_series})
      *x = b_.CreateSelect(to.near, *x, size(0));
    now.was_fast = b_.CreateAnd(to.near, now.was_fast);
    pass_on(to.so_far, now, block);
  }

  // In the lanes that are chosen the base becomes the place that the rates lead to.
  void move_base() {
    llvm::Value* const lanes = is_set(rows_.chosen());
    over_components(s_, [&](llvm::Value* c, std::size_t size) {
      const row_values rates = rates_of(now_, c, size);
      for (std::size_t i = 0; i < s_; ++i) {
        const row_values heads = coefficients(rows_.stage(i, 0)), tails = coefficients(rows_.stage_remainder(i, 0));
        for (std::size_t d = 0; d < size; ++d) {
          const auto [sum, rest] = accurate_sum(load(row(rows_.grid(d), c)), heads, tails, &rates[d * s_]);
          const auto [place, lost_of_place] = exact_sum(load(row(rows_.state(d), c)), sum);
          set_in(lanes, node_row(rows_.base(d, i), c), place);
          set_in(lanes, node_row(rows_.small(d, i), c),
                 b_.CreateFAdd(b_.CreateFAdd(lost_of_place, load(row(rows_.remainder(d), c))), rest));
        }
      }
    });
  }

  // The rates of the lanes that are chosen, because they are done.
  void put_rates_aside() {
    llvm::Value* const lanes = is_set(rows_.chosen());
    counted_loop(0, rows_.components + 1, nullptr, [&](llvm::Value* c, llvm::Value*) {
      for (std::size_t i = 0; i < s_; ++i) set_in(lanes, rate(solved_, c, 0, i), load(rate(now_, c, 0, i)));
      return nullptr;
    });
  }

  // Adds h Σ b_i K_i to the states of the lanes that are chosen, because they are solved; others that were wanted are
  // lost.
  void finish() {
    llvm::Value* const solved = is_set(rows_.chosen());
    over_components(s_, [&](llvm::Value* c, std::size_t size) {
      const row_values rates = rates_of(solved_, c, size), heads = coefficients(rows_.weight(0)),
                       tails = coefficients(rows_.weight_remainder(0));
      for (std::size_t d = 0; d < size; ++d) {
        const auto [sum, rest] = accurate_sum(load(row(rows_.grid(d), c)), heads, tails, &rates[d * s_]);
        llvm::Value *value = load(row(rows_.state(d), c)), *remainder = load(row(rows_.remainder(d), c));
        for (llvm::Value* const part : {sum, rest}) {
          std::tie(value, remainder) = exact_sum(value, b_.CreateFAdd(part, remainder));
        }
        set_in(solved, row(rows_.state(d), c), value);
        set_in(solved, row(rows_.remainder(d), c), remainder);
      }
    });
    const row_values powers = rates_of(solved_, b_.getInt64(rows_.components), 1);
    set_in(solved, row(rows_.work()), sum(coefficients(rows_.weight(0)), powers.data()));
    llvm::Value* const unsolved = b_.CreateAnd(is_set(rows_.wanted()), b_.CreateNot(solved));
    set_in(unsolved, row(rows_.lives()), number(0));
  }

  row_values rates_of(llvm::Value* array, llvm::Value* c, std::size_t size) {
    row_values rates;
    for (std::size_t k = 0; k < size * s_; ++k) rates.push_back(load(rate(array, c, 0, k)));
    return rates;
  }

  const collocation_code& code_;
  std::size_t n_;
  dataflow flow_;
  llvm::Value *now_ = nullptr, *last_ = nullptr, *solved_ = nullptr, *recent_ = nullptr, *previous_ = nullptr;
  llvm::Value *wanted_ = nullptr, *lives_ = nullptr;  // of the part at hand
};

}  // namespace

std::size_t sine_storage(const collocation_code& code, std::size_t lanes) {
  const std::size_t vector = std::min(lanes, widest_vector());
  const dataflow flow = analyse(code.field);
  if (is_worth_unrolling(code, flow)) return 0;
  return code.points * (lanes / vector) * flow_emitter::cached_numbers(flow, vector);
}

std::string make_lane_stage_object(const collocation_code& code, const lane_rows& rows) {
  return compile_module([&](llvm::Module& module) {
    const dataflow flow = analyse(code.field);
    if (is_worth_unrolling(code, flow)) write_unrolled_lanes(module, code, flow, rows);
    else lane_stage_writer(module, code, rows).write();
  });
}

}  // namespace actio::machine_code
