// What the writers of collocation kernels share: the order of iterations, how they end, and sums over nodes and lanes.
//
// Iterations with rough sines come first, then some with exact ones, to the last of which everything after it refers,
// and from there on differences. Rows are kept in registers or in memory, which is up to the writers.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/llvm/flow_emitter.hpp"

namespace actio::machine_code {

class stage_writer : protected entry_writer {
 protected:
  // The function is a collocation_entry. So many rows pass from one iteration to the next in registers.
  stage_writer(llvm::Module& module, const collocation_code& code, const collocation_rows& rows, bool any_argument,
               std::size_t rows_in_registers);
  virtual ~stage_writer() = default;

  // How far an iteration has come.
  struct progress {
    llvm::Value *change, *first_change, *count;
  };
  struct iterate : progress {
    row_values rows = {};  // Z, of those in registers
  };
  struct loop {
    llvm::BasicBlock* head;
    std::vector<llvm::PHINode*> phis;  // in the order of an iterate

    iterate at() const;
    void add_edge(llvm::BasicBlock* from, const iterate& values) const;
  };
  loop make_loop(const char* name);

  // Where stages were evaluated, their rates, and y + Z = base + low where these lead.
  struct reference {
    row_values rates, base, low, base_move;  // base_move: from where the rates were evaluated to base
    std::vector<sine_series> sines;
    iterate last;
  };
  // Rows of a component, wherever they are kept: y, Z, and those of the reference.
  virtual llvm::Value* start(std::size_t c) = 0;
  virtual llvm::Value* stage(const iterate& i, std::size_t c) = 0;
  virtual llvm::Value* rate_at(const reference& from, std::size_t c) = 0;
  virtual llvm::Value* base(const reference& from, std::size_t c) = 0;
  virtual llvm::Value* base_move(const reference& from, std::size_t c) = 0;
  // Keeps where the field is evaluated; makes a reference of the last iterate; Z of an iterate beside a reference.
  virtual void keep(const row_values& arguments) = 0;
  virtual void refer(reference& r) = 0;
  virtual iterate whole(const reference& from, const iterate& beside) = 0;
  // Where rates lead: first momenta, then velocities with these, then positions; beside `from`, where there is one.
  virtual iterate take(row_values& rates, const iterate& last, const reference* from) = 0;
  virtual void finish(const reference& from, const row_values& differences, llvm::Value* power,
                      const iterate& last) = 0;

  // The iterations up to a reference, and the loop of the exact ones.
  std::pair<reference, loop> find_reference(const iterate& guess);
  // y + Z = base + small, where small follows the differences of the rates from those of the reference.
  void write_near(const reference& from, const loop& exact);
  // The field's rates beside those of a reference; back to exact sines where these have moved too far.
  row_values near_differences(const reference& from, const iterate& last, const loop& exact);
  template <class F>
  void for_each_inverse_mass(const row_values& rates, F&& f) {
    for (std::size_t k = 0; k < code_.inverse_mass.size(); ++k) {
      const auto [i, j] = code_.inverse_mass[k];
      f(i, j, rates[2 * n_ + 1 + k]);
      if (i != j) f(j, i, rates[2 * n_ + 1 + k]);
    }
  }

  // In a scaled time: q' and c as far as they are known, from the reference where there is one.
  struct scale_rows {
    row_values velocity, slopes;
  };
  scale_rows scale_of(const row_values& rates, const reference* from) {
    scale_rows known;
    for (std::size_t a = 0; a < n_ && code_.is_scaled; ++a) {
      known.velocity.push_back(from ? rate_at(*from, a) : rates[a]);
      known.slopes.push_back((from ? from->rates : rates)[code_.first_slope() + a]);
    }
    return known;
  }
  // A cyclic t is summed up at the end alone, and its momentum is constant.
  bool is_left_out(std::size_t c) const { return code_.has_cyclic_time && c % n_ == n_ - 1; }

  // The state of stage_rules::is_done.
  struct contraction {
    llvm::Value *rate, *series, *missing, *fastest, *last_rate, *last_series;
    std::array<llvm::Value*, 6> all() const { return {rate, series, missing, fastest, last_rate, last_series}; }
  };

  void note_first(progress& next, const progress& last);
  void leave_unless_hopeful(const progress& next, const progress& last, llvm::Value* too_large);
  void leave_if(llvm::Value* condition, stage_outcome outcome, const progress& i);
  void leave(const progress& i, stage_outcome outcome);
  // As stage_rules::is_done.
  llvm::Value* contracts(contraction& now, const contraction& before, llvm::Value* change, llvm::Value* previous,
                         llvm::Value* first);
  llvm::Value* reaches_floor(llvm::Value* rate, llvm::Value* missing);

  // A loop whose changes are measured until stage_rules::is_done. Whether an iteration is the last one is decided while
  // the one before is measured: nothing waits for that.
  struct measured_loop {
    llvm::BasicBlock* head;
    contraction so_far;
    llvm::PHINode *is_first, *is_last;
  };
  // At the head of the loop, behind its other values.
  measured_loop begin_measuring(llvm::BasicBlock* before);
  // Behind an iteration: back to the head, with what `add_edge` passes on from a block, or on here where it was the
  // last.
  template <class AddEdge>
  void measure(const measured_loop& here, const progress& next, const progress& last, AddEdge&& add_edge) {
    llvm::BasicBlock *const measures = block("measures"), *const ends = block("ends"), *const done = block("done");
    b_.CreateCondBr(here.is_last, ends, measures);
    b_.SetInsertPoint(measures);
    leave_unless_hopeful(next, last, b_.getFalse());
    llvm::Value* const is_done = measure_contraction(here, next.change, last.change);
    add_edge(b_.GetInsertBlock());
    b_.CreateCondBr(is_done, done, here.head);
    b_.SetInsertPoint(ends);
    leave_unless_hopeful(next, last, b_.getFalse());
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  }
  llvm::Value* measure_contraction(const measured_loop& here, llvm::Value* change, llvm::Value* previous);

