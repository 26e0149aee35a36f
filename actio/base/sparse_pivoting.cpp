#include "actio/base/sparse_pivoting.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "actio/base/scalar.hpp"

namespace actio {

namespace {

// The rows that are not eliminated yet, and which of them contain a column.
template <class S>
class active_rows {
 public:
  using sparse_row = std::vector<std::pair<std::uint32_t, S>>;

  explicit active_rows(std::vector<sparse_row>& rows) : rows_(rows), columns_(rows.size()), place_(rows.size(), none) {
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      for (const auto& [j, value] : rows[i]) columns_[j].insert(i);
      by_length_.emplace(rows[i].size(), i);
    }
  }

  struct choice {
    std::uint32_t row, column;
    std::size_t cost;
    S ratio;
  };

  // The cheapest of the large entries of the few shortest rows; nothing where one of these is zero.
  std::optional<choice> best() const {
    using std::abs;
    constexpr int most_rows = 4;
    std::optional<choice> found;
    int looked = 0;
    for (auto at = by_length_.begin(); at != by_length_.end() && looked < most_rows; ++at, ++looked) {
      const auto [length, i] = *at;
      S largest(0);
      for (const auto& [j, value] : rows_[i]) largest = std::max<S>(largest, abs(value));
      if (!(largest > S(0)) || !is_finite(largest)) return std::nullopt;
      for (const auto& [j, value] : rows_[i]) {
        if (S(10) * abs(value) < largest) continue;
        const std::size_t cost = (length - 1) * (columns_[j].size() - 1);
        if (!found || cost < found->cost) found = choice{i, j, cost, largest};
      }
    }
    return found;
  }

  // A column of a row without a usable entry, or any that is left.
  std::size_t left_column(const std::vector<bool>& used) const {
    for (std::size_t j = 0; j < used.size(); ++j) {
      if (!used[j] && columns_[j].empty()) return j;
    }
    return static_cast<std::size_t>(std::ranges::find(used, false) - used.begin());
  }

  // Takes row and column out; returns the pivot.
  S take(std::uint32_t row, std::uint32_t column) {
    by_length_.erase({rows_[row].size(), row});
    for (const auto& [j, value] : rows_[row]) columns_[j].erase(row);
    const auto at = std::ranges::find(rows_[row], column, &std::pair<std::uint32_t, S>::first);
    const S pivot = at->second;
    rows_[row].erase(at);
    return pivot;
  }

  std::vector<std::uint32_t> rows_with(std::uint32_t column) const {
    return {columns_[column].begin(), columns_[column].end()};
  }

  // Row i −= factor · (row `from`) with the factor that removes `column`, where the other has `pivot`; the factor.
  S subtract(std::uint32_t i, std::uint32_t from, std::uint32_t column, const S& pivot) {
    sparse_row& row = rows_[i];
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

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<sparse_row>& rows_;
  std::vector<std::set<std::uint32_t>> columns_;
  std::set<std::pair<std::size_t, std::uint32_t>> by_length_;
  std::vector<std::size_t> place_;
};

}  // namespace

template <class S>
bool pivoting_factorisation<S>::factorise(const sparse_pattern& pattern, std::span<const S> entries) {
  using std::abs;
  const std::size_t n = pattern.size;
  has_factors_ = false;
  rows_.assign(n, {});
  scale_.assign(n, S(0));
  pivots_.clear();
  subtractions_.clear();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e] == S(0)) continue;
    sparse_row& row = rows_[pattern.row[e]];
    const auto at = std::ranges::find(row, pattern.column[e], &std::pair<std::uint32_t, S>::first);
    if (at == row.end()) row.emplace_back(pattern.column[e], entries[e]);
    else at->second += entries[e];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (const auto& [j, value] : rows_[i]) scale_[i] = std::max<S>(scale_[i], abs(value));
    if (scale_[i] > S(0)) scale_[i] = S(1) / scale_[i];
    for (auto& [j, value] : rows_[i]) value *= scale_[i];
  }
  active_rows<S> active(rows_);
  std::vector<bool> used(n, false);
  smallest_ = S(1);
  for (std::size_t k = 0; k < n; ++k) {
    const auto chosen = active.best();
    // What is left of a row after so many subtractions is rounding.
    if (!chosen || chosen->ratio <= S(4) * epsilon<S>()) {
      undetermined_ = active.left_column(used);
      return false;
    }
    const S value = active.take(chosen->row, chosen->column);
    used[chosen->column] = true;
    smallest_ = std::min<S>(smallest_, abs(value));
    pivots_.push_back({chosen->row, chosen->column, value});
    for (const std::uint32_t i : active.rows_with(chosen->column)) {
      subtractions_.push_back({i, chosen->row, active.subtract(i, chosen->row, chosen->column, value)});
    }
  }
  has_factors_ = true;
  return true;
}

template <class S>
void pivoting_factorisation<S>::solve_in_place(std::span<S> x) const {
  std::vector<S> right(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) right[i] = x[i] * scale_[i];
  for (const subtraction& s : subtractions_) right[s.row] -= s.factor * right[s.from];
  for (std::size_t k = pivots_.size(); k-- > 0;) {
    const pivot& p = pivots_[k];
    S sum = right[p.row];
    for (const auto& [j, value] : rows_[p.row]) sum -= value * x[j];
    x[p.column] = sum / p.value;
  }
}

#define ACTIO_INSTANTIATE(S) template class pivoting_factorisation<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
