#include "actio/backend/llvm/collocation_writer.hpp"
#include "actio/backend/llvm/stage_writer.hpp"

namespace actio::machine_code {

namespace {

using namespace stage_rules;

// The blocks and the order of operations are those of the straight-line writer.
class looped_writer : stage_writer {
 public:
  looped_writer(llvm::Module& module, const collocation_code& code, const collocation_rows& rows, bool any_argument)
      : stage_writer(module, code, rows, any_argument, 0) {}

  void write() {
    for (llvm::Value** const rows : {&Z_, &at_, &rates_, &known_, &base_, &low_, &base_move_}) {
      *rows = memory_for(rows_.components * rows_.lanes);
    }
    for (llvm::Value** const numbers : {&inverse_size_, &grid_}) *numbers = memory_for(rows_.components);
    omega_ = memory_for(rows_.lanes);
    begin();
    const auto [known, exact] = find_reference({{number(1), number(1), b_.getInt32(0)}});
    write_near(known, exact);
  }

 private:
  // Rows of the table that a loop over components needs in every turn, loaded before it.
  struct columns {
    row_values rows;
    llvm::Value* operator()(std::size_t j) const { return rows[j]; }
  };

  llvm::Value* start(std::size_t c) override { return start_of(b_.getInt64(c)); }
  llvm::Value* stage(const iterate&, std::size_t c) override { return load_row(row(Z_, c)); }
  llvm::Value* rate_at(const reference&, std::size_t c) override { return load_row(row(known_, c)); }
  llvm::Value* base(const reference&, std::size_t c) override { return load_row(row(base_, c)); }
  llvm::Value* base_move(const reference&, std::size_t c) override { return load_row(row(base_move_, c)); }
  void keep(const row_values& arguments) override {
    for (std::size_t c = 0; c < rows_.components; ++c) store(arguments[c], row(at_, c));
  }

  void begin() {
    time_ = b_.CreateFAdd(spread(load(work(rows_.time()))), load_row(table(rows_.node())));
    const columns column = loaded([&](std::size_t j) { return continued_column(j); });
    for_each_component([&](llvm::Value* c) {
      llvm::Value* const K = row(function_->getArg(2), c);
      llvm::Value* const guess = chained_sum(nullptr, column, [&](std::size_t j) { return in_all_lanes(K, j); });
      store(guess, row(Z_, c));
      const component_size size = measured(guess, load(number_of(rows_.start(0), c)));
      b_.CreateStore(size.inverse, element(inverse_size_, c));
      b_.CreateStore(size.grid, element(grid_, c));
    });
  }

  void refer(reference&) override {
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
      store(b_.CreateFAdd(beside_base, b_.CreateFAdd(left, rest)), row(low_, c));
      store(b_.CreateFSub(base, load_row(row(at_, c))), row(base_move_, c));
      store(base, row(base_, c));
      store(load_row(K), row(known_, c));
      store(llvm::ConstantFP::get(row_, 0), row(Z_, c));
    });
  }

  iterate whole(const reference&, const iterate& beside) override {
    for_each_component([&](llvm::Value* c) {
      llvm::Value* const to_base = b_.CreateFSub(load_row(row(base_, c)), start_of(c));
      store(b_.CreateFAdd(to_base, load_row(row(Z_, c))), row(Z_, c));
    });
    return beside;
  }

  void finish(const reference&, const row_values&, llvm::Value* power, const iterate& last) override {
    for_each_component([&](llvm::Value* c) {
      llvm::Value *const known = load_row(row(known_, c)), *const differences = load_row(row(rates_, c));
      store(b_.CreateFAdd(known, differences), row(function_->getArg(2), c));
      const auto [sum, rest] = weighted_sum(spread(load(element(grid_, c))), known, differences);
      b_.CreateStore(sum, number_of(rows_.increment(0), c));
      b_.CreateStore(rest, number_of(rows_.increment_remainder(0), c));
    });
    store(power, work(rows_.rate(rows_.components)));
    leave(last, stage_outcome::converged);
  }

