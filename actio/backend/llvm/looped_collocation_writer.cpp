#include "actio/backend/llvm/looped_collocation_writer.hpp"

#include "actio/backend/llvm/flow_emitter.hpp"
#include "actio/backend/llvm/stage_writer.hpp"

namespace actio::machine_code {

namespace {

using namespace stage_rules;

// The blocks and the order of operations are those of the straight-line writer.
class looped_writer : stage_writer {
 public:
  looped_writer(llvm::Module& module, const collocation_code& code, const collocation_rows& rows, bool any_argument)
      : stage_writer(module, rows),
        code_(code),
        n_(code.coordinates),
        flow_(analyse(code.field)),
        field_(b_, flow_, {function_->getArg(0), function_->getArg(3), rows.lanes, any_argument}) {}

  void write() {
    b_.SetInsertPoint(block("before"));
    for (llvm::Value** const rows : {&Z_, &at_, &rates_, &known_, &base_, &low_, &base_move_}) {
      *rows = memory_for(rows_.components * rows_.lanes);
    }
    for (llvm::Value** const numbers : {&inverse_size_, &grid_}) *numbers = memory_for(rows_.components);
    begin();
    const loop exact = make_loop("exact");
    const progress nothing{number(1), number(1), b_.getInt32(0)};
    exact.add_edge(b_.GetInsertBlock(), nothing);
    if (field_.has_sines()) {
      const loop rough = make_loop("rough");
      rough.add_edge(b_.GetInsertBlock(), nothing);
      llvm::Value* const is_poor = b_.CreateFCmpOGT(load(work(rows_.missed())), number(nearly_known));
      b_.CreateCondBr(is_poor, rough.head, exact.head);
      write_rough(rough, exact);
    } else {
      b_.CreateBr(exact.head);
    }
    write_near(write_exact(exact), exact);
  }

 private:
  // What passes from one iteration to the next beside the rows in memory.
  struct loop {
    llvm::BasicBlock* head;
    llvm::PHINode *change, *first_change, *count;

    progress at() const { return {change, first_change, count}; }
    void add_edge(llvm::BasicBlock* from, const progress& values) const {
      change->addIncoming(values.change, from);
      first_change->addIncoming(values.first_change, from);
      count->addIncoming(values.count, from);
    }
  };
  struct reference {
    progress last;
    std::vector<flow_emitter::sine_series> sines;
  };

  // Rows of the table that a loop over components needs in every turn, loaded before it.
  struct columns {
    row_values rows;
    llvm::Value* operator()(std::size_t j) const { return rows[j]; }
  };

  loop make_loop(const char* name) {
    const llvm::IRBuilder<>::InsertPointGuard guard(b_);
    llvm::BasicBlock* const head = block(name);
    b_.SetInsertPoint(head);
    return {head, b_.CreatePHI(real_, 3), b_.CreatePHI(real_, 3), b_.CreatePHI(b_.getInt32Ty(), 3)};
  }

  void begin() {
    time_ = b_.CreateFAdd(spread(load(work(rows_.time()))), load_row(table(rows_.node())));
    const columns column = loaded([&](std::size_t j) { return continued_column(j); });
    for_each_component([&](llvm::Value* c) {
      llvm::Value* const K = row(function_->getArg(2), c);
      llvm::Value* const guess = chained_sum(nullptr, column, [&](std::size_t j) { return in_all_lanes(K, j); });
      store_row(guess, row(Z_, c));
      const component_size size = measured(guess, load(number_of(rows_.start(0), c)));
      b_.CreateStore(size.inverse, element(inverse_size_, c));
      b_.CreateStore(size.grid, element(grid_, c));
    });
  }

  void write_rough(const loop& here, const loop& exact) {
    b_.SetInsertPoint(here.head);
    const progress last = here.at();
    progress next = take(field_.emit_rough(arguments()), last, nullptr);
    note_first(next, last);
    leave_unless_hopeful(next, last, field_.too_large());
    here.add_edge(b_.GetInsertBlock(), next);
    exact.add_edge(b_.GetInsertBlock(), next);
    b_.CreateCondBr(b_.CreateFCmpOLE(last.change, number(roughly_known)), exact.head, here.head);
  }

