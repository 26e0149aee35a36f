#include "actio/base/row_dependence.hpp"

#include <algorithm>

#include "actio/base/scalar.hpp"

namespace actio {

namespace {

constexpr std::size_t most_dense = 24;  // rows

template <class S>
row_dependence<S> dense_dependence(matrix<S> a, matrix<S> combination, const S& tolerance) {
  using std::abs;
  const std::size_t m = a.rows(), n = a.columns();
  std::size_t rank = 0;
  for (; rank < m; ++rank) {
    std::size_t row = rank, column = 0;
    S pivot(0);
    for (std::size_t i = rank; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (abs(a(i, j)) > pivot) pivot = abs(a(i, j)), row = i, column = j;
      }
    }
    if (!(pivot > tolerance)) break;
    for (std::size_t j = 0; j < n; ++j) std::swap(a(rank, j), a(row, j));
    for (std::size_t j = 0; j < m; ++j) std::swap(combination(rank, j), combination(row, j));
    for (std::size_t i = rank + 1; i < m; ++i) {
      const S factor = a(i, column) / a(rank, column);
      for (std::size_t j = 0; j < n; ++j) a(i, j) -= factor * a(rank, j);
      for (std::size_t j = 0; j < m; ++j) combination(i, j) -= factor * combination(rank, j);
      a(i, column) = S(0);
    }
  }
  row_dependence<S> result{rank, {}};
  if (rank == m) return result;
  for (std::size_t j = 0; j < m; ++j) result.combination.push_back(combination(rank, j));
  return result;
}

// Row i of what is left is row i of the matrix less multiples of others: undoing the subtractions, last ones first,
// gives the combination of a row of which nothing is left.
template <class S>
row_dependence<S> sparse_dependence(std::vector<sparse_row<S>> rows, std::size_t columns, const S& tolerance) {
  active_rows<S> active(rows, columns);
  std::vector<row_subtraction<S>> subtractions;
  row_dependence<S> result;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto chosen = active.best(tolerance);
    if (chosen.column != active.nowhere) {
      const S pivot = active.take(chosen.row, chosen.column);
      active.clear(chosen.row, chosen.column, pivot, subtractions);
      ++result.rank;
      continue;
    }
    active.drop(chosen.row);
    if (!result.combination.empty()) continue;
    result.combination.assign(rows.size(), S(0));
    result.combination[chosen.row] = S(1);
    for (std::size_t u = subtractions.size(); u-- > 0;) {
      const auto& [row, from, factor] = subtractions[u];
      result.combination[from] -= factor * result.combination[row];
    }
  }
  return result;
}

}  // namespace

template <class S>
row_dependence<S> dependence_of(std::vector<sparse_row<S>> rows, std::size_t columns, const S& tolerance) {
  using std::abs;
  const std::size_t m = rows.size();
  std::vector<S> scale(m, S(1));
  for (std::size_t i = 0; i < m; ++i) {
    S size(0);
    for (const auto& [j, value] : rows[i]) size = std::max<S>(size, abs(value));
    if (size > S(0)) scale[i] = S(1) / size;
    for (auto& [j, value] : rows[i]) value *= scale[i];
  }
  if (m > most_dense) {
    row_dependence<S> result = sparse_dependence(std::move(rows), columns, tolerance);
    for (std::size_t i = 0; i < result.combination.size(); ++i) result.combination[i] *= scale[i];
    return result;
  }
  matrix<S> a(m, columns), combination(m, m);
  for (std::size_t i = 0; i < m; ++i) {
    combination(i, i) = scale[i];
    for (const auto& [j, value] : rows[i]) a(i, j) += value;
  }
  return dense_dependence(std::move(a), std::move(combination), tolerance);
}

#define ACTIO_INSTANTIATE(S) \
  template row_dependence<S> dependence_of<S>(std::vector<sparse_row<S>>, std::size_t, const S&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