  iterate take(row_values& rates, const iterate& last, const reference* from) override {
    llvm::Value* const first = from ? low_ : nullptr;
    row_values velocities(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(n_));
    for_each_inverse_mass(rates, [&](std::size_t i, std::size_t j, llvm::Value* entry) {
      velocities[i] = fma(b_.CreateFNeg(entry), load_row(row(Z_, n_ + j)), velocities[i]);
    });
    for (std::size_t a = 0; a < n_; ++a) {
      store(velocities[a], row(rates_, a));
      store(rates[n_ + a], row(rates_, n_ + a));
    }
    const scale_rows scale = scale_of(rates, from);
    const std::size_t summed = code_.has_cyclic_time ? n_ - 1 : n_;
    const auto product = [&](std::size_t first_row, const row_values& by) {
      llvm::Value* sum = llvm::ConstantFP::get(row_, 0);
      for (std::size_t a = 0; a < summed && code_.is_scaled; ++a) {
        sum = fma(by[a], load_row(row(Z_, first_row + a)), sum);
      }
      return sum;
    };
    llvm::Value* before = product(n_, scale.velocity);
    llvm::Value* change = sum_stages(n_, n_ + summed, first, as_bits(llvm::ConstantFP::get(row_, 0)));
    if (code_.is_scaled) follow_scale(n_, summed, b_.CreateFSub(before, product(n_, scale.velocity)), scale.slopes);
    for (std::size_t a = 0; a < n_; ++a) velocities[a] = load_row(row(rates_, a));
    for_each_inverse_mass(rates, [&](std::size_t i, std::size_t j, llvm::Value* entry) {
      velocities[i] = fma(entry, load_row(row(Z_, n_ + j)), velocities[i]);
    });
    for (std::size_t a = 0; a < n_; ++a) store(velocities[a], row(rates_, a));
    before = product(0, scale.slopes);
    change = sum_stages(0, summed, first, change);
    if (code_.is_scaled) follow_scale(0, n_, b_.CreateFSub(product(0, scale.slopes), before), scale.velocity);
    return {{largest_lane(change), last.first_change, b_.CreateAdd(last.count, b_.getInt32(1))}};
  }

  // As the straight-line writer does: rates move by `moved` ω, stages by `moved` hAω.
  void follow_scale(std::size_t first, std::size_t count, llvm::Value* omega, const row_values& moved) {
    store(omega, omega_);
    llvm::Value* const sum = chained_sum(
        nullptr, [&](std::size_t j) { return stage_column(j); },
        [&](std::size_t j) { return in_all_lanes(omega_, j); });
    for (std::size_t a = 0; a < count; ++a) {
      llvm::Value *const K = row(rates_, first + a), *const Z = row(Z_, first + a);
      store(fma(moved[a], omega, load_row(K)), K);
      store(fma(moved[a], sum, load_row(Z)), Z);
    }
  }

  // Z = first + Σ_j h a_ij K_j for some components; the larger one of `change` and theirs.
  llvm::Value* sum_stages(std::size_t begin, std::size_t end, llvm::Value* first, llvm::Value* change) {
    const columns column = loaded([&](std::size_t j) { return stage_column(j); });
    return counted_loop(begin, end, change, [&](llvm::Value* c, llvm::Value* so_far) {
      llvm::Value *const K = row(rates_, c), *const Z = row(Z_, c);
      llvm::Value* const next = chained_sum(first ? load_row(row(first, c)) : nullptr, column,
                                            [&](std::size_t j) { return in_all_lanes(K, j); });
      llvm::Value* const larger_one =
          largest(so_far, weighted(b_.CreateFSub(next, load_row(Z)), spread(load(element(inverse_size_, c)))));
      store(next, Z);
      return larger_one;
    });
  }

  template <class Column>
  columns loaded(Column&& column) {
    columns all;
    for (std::size_t j = 0; j < rows_.points; ++j) all.rows.push_back(column(j));
    return all;
  }

  template <class Body>
  void for_each_component(Body&& body) {
    counted_loop(0, rows_.components, b_.getFalse(), [&](llvm::Value* c, llvm::Value* nothing) {
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

  // Memory for a row of each component: Z, where the field was evaluated, its rates; at the reference, the rates there,
  // where they lead (base + low), and how far that is from where they were evaluated.
  llvm::Value *Z_, *at_, *rates_, *known_, *base_, *low_, *base_move_;
  llvm::Value *inverse_size_, *grid_;  // one number a component
  llvm::Value* omega_;                 // a row
};

}  // namespace

void write_looped_collocation(llvm::Module& module, const collocation_code& code, const collocation_rows& rows,
                              bool any_argument) {
  looped_writer(module, code, rows, any_argument).write();
}

}  // namespace actio::machine_code
