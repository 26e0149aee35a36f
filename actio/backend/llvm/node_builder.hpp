// The builder that writes texts about the nodes of a step as LLVM instructions (see backend/kernel/stage_text.hpp):
// rows are vectors with a node in each lane, numbers are doubles.
#pragma once

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/kernel/sums.hpp"
#include "actio/backend/llvm/machine_builder.hpp"

namespace actio::machine_code {

class node_builder : public machine_builder {
 public:
  using row = machine_number;
  using rows_in_memory = rows;
  using row_variable = machine_builder::variable;

  // Rows that stay in memory are read there into all lanes; those in registers would have to be stored before.
  node_builder(llvm::IRBuilder<>& builder, std::size_t lanes, bool rows_stay_in_memory)
      : machine_builder(builder, 1, nullptr),
        all_(builder, lanes, nullptr),
        count_(lanes),
        rows_stay_in_memory_(rows_stay_in_memory) {}

  std::size_t nodes_in_lanes() const { return count_; }
  truth always() { return !never(); }
  row row_of(double x) { return all_.one_number(x); }
  row spread(const number& x) { return {b_, splat(x.as(real_), count_)}; }
  rows_in_memory rows_at(llvm::Value* first) {
    return all_.memory(first, b_.getInt64(static_cast<std::int64_t>(count_)));
  }
  rows_in_memory local_rows(std::size_t count) { return all_.local(count); }
  row_variable make_row(const row& first) { return all_.make(first); }
  rows numbers_at(llvm::Value* first) { return memory(first, b_.getInt64(1)); }

  // The row that begins with number k.
  row row_at(const rows& numbers, const index& k) { return all_.memory(address(numbers.from(k)), b_.getInt64(1))[0]; }
  void put_row(const rows& numbers, const index& k, const row& x) {
    all_.memory(address(numbers.from(k)), b_.getInt64(1)).put(0, x);
  }

  // The number of node j in all lanes: of numbers in memory, of a row.
  struct node_reader {
    node_builder* b;
    row whole;
    llvm::Value* in_memory;

    row operator()(std::size_t j) const {
      if (in_memory) return {b->b_, b->splat(b->load(b->real_, b->element(in_memory, j)), b->count_)};
      if (b->count_ == 1) return whole;
      const llvm::SmallVector<int, 16> lanes(b->count_, static_cast<int>(j));
      return {b->b_, b->b_.CreateShuffleVector(whole.value(), lanes)};
    }
  };
  node_reader nodes_in(const rows& numbers, const index& first) { return {this, {}, address(numbers.from(first))}; }
  node_reader nodes(const rows_in_memory& from, const index& k) {
    if (rows_stay_in_memory_) return {this, {}, address(from.from(k))};
    return {this, from[k], nullptr};
  }
  // Rows of a table of coefficients, one a node: loaded once where a loop over components needs them.
  struct table_columns {
    node_builder* b;
    rows numbers;
    std::size_t first;
    const collocation_rows& layout;
    std::vector<row> loaded = {};

    row operator()(std::size_t j) const {
      return loaded.empty() ? b->row_at(numbers, first + j * layout.lanes) : loaded[j];
    }
  };
  table_columns columns(const rows& table, std::size_t first, const collocation_rows& layout) {
    table_columns made{this, table, first, layout};
    std::vector<row> loaded;
    for (std::size_t j = 0; j < layout.points && rows_stay_in_memory_; ++j) loaded.push_back(made(j));
    made.loaded = std::move(loaded);
    return made;
  }
  row sum(const table_columns& column, const node_reader& K) {
    return kernel::chained_sum<row>(column.layout.points, nullptr, column, K);
  }
  row sum(const table_columns& column, const node_reader& K, const row& first) {
    return kernel::chained_sum(column.layout.points, &first, column, K);
  }
  std::pair<row, row> accurate_sum(const row& grid, const table_columns& column, const table_columns& remainder,
                                   const node_reader& K) {
    return kernel::accurate_sum(column.layout.points, grid, column, remainder, K);
  }

  // The larger one of two sizes, each without a sign; NaN is larger than all. The largest one of a row, and its sum.
  row larger_size(const row& a, const row& b) {
    return {b_, as_real(larger_bits(as_bits(a.value()), as_bits(b.as(a.value()->getType()))))};
  }
  number largest(const row& sizes) {
    return {b_,
            as_real(folded(as_bits(sizes.value()), [&](llvm::Value* a, llvm::Value* b) { return larger_bits(a, b); }))};
  }
  number total(const row& x) {
    return {b_, folded(x.value(), [&](llvm::Value* a, llvm::Value* b) { return b_.CreateFAdd(a, b); })};
  }
  // log₂ x to a tenth.
  number rough_logarithm(const number& x) {
    llvm::Value* const bits = b_.CreateSIToFP(as_bits(x.value()), real_);
    return number(b_, bits) * 0x1p-52 - 1023.0;
  }

 private:
  llvm::Value* larger_bits(llvm::Value* a, llvm::Value* b) {
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
  }
  // A vector folded in halves to one number.
  template <class Fold>
  llvm::Value* folded(llvm::Value* x, Fold&& fold) {
    for (std::size_t half = count_ / 2; half >= 1; half /= 2) x = fold(part(x, 0, half), part(x, half, half));
    return x;
  }
  llvm::Value* part(llvm::Value* x, std::size_t first, std::size_t count) {
    if (count == 1) return b_.CreateExtractElement(x, first);
    return b_.CreateShuffleVector(x, consecutive(first, count));
  }

  machine_builder all_;
  std::size_t count_;
  bool rows_stay_in_memory_;
};

}  // namespace actio::machine_code