  reference write_exact(const loop& here) {
    b_.SetInsertPoint(here.head);
    const progress last = here.at();
    const row_values at = arguments();
    for (std::size_t c = 0; c < rows_.components; ++c) store_row(at[c], row(at_, c));
    reference r{take(field_.emit(at), last, nullptr), {}};
    note_first(r.last, last);
    leave_unless_hopeful(r.last, last, field_.too_large());
    llvm::BasicBlock* const refer = block("refer");
    here.add_edge(b_.GetInsertBlock(), r.last);
    b_.CreateCondBr(b_.CreateFCmpOLE(r.last.change, number(nearly_known)), refer, here.head);

    b_.SetInsertPoint(refer);
    b_.CreateStore(r.last.first_change, work(rows_.missed()));
    const columns column = loaded([&](std::size_t j) { return stage_column(j); });
    const columns remainder = loaded([&](std::size_t j) { return remainder_column(j); });
    for_each_component([&](llvm::Value* c) {
      llvm::Value *const K = row(rates_, c), *const start = start_of(c), *const grid = spread(load(element(grid_, c)));
      const auto [sum, rest] =
          accurate_stage_sum(grid, column, remainder, [&](std::size_t j) { return in_all_lanes(K, j); });
      const auto [place, lost] = exact_sum(start, sum);
      llvm::Value* const base = b_.CreateFAdd(start, load_row(row(Z_, c)));
      llvm::Value* const beside_base = b_.CreateFAdd(b_.CreateFSub(place, base), lost);
      llvm::Value* const left = spread(load(number_of(rows_.remainder(0), c)));
      store_row(b_.CreateFAdd(beside_base, b_.CreateFAdd(left, rest)), row(low_, c));
      store_row(b_.CreateFSub(base, load_row(row(at_, c))), row(base_move_, c));
      store_row(base, row(base_, c));
      store_row(load_row(K), row(known_, c));
      store_row(llvm::ConstantFP::get(row_, 0), row(Z_, c));
    });
    r.sines = field_.series_of(field_.sines());
    return r;
  }

  void write_near(const reference& from, const loop& exact) {
    const loop here = make_loop("near");
    llvm::BasicBlock* const before = b_.GetInsertBlock();
    here.add_edge(before, from.last);
    b_.CreateBr(here.head);
    b_.SetInsertPoint(here.head);
    const progress last = here.at();
    const measured_loop measuring = begin_measuring(before);
    row_values at, moves;
    for (std::size_t c = 0; c < rows_.components; ++c) {
      llvm::Value* const small = load_row(row(Z_, c));
      at.push_back(b_.CreateFAdd(load_row(row(base_, c)), small));
      moves.push_back(b_.CreateFAdd(load_row(row(base_move_, c)), small));
    }
    at.push_back(time_);
    moves.push_back(llvm::ConstantFP::get(row_, 0));
    row_values differences = field_.emit_near(at, moves, from.sines);
    llvm::Value* const power = differences[rows_.components];
    llvm::BasicBlock *const returns = block("returns"), *const stays = block("stays");
    b_.CreateCondBr(field_.is_near(), stays, returns);

    b_.SetInsertPoint(returns);
    for_each_component([&](llvm::Value* c) {
      llvm::Value* const to_base = b_.CreateFSub(load_row(row(base_, c)), start_of(c));
      store_row(b_.CreateFAdd(to_base, load_row(row(Z_, c))), row(Z_, c));
    });
    exact.add_edge(b_.GetInsertBlock(), {last.change, last.first_change, b_.CreateAdd(last.count, b_.getInt32(1))});
    b_.CreateBr(exact.head);

    b_.SetInsertPoint(stays);
    for (std::size_t c = 0; c < rows_.components; ++c) {
      differences[c] = b_.CreateFSub(differences[c], load_row(row(known_, c)));
    }
    const progress next = take(differences, last, low_);
    measure(measuring, next, last, [&](llvm::BasicBlock* bottom) { here.add_edge(bottom, next); });
    for_each_component([&](llvm::Value* c) {
      llvm::Value *const known = load_row(row(known_, c)), *const differences = load_row(row(rates_, c));
      store_row(b_.CreateFAdd(known, differences), row(function_->getArg(2), c));
      const auto [sum, rest] = weighted_sum(spread(load(element(grid_, c))), known, differences);
      b_.CreateStore(sum, number_of(rows_.increment(0), c));
      b_.CreateStore(rest, number_of(rows_.increment_remainder(0), c));
    });
    store_row(power, work(rows_.rate(rows_.components)));
    leave(next, stage_outcome::converged);
  }

  row_values arguments() {
    row_values at;
    for (std::size_t c = 0; c < rows_.components; ++c) {
      at.push_back(b_.CreateFAdd(start_of(b_.getInt64(c)), load_row(row(Z_, c))));
    }
    at.push_back(time_);
    return at;
  }

  // Where rates lead: first momenta, then velocities with these, then positions; `first` are rows to which they add.
  progress take(const row_values& rates, const progress& last, llvm::Value* first) {
    row_values velocities(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(n_));
    for_each_inverse_mass(rates, [&](std::size_t i, std::size_t j, llvm::Value* entry) {
      velocities[i] = fma(b_.CreateFNeg(entry), load_row(row(Z_, n_ + j)), velocities[i]);
    });
    for (std::size_t a = 0; a < n_; ++a) {
      store_row(velocities[a], row(rates_, a));
      store_row(rates[n_ + a], row(rates_, n_ + a));
    }
    llvm::Value* change = sum_stages(n_, 2 * n_, first, as_bits(llvm::ConstantFP::get(row_, 0)));
    for (std::size_t a = 0; a < n_; ++a) velocities[a] = load_row(row(rates_, a));
    for_each_inverse_mass(rates, [&](std::size_t i, std::size_t j, llvm::Value* entry) {
      velocities[i] = fma(entry, load_row(row(Z_, n_ + j)), velocities[i]);
    });
    for (std::size_t a = 0; a < n_; ++a) store_row(velocities[a], row(rates_, a));
    change = sum_stages(0, n_, first, change);
    return {largest_lane(change), last.first_change, b_.CreateAdd(last.count, b_.getInt32(1))};
  }

