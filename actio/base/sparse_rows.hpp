// Rows of a sparse matrix while they are eliminated with pivots that are chosen by their values (Markowitz). Internal
// to base/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "actio/base/scalar.hpp"

namespace actio {

template <class S>
using sparse_row = std::vector<std::pair<std::uint32_t, S>>;

// row −= factor · from
template <class S>
struct row_subtraction {
  std::uint32_t row, from;
  S factor;
};

// The rows that are not eliminated yet, and which of them contain a column.
template <class S>
class active_rows {
 public:
  active_rows(std::vector<sparse_row<S>>& rows, std::size_t columns)
      : rows_(rows), columns_(columns), place_(columns, none) {
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      for (const auto& [j, value] : rows[i]) columns_[j].insert(i);
      by_length_.emplace(rows[i].size(), i);
    }
  }

  struct choice {
    std::uint32_t row, column;
    std::size_t cost;
    S largest;  // of what is left of the row
  };

  // The cheapest of the entries of a few short rows that are at least a tenth of what is left of their row. Where one
  // of these rows has nothing larger than `zero`, that row, with the column `nowhere`.
  choice best(const S& zero) const {
    using std::abs;
    constexpr int most_rows = 4;
    choice found{0, nowhere, 0, S(0)};
    int looked = 0;
    for (auto at = by_length_.begin(); at != by_length_.end() && looked < most_rows; ++at, ++looked) {
      const auto [length, i] = *at;
      S largest(0);
      for (const auto& [j, value] : rows_[i]) largest = std::max<S>(largest, abs(value));
      if (!(largest > zero) || !is_finite(largest)) return {i, nowhere, 0, largest};
      for (const auto& [j, value] : rows_[i]) {
        if (S(10) * abs(value) < largest) continue;
        const std::size_t cost = (length - 1) * (columns_[j].size() - 1);
        if (found.column == nowhere || cost < found.cost) found = choice{i, j, cost, largest};
      }
    }
    return found;
  }

  bool has_rows(std::uint32_t column) const { return !columns_[column].empty(); }

  // Takes row and column out; returns the pivot.
  S take(std::uint32_t row, std::uint32_t column) {
    by_length_.erase({rows_[row].size(), row});
    for (const auto& [j, value] : rows_[row]) columns_[j].erase(row);
    const auto at = std::ranges::find(rows_[row], column, &std::pair<std::uint32_t, S>::first);
    const S pivot = at->second;
    rows_[row].erase(at);
    return pivot;
  }

  // Takes out a row of which nothing is left.
  void drop(std::uint32_t row) {
    by_length_.erase({rows_[row].size(), row});
    for (const auto& [j, value] : rows_[row]) columns_[j].erase(row);
  }

  // Subtracts the row that was taken with this pivot from all that contain its column.
  void clear(std::uint32_t row, std::uint32_t column, const S& pivot, std::vector<row_subtraction<S>>& done) {
    const std::vector<std::uint32_t> others(columns_[column].begin(), columns_[column].end());
    for (const std::uint32_t i : others) done.push_back({i, row, subtract(i, row, column, pivot)});
  }

  static constexpr std::uint32_t nowhere = ~std::uint32_t(0);

 private:
  S subtract(std::uint32_t i, std::uint32_t from, std::uint32_t column, const S& pivot) {
    sparse_row<S>& row = rows_[i];
    by_length_.erase({row.size(), i});
    const auto at = std::ranges::find(row, column, &std::pair<std::uint32_t, S>::first);
    const S factor = at->second / pivot;
    row.erase(at);
    columns_[column].erase(i);
    for (std::size_t k = 0; k < row.size(); ++k) place_[row[k].first] = k;
    for (const auto& [j, value] : rows_[from]) {
      if (place_[j] == none) {
        row.emplace_back(j, S(-factor * value));
        columns_[j].insert(i);
      } else {
        row[place_[j]].second -= factor * value;
      }
    }
    for (const auto& [j, value] : row) place_[j] = none;
    by_length_.emplace(row.size(), i);
    return factor;
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<sparse_row<S>>& rows_;
  std::vector<std::set<std::uint32_t>> columns_;
  std::set<std::pair<std::size_t, std::uint32_t>> by_length_;
  std::vector<std::size_t> place_;
};

}  // namespace actio