  // |move| in units of the size of its component, as bits.
  llvm::Value* weighted(llvm::Value* move, llvm::Value* inverse_size);
  llvm::Value* largest(llvm::Value* a, llvm::Value* b) {
    return a ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b) : b;
  }
  llvm::Value* largest_lane(llvm::Value* changes);

  // |y| + max |Z|: its inverse, 0 where that is infinite; and 1.5 times a power of two some times larger, see
  // accurate_stage_sum.
  struct component_size {
    llvm::Value *inverse, *grid;
  };
  component_size measured(llvm::Value* Z, llvm::Value* start);

  // Neither is NaN, or the step is lost anyway.
  llvm::Value* larger(llvm::Value* a, llvm::Value* b) { return larger_number(a, b); }

  // A vector folded in halves to one number.
  template <class Fold>
  llvm::Value* folded(llvm::Value* x, Fold&& fold) {
    for (std::size_t half = rows_.lanes / 2; half >= 1; half /= 2) x = fold(part(x, 0, half), part(x, half, half));
    return x;
  }
  llvm::Value* part(llvm::Value* x, std::size_t first, std::size_t count);

  // Rows of the table: coefficients of the last step's polynomial continued, of stages, and their remainders.
  llvm::Value* continued_column(std::size_t j) { return load_row(table(rows_.continued_stage(j))); }
  llvm::Value* stage_column(std::size_t j) { return load_row(table(rows_.stage(j))); }
  llvm::Value* remainder_column(std::size_t j) { return load_row(table(rows_.stage_remainder(j))); }

  // first + Σ_j column_j rate_j in chains of products, side by side.
  static constexpr std::size_t chains = 4;
  template <class Column, class Rate>
  llvm::Value* chained_sum(llvm::Value* first, Column&& column, Rate&& rate) {
    row_values sums(std::min(chains, rows_.points), nullptr);
    sums[0] = first;
    for (std::size_t j = 0; j < rows_.points; ++j) {
      llvm::Value*& sum = sums[j % chains];
      llvm::Value* const a = column(j);
      sum = sum ? fma(a, rate(j), sum) : b_.CreateFMul(a, rate(j));
    }
    while (sums.size() > 1) {
      for (std::size_t k = 0; k + 1 < sums.size(); k += 2) sums[k / 2] = b_.CreateFAdd(sums[k], sums[k + 1]);
      if (sums.size() % 2 == 1) sums[sums.size() / 2] = sums.back();
      sums.resize((sums.size() + 1) / 2);
    }
    return sums[0];
  }

  // Σ_j h a_ij K_j with the remainders of the coefficients, as a sum of two numbers. Starting from a number that is
  // much larger than all terms, sums are multiples of its last place and differences of successive ones exact: what
  // each term lost to that grid is known and summed apart.
  template <class Column, class Remainder, class Rate>
  std::pair<llvm::Value*, llvm::Value*> accurate_stage_sum(llvm::Value* grid, Column&& column, Remainder&& remainder,
                                                           Rate&& rate) {
    llvm::Value* total = grid;
    llvm::Value *lost = llvm::ConstantFP::get(row_, 0), *remainders = lost;
    for (std::size_t j = 0; j < rows_.points; ++j) {
      llvm::Value *const a = column(j), *const k = rate(j);
      llvm::Value* const next = fma(a, k, total);
      lost = b_.CreateFAdd(lost, fma(a, k, b_.CreateFNeg(b_.CreateFSub(next, total))));
      remainders = fma(remainder(j), k, remainders);
      total = next;
    }
    return {b_.CreateFSub(total, grid), b_.CreateFAdd(lost, remainders)};
  }
  // Σ_i h b_i K_i over the lanes, likewise, where K are these rates and small differences from them: rounding their
  // sums would make energy drift.
  std::pair<llvm::Value*, llvm::Value*> weighted_sum(llvm::Value* grid, llvm::Value* rates, llvm::Value* differences);
  llvm::Value* in_all_lanes(llvm::Value* row, std::size_t j) { return spread(load(element(row, j))); }
  llvm::Value* spread(llvm::Value* x) { return splat(x, rows_.lanes); }
  llvm::Value* number(double value) const { return llvm::ConstantFP::get(real_, value); }
  llvm::Value* table(std::size_t k) { return element(function_->getArg(1), k); }
  llvm::Value* work(std::size_t k) { return element(function_->getArg(2), k); }
  using ir_writer::load;
  llvm::Value* load(llvm::Value* from) { return load(real_, from); }
  llvm::Value* load_row(llvm::Value* from) { return load(row_, from); }

  const collocation_code& code_;
  const collocation_rows& rows_;
  std::size_t n_, rows_in_registers_;
  llvm::Type* row_;
  dataflow flow_;
  flow_emitter field_;
  llvm::Value* time_;

 private:
  row_values arguments(const iterate& i);
  void write_rough(const loop& here, const loop& exact);
  reference write_exact(const loop& here);
};

}  // namespace actio::machine_code