  // Z = first + Σ_j h a_ij K_j for some components; the larger one of `change` and theirs.
  llvm::Value* sum_stages(std::size_t begin, std::size_t end, llvm::Value* first, llvm::Value* change) {
    const columns column = loaded([&](std::size_t j) { return stage_column(j); });
    return for_components(begin, end, change, [&](llvm::Value* c, llvm::Value* so_far) {
      llvm::Value *const K = row(rates_, c), *const Z = row(Z_, c);
      llvm::Value* const next = chained_sum(first ? load_row(row(first, c)) : nullptr, column,
                                            [&](std::size_t j) { return in_all_lanes(K, j); });
      llvm::Value* const larger_one =
          largest(so_far, weighted(b_.CreateFSub(next, load_row(Z)), spread(load(element(inverse_size_, c)))));
      store_row(next, Z);
      return larger_one;
    });
  }

  template <class Column>
  columns loaded(Column&& column) {
    columns all;
    for (std::size_t j = 0; j < rows_.points; ++j) all.rows.push_back(column(j));
    return all;
  }

  template <class F>
  void for_each_inverse_mass(const row_values& rates, F&& f) {
    for (std::size_t k = 0; k < code_.inverse_mass.size(); ++k) {
      const auto [i, j] = code_.inverse_mass[k];
      f(i, j, rates[2 * n_ + 1 + k]);
      if (i != j) f(j, i, rates[2 * n_ + 1 + k]);
    }
  }

  // `body` of a component and of what it passes on from one to the next.
  template <class Body>
  llvm::Value* for_components(std::size_t begin, std::size_t end, llvm::Value* passed, Body&& body) {
    llvm::BasicBlock *const before = b_.GetInsertBlock(), *const turn = block("turn"), *const after = block("after");
    b_.CreateBr(turn);
    b_.SetInsertPoint(turn);
    llvm::PHINode* const c = b_.CreatePHI(b_.getInt64Ty(), 2);
    llvm::PHINode* const value = b_.CreatePHI(passed->getType(), 2);
    llvm::Value* const next_value = body(c, value);
    llvm::Value* const next = b_.CreateAdd(c, b_.getInt64(1));
    c->addIncoming(b_.getInt64(begin), before);
    c->addIncoming(next, turn);
    value->addIncoming(passed, before);
    value->addIncoming(next_value, turn);
    b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(end)), turn, after);
    b_.SetInsertPoint(after);
    return next_value;
  }
  template <class Body>
  void for_each_component(Body&& body) {
    for_components(0, rows_.components, b_.getFalse(), [&](llvm::Value* c, llvm::Value* nothing) {
      body(c);
      return nothing;
    });
  }

  llvm::Value* memory_for(std::size_t numbers) {
    llvm::AllocaInst* const memory = b_.CreateAlloca(llvm::ArrayType::get(real_, numbers));
    memory->setAlignment(llvm::Align(64));
    return memory;
  }
  // Where the row or the number of component c stands.
  llvm::Value* row(llvm::Value* rows, llvm::Value* c) {
    return b_.CreateGEP(real_, rows, b_.CreateMul(c, b_.getInt64(rows_.lanes)));
  }
  llvm::Value* row(llvm::Value* rows, std::size_t c) { return row(rows, b_.getInt64(c)); }
  llvm::Value* element(llvm::Value* numbers, llvm::Value* c) { return b_.CreateGEP(real_, numbers, c); }
  llvm::Value* number_of(std::size_t first, llvm::Value* c) { return element(work(first), c); }
  llvm::Value* start_of(llvm::Value* c) { return spread(load(number_of(rows_.start(0), c))); }

  const collocation_code& code_;
  std::size_t n_;
  dataflow flow_;
  flow_emitter field_;
  llvm::Value* time_ = nullptr;
  // Memory for a row of each component: Z, where the field was evaluated, its rates; at the reference, the rates there,
  // where they lead (base + low), and how far that is from where they were evaluated.
  llvm::Value *Z_, *at_, *rates_, *known_, *base_, *low_, *base_move_;
  llvm::Value *inverse_size_, *grid_;  // one number a component
};

}  // namespace

void write_looped_collocation(llvm::Module& module, const collocation_code& code, const collocation_rows& rows,
                              bool any_argument) {
  looped_writer(module, code, rows, any_argument).write();
}

}  // namespace actio::machine_code
