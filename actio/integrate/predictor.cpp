#include "actio/integrate/predictor.hpp"

#include <algorithm>

#include "actio/base/snapshot.hpp"

namespace actio {

namespace {

// Higher differences amplify rounding by 2^m, so more digits bear higher orders.
template <class S>
constexpr std::size_t deepest_difference = std::same_as<S, double> ? 9 : std::same_as<S, quad> ? 14 : 24;

}  // namespace

template <class S>
step_predictor<S>::step_predictor(std::size_t coordinates, matrix<S> continuation)
    : coordinates_(coordinates),
      unknowns_(coordinates * continuation.rows()),
      depth_(deepest_difference<S>),
      continuation_(std::move(continuation)),
      differences_(depth_ + 1, std::vector<S>(unknowns_, S(0))),
      continued_(unknowns_, S(0)),
      shifted_(unknowns_, S(0)),
      zero_(unknowns_, S(0)) {}

template <class S>
void step_predictor<S>::clear() {
  count_ = order_ = 0;
  use_polynomial_ = false;
}

template <class S>
void step_predictor<S>::continue_polynomial(std::span<const S> z, std::span<S> next) const {
  const std::size_t s = continuation_.rows(), n = coordinates_;
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t a = 0; a < n; ++a) {
      S sum(0);
      for (std::size_t l = 0; l < s; ++l) sum += continuation_(k, l) * z[l * n + a];
      next[k * n + a] = sum;
    }
  }
}

template <class S>
S step_predictor<S>::distance(std::span<const S> a, std::span<const S> b, std::span<const S> weights) const {
  using std::abs;
  S largest(0);
  for (std::size_t j = 0; j < unknowns_; ++j) {
    const S part = abs(a[j] - b[j]) / weights[j % coordinates_];
    if (part > largest) largest = part;
  }
  return largest;
}

template <class S>
void step_predictor<S>::record(std::span<const S> z, std::span<const S> weights) {
  const S polynomial_error = count_ > 0 ? distance(z, continued_, weights) : S(0);

  // differences_[i] becomes ∇^i of the new sequence; shifted_ carries the old ∇^i.
  std::vector<S>& carry = shifted_;
  std::copy(z.begin(), z.end(), carry.begin());
  const std::size_t known = std::min(count_ + 1, depth_ + 1);
  for (std::size_t i = 0; i < known; ++i) {
    std::swap(differences_[i], carry);
    if (i + 1 < known) {
      for (std::size_t j = 0; j < unknowns_; ++j) carry[j] = differences_[i][j] - carry[j];
    }
  }
  count_ = known;

  S best(0);
  order_ = 0;
  for (std::size_t m = 0; m + 1 < count_; ++m) {  // order m would have missed by ∇^{m+1}
    const S error = distance(differences_[m + 1], zero_, weights);
    if (m == 0 || error < best) {
      best = error;
      order_ = m;
    }
  }
  use_polynomial_ = count_ < 2 || polynomial_error < best;
  continue_polynomial(differences_[0], continued_);
}

template <class S>
void step_predictor<S>::predict(std::span<S> z) const {
  if (use_polynomial_) {
    std::copy(continued_.begin(), continued_.end(), z.begin());
    return;
  }
  std::copy(differences_[order_].begin(), differences_[order_].end(), z.begin());
  for (std::size_t i = order_; i-- > 0;) {
    for (std::size_t j = 0; j < unknowns_; ++j) z[j] += differences_[i][j];
  }
}

template <class S>
std::vector<S> step_predictor<S>::save() const {
  std::vector<S> saved{S(static_cast<int>(count_)), S(static_cast<int>(order_)), S(use_polynomial_ ? 1 : 0)};
  for (std::size_t i = 0; i < count_; ++i) saved.insert(saved.end(), differences_[i].begin(), differences_[i].end());
  return saved;
}

template <class S>
void step_predictor<S>::load(std::span<const S> saved) {
  const double count = saved.size() < 3 ? -1 : to_double(saved[0]), order = saved.size() < 3 ? -1 : to_double(saved[1]);
  const bool fits = count >= 0 && count <= static_cast<double>(depth_ + 1) && order >= 0 &&
                    order <= std::max(0.0, count - 1) && saved.size() == 3 + static_cast<std::size_t>(count) * unknowns_;
  if (!fits) throw snapshot_error("its history does not belong to this method and system");
  count_ = static_cast<std::size_t>(count);
  order_ = static_cast<std::size_t>(order);
  use_polynomial_ = to_double(saved[2]) != 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto part = saved.subspan(3 + i * unknowns_, unknowns_);
    std::copy(part.begin(), part.end(), differences_[i].begin());
  }
  if (count_ > 0) continue_polynomial(differences_[0], continued_);
}

#define ACTIO_INSTANTIATE(S) template class step_predictor<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)

}  // namespace actio
