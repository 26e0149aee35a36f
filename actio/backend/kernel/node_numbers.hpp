// The builder that carries texts about the nodes of a step out at once (see stage_text.hpp): rows are vectors of so
// many doubles. Whoever carries a text out does so in a function that is compiled for the processor at hand, with all
// of the text inside (stage_iteration.cpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/kernel/number_builder.hpp"
#include "actio/backend/kernel/sums.hpp"
#include "actio/base/lanes.hpp"

namespace actio::kernel {

template <std::size_t W>
struct alignas(W * sizeof(double)) number_row {  // for all processors
  lanes<W> x;

  friend ACTIO_ALWAYS_INLINE number_row operator+(const number_row& a, const number_row& b) { return {a.x + b.x}; }
  friend ACTIO_ALWAYS_INLINE number_row operator-(const number_row& a, const number_row& b) { return {a.x - b.x}; }
  friend ACTIO_ALWAYS_INLINE number_row operator*(const number_row& a, const number_row& b) { return {a.x * b.x}; }
  friend ACTIO_ALWAYS_INLINE number_row operator-(const number_row& a) { return {-a.x}; }
  friend ACTIO_ALWAYS_INLINE number_row absolute(const number_row& a) {
    constexpr long long without_sign = std::numeric_limits<long long>::max();
    return {std::bit_cast<lanes<W>>(std::bit_cast<lane_mask<W>>(a.x) & without_sign)};
  }
  friend ACTIO_ALWAYS_INLINE number_row fma(const number_row& a, const number_row& b, const number_row& c) {
    number_row r;
    for (std::size_t l = 0; l < W; ++l) r.x[l] = __builtin_fma(a.x[l], b.x[l], c.x[l]);
    return r;
  }
};

template <std::size_t W>
class node_numbers : public number_builder {
 public:
  using row = number_row<W>;
  class rows_in_memory {
   public:
    explicit rows_in_memory(row* first) : first_(first) {}
    const row& operator[](std::size_t k) const { return first_[k]; }
    void put(std::size_t k, const row& x) const { first_[k] = x; }

   private:
    row* first_;
  };
  using row_variable = place<row>;

  node_numbers() : number_builder(nullptr) {}

  bool always() { return true; }
  row row_of(double x) { return spread(x); }
  row spread(double x) { return {lanes<W>{} + x}; }
  rows_in_memory local_rows(std::size_t count) { return rows_in_memory(memory_.emplace_back(new row[count]()).get()); }
  row_variable make_row(const row& first) { return row_variable(first); }
  // The row that begins with number k, of numbers side by side.
  row row_at(const rows& numbers, std::size_t k) { return {actio::row<W>(numbers.place(k))}; }
  void put_row(const rows& numbers, std::size_t k, const row& x) { put(numbers.place(k), x.x); }

  const double* nodes_in(const rows& numbers, std::size_t first) { return numbers.place(first); }
  const double* nodes(const rows_in_memory& from, std::size_t k) { return reinterpret_cast<const double*>(&from[k].x); }
  struct table_columns {
    const double* first;
    std::size_t points;
  };
  table_columns columns(const rows& table, std::size_t first, const collocation_rows& layout) {
    return {table.place(first), layout.points};
  }
  row sum(const table_columns& column, const double* K) {
    return chained_sum<row>(column.points, nullptr, entries(column), spread_entries(K));
  }
  row sum(const table_columns& column, const double* K, const row& first) {
    return chained_sum(column.points, &first, entries(column), spread_entries(K));
  }
  std::pair<row, row> accurate_sum(const row& grid, const table_columns& column, const table_columns& remainder,
                                   const double* K) {
    return kernel::accurate_sum(column.points, grid, entries(column), entries(remainder), spread_entries(K));
  }

  // Of sizes as `absolute` gives them, which are in the order of their bits: NaN is larger than all.
  row larger_size(const row& a, const row& b) {
    parts x = std::bit_cast<parts>(a.x);
    const parts y = std::bit_cast<parts>(b.x);
    for (std::size_t k = 0; k < part_count; ++k) x.of[k] = y.of[k] > x.of[k] ? y.of[k] : x.of[k];
    return {std::bit_cast<lanes<W>>(x)};
  }
  double largest(const row& sizes) {
    parts x = std::bit_cast<parts>(sizes.x);
    for (std::size_t k = 1; k < part_count; ++k) x.of[0] = x.of[k] > x.of[0] ? x.of[k] : x.of[0];
    long long result = x.of[0][0];
    for (std::size_t l = 1; l < part_lanes; ++l) result = std::max<long long>(result, x.of[0][l]);
    return std::bit_cast<double>(result);
  }
  double total(const row& x) {
    return folded(x, [](double a, double b) { return a + b; });
  }
  double rough_logarithm(double x) { return static_cast<double>(std::bit_cast<std::int64_t>(x)) * 0x1p-52 - 1023.0; }

 private:
  static constexpr std::size_t part_lanes = deciding_lanes<W>, part_count = W / part_lanes;
  struct parts {
    lane_mask<part_lanes> of[part_count];
  };

  static auto entries(const table_columns& column) {
    return [first = column.first](std::size_t j) { return row{actio::row<W>(first + j * W)}; };
  }
  static auto spread_entries(const double* K) {
    return [K](std::size_t j) { return row{lanes<W>{} + K[j]}; };
  }
  template <class Fold>
  static double folded(row x, Fold&& fold) {
    for (std::size_t half = W / 2; half >= 1; half /= 2) {
      for (std::size_t l = 0; l < half; ++l) x.x[l] = fold(x.x[l], x.x[l + half]);
    }
    return x.x[0];
  }

  std::vector<std::unique_ptr<row[]>> memory_;
};

}  // namespace actio::kernel
