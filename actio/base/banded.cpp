#include "actio/base/banded.hpp"

#include <algorithm>
#include <numeric>

#include "actio/base/error.hpp"

namespace actio {

namespace {

class graph {
 public:
  graph(std::size_t size, const couplings& coupled) : neighbours_(size) {
    for (const auto& [i, j] : coupled) {
      if (i == j) continue;
      neighbours_[i].push_back(j);
      neighbours_[j].push_back(i);
    }
    for (auto& list : neighbours_) {
      std::ranges::sort(list);
      list.erase(std::ranges::unique(list).begin(), list.end());
      std::ranges::stable_sort(list, {}, [&](std::size_t k) { return neighbours_[k].size(); });
    }
  }

  // All that hang together with `first`, nearest ones first.
  std::vector<std::size_t> level_order(std::size_t first) const {
    std::vector<std::size_t> order{first};
    std::vector<bool> seen(neighbours_.size(), false);
    seen[first] = true;
    for (std::size_t k = 0; k < order.size(); ++k) {
      for (const std::size_t j : neighbours_[order[k]]) {
        if (seen[j]) continue;
        seen[j] = true;
        order.push_back(j);
      }
    }
    return order;
  }

 private:
  std::vector<std::vector<std::size_t>> neighbours_;
};

}  // namespace

std::vector<std::size_t> band_numbering(std::size_t size, const couplings& coupled) {
  const graph all(size, coupled);
  constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  std::vector<std::size_t> place(size, nowhere);
  std::size_t next = size;
  for (std::size_t k = 0; k < size; ++k) {
    if (place[k] != nowhere) continue;
    // The last of a walk lies at the border; from there the levels are narrow.
    std::size_t border = k;
    for (int walk = 0; walk < 2; ++walk) border = all.level_order(border).back();
    for (const std::size_t j : all.level_order(border)) place[j] = --next;
  }
  return place;
}

template <class S>
banded_matrix<S>::banded_matrix(std::vector<std::size_t> place, std::size_t width)
    : place_(std::move(place)),
      width_(std::min(width, place_.empty() ? 0 : place_.size() - 1)),
      stride_(3 * width_ + 1),
      data_(place_.size() * stride_, S(0)) {}

template <class S>
void banded_matrix<S>::set_zero() {
  std::ranges::fill(data_, S(0));
}

template <class S>
banded_equations<S>::banded_equations(banded_matrix<S> matrix)
    : matrix_(std::move(matrix)), swapped_with_(matrix_.size(), 0), ordered_(matrix_.size(), S(0)) {}

template <class S>
bool banded_equations<S>::factorise() {
  using std::abs;
  const std::size_t size = matrix_.size(), width = matrix_.width();
  finite_ = std::ranges::all_of(matrix_.data(), [](const S& x) { return actio::is_finite(x); });
  if (!finite_) return false;
  for (std::size_t c = 0; c < size; ++c) {
    const std::size_t last_row = std::min(size - 1, c + width), last_column = std::min(size - 1, c + 2 * width);
    std::size_t best = c;
    for (std::size_t i = c + 1; i <= last_row; ++i) {
      if (abs(matrix_.at(i, c)) > abs(matrix_.at(best, c))) best = i;
    }
    swapped_with_[c] = best;
    if (best != c) {
      for (std::size_t j = c; j <= last_column; ++j) std::swap(matrix_.at(c, j), matrix_.at(best, j));
    }
    if (matrix_.at(c, c) == S(0)) return false;
    const S inverse = S(1) / matrix_.at(c, c);
    if (!actio::is_finite(inverse)) return false;
    for (std::size_t i = c + 1; i <= last_row; ++i) {
      if (matrix_.at(i, c) == S(0)) continue;
      const S factor = matrix_.at(i, c) *= inverse;
      const S* const from = &matrix_.at(c, c);
      S* const to = &matrix_.at(i, c);
      for (std::size_t j = 1; j <= last_column - c; ++j) to[j] -= factor * from[j];
    }
  }
  return true;
}

template <class S>
void banded_equations<S>::solve_in_place(std::span<S> x) const {
  const std::size_t size = matrix_.size(), width = matrix_.width();
  const std::vector<std::size_t>& place = matrix_.place();
  for (std::size_t k = 0; k < size; ++k) ordered_[place[k]] = x[k];
  for (std::size_t c = 0; c < size; ++c) {
    std::swap(ordered_[c], ordered_[swapped_with_[c]]);
    for (std::size_t i = c + 1; i <= std::min(size - 1, c + width); ++i) {
      ordered_[i] -= matrix_.at(i, c) * ordered_[c];
    }
  }
  for (std::size_t c = size; c-- > 0;) {
    const std::size_t last = std::min(size - 1, c + 2 * width);
    for (std::size_t j = c + 1; j <= last; ++j) ordered_[c] -= matrix_.at(c, j) * ordered_[j];
    ordered_[c] /= matrix_.at(c, c);
  }
  for (std::size_t k = 0; k < size; ++k) x[k] = ordered_[place[k]];
}

#define ACTIO_INSTANTIATE(S)       \
  template class banded_matrix<S>; \
  template class banded_equations<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
