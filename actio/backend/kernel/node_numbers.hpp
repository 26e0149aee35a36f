// The builder that carries texts about the nodes of a step out at once (see stage_text.hpp): rows are vectors of so
// many doubles.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "actio/backend/collocation_kernel.hpp"
#include "actio/backend/kernel/number_builder.hpp"
#include "actio/backend/kernel/sums.hpp"
#include "actio/base/lanes.hpp"

namespace actio::kernel {

// One of the sums of sums.hpp: Σ_j columns_j K_j from `first`, or accurately where there are remainders.
template <std::size_t W>
struct node_sum {
  std::size_t points;
  const double *columns, *K;
  const lanes<W>* first;
  const double* remainders;
  lanes<W>*sum, *rest;
};
// These are compiled for the processor at hand. c becomes a b + c with one rounding.
void carry_out(const node_sum<4>& s);
void carry_out(const node_sum<8>& s);
void carry_out(const node_sum<16>& s);
void fuse(const lanes<4>& a, const lanes<4>& b, lanes<4>& c);
void fuse(const lanes<8>& a, const lanes<8>& b, lanes<8>& c);
void fuse(const lanes<16>& a, const lanes<16>& b, lanes<16>& c);

// Inside a function that is compiled for the processor nothing is called.
template <std::size_t W, bool Calls = true>
struct number_row {
  lanes<W> x;

  friend ACTIO_ALWAYS_INLINE number_row operator+(const number_row& a, const number_row& b) { return {a.x + b.x}; }
  friend ACTIO_ALWAYS_INLINE number_row operator-(const number_row& a, const number_row& b) { return {a.x - b.x}; }
  friend ACTIO_ALWAYS_INLINE number_row operator*(const number_row& a, const number_row& b) { return {a.x * b.x}; }
  friend ACTIO_ALWAYS_INLINE number_row operator-(const number_row& a) { return {-a.x}; }
  friend ACTIO_ALWAYS_INLINE number_row absolute(const number_row& a) { return {size_of(a.x)}; }
  friend ACTIO_ALWAYS_INLINE number_row fma(const number_row& a, const number_row& b, const number_row& c) {
    number_row r = c;
    if constexpr (Calls) fuse(a.x, b.x, r.x);
    else
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

  double single(double x) { return x; }
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
    row result;
    carry_out(node_sum<W>{column.points, column.first, K, nullptr, nullptr, &result.x, nullptr});
    return result;
  }
  row sum(const table_columns& column, const double* K, const row& first) {
    row result;
    carry_out(node_sum<W>{column.points, column.first, K, &first.x, nullptr, &result.x, nullptr});
    return result;
  }
  std::pair<row, row> accurate_sum(const row& grid, const table_columns& column, const table_columns& remainder,
                                   const double* K) {
    row result, rest;
    carry_out(node_sum<W>{column.points, column.first, K, &grid.x, remainder.first, &result.x, &rest.x});
    return {result, rest};
  }

  // Of sizes without a sign; NaN is larger than all.
  row larger_size(const row& a, const row& b) { return {(b.x > a.x) | (b.x != b.x) ? b.x : a.x}; }
  double largest(const row& sizes) { return folded(sizes, larger_of); }
  double total(const row& x) {
    return folded(x, [](double a, double b) { return a + b; });
  }
  double rough_logarithm(double x) { return static_cast<double>(std::bit_cast<std::int64_t>(x)) * 0x1p-52 - 1023.0; }

 private:
  static double larger_of(double a, double b) { return b > a || std::isnan(b) ? b : a; }
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
