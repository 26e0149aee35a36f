#include "actio/base/sparse_pivoting.hpp"

#include <algorithm>

#include "actio/base/scalar.hpp"

namespace actio {

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
    sparse_row<S>& row = rows_[pattern.row[e]];
    const auto at = std::ranges::find(row, pattern.column[e], &std::pair<std::uint32_t, S>::first);
    if (at == row.end()) row.emplace_back(pattern.column[e], entries[e]);
    else at->second += entries[e];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (const auto& [j, value] : rows_[i]) scale_[i] = std::max<S>(scale_[i], abs(value));
    if (scale_[i] > S(0)) scale_[i] = S(1) / scale_[i];
    for (auto& [j, value] : rows_[i]) value *= scale_[i];
  }
  active_rows<S> active(rows_, n);
  std::vector<bool> used(n, false);
  smallest_ = S(1);
  for (std::size_t k = 0; k < n; ++k) {
    const auto chosen = active.best(S(4) * epsilon<S>());  // less is left of a row by rounding
    if (chosen.column == active.nowhere) {
      undetermined_ = static_cast<std::size_t>(std::ranges::find(used, false) - used.begin());
      for (std::uint32_t j = 0; j < n; ++j) {
        if (!used[j] && !active.has_rows(j)) undetermined_ = j;
      }
      return false;
    }
    const S value = active.take(chosen.row, chosen.column);
    used[chosen.column] = true;
    smallest_ = std::min<S>(smallest_, abs(value));
    pivots_.push_back({chosen.row, chosen.column, value});
    active.clear(chosen.row, chosen.column, value, subtractions_);
  }
  has_factors_ = true;
  return true;
}

template <class S>
void pivoting_factorisation<S>::solve_in_place(std::span<S> x) const {
  std::vector<S> right(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) right[i] = x[i] * scale_[i];
  for (const row_subtraction<S>& s : subtractions_) right[s.row] -= s.factor * right[s.from];
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
