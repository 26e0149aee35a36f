#include "actio/base/saddle_point.hpp"

#include <algorithm>
#include <cmath>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

namespace {

// The power of two that brings `size` to the order of one; 1 for nothing.
template <class S>
S scale_of(const S& size) {
  using std::frexp;
  using std::ldexp;
  if (!(size > S(0)) || !is_finite(size)) return S(1);
  int exponent = 0;
  frexp(size, &exponent);
  return ldexp(S(1), -exponent);
}

}  // namespace

bool is_worth_sparse(std::span<const std::uint32_t> group) {
  constexpr std::size_t most_dense = 24;  // unknowns
  if (group.size() <= most_dense) return false;
  std::vector<std::size_t> members(std::ranges::max(group) + std::size_t{1}, 0);
  for (const std::uint32_t g : group) ++members[g];
  return 3 * std::ranges::max(members) <= group.size();
}

template <class S>
saddle_point_solver<S>::saddle_point_solver(std::size_t size)
    : size_(size),
      entries_(size, size),
      scaled_(size, size),
      row_scale_(size, S(1)),
      column_scale_(size, S(1)),
      lu_(size) {}

template <class S>
saddle_point_solver<S>::saddle_point_solver(sparse_pattern groups)
    : saddle_point_solver(is_worth_sparse(groups.order.group) ? 0 : groups.size) {
  if (!is_worth_sparse(groups.order.group)) return;
  size_ = groups.size;
  recorded_ = std::move(groups);
}

template <class S>
void saddle_point_solver<S>::set_zero() {
  next_ = 0;
  if (is_sparse()) return;
  entries_.set_zero();
}

template <class S>
void saddle_point_solver<S>::record(std::size_t row, std::size_t column, const S& value) {
  recorded_.add(row, column);
  recorded_values_.push_back(value);
}

template <class S>
std::optional<std::size_t> saddle_point_solver<S>::undetermined() const {
  return sparse_ ? std::optional(sparse_->undetermined()) : std::nullopt;
}

template <class S>
bool saddle_point_solver<S>::factorise() {
  using std::abs;
  if (recorded_.size > 0) {
    sparse_.emplace(std::move(recorded_));
    recorded_ = {};
    std::ranges::copy(recorded_values_, sparse_->entries().begin());
    next_ = recorded_values_.size();
    recorded_values_ = {};
  }
  if (sparse_) {
    ACTIO_ASSERT(next_ == sparse_->entries().size());
    return sparse_->factorise();
  }
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    S largest(0);
    for (std::size_t j = 0; j < n; ++j) largest = std::max<S>(largest, abs(entries_(i, j)));
    row_scale_[i] = scale_of(largest);
    for (std::size_t j = 0; j < n; ++j) scaled_(i, j) = entries_(i, j) * row_scale_[i];
  }
  for (std::size_t j = 0; j < n; ++j) {
    S largest(0);
    for (std::size_t i = 0; i < n; ++i) largest = std::max<S>(largest, abs(scaled_(i, j)));
    column_scale_[j] = scale_of(largest);
    for (std::size_t i = 0; i < n; ++i) scaled_(i, j) *= column_scale_[j];
  }
  return lu_.factorise(scaled_);
}

template <class S>
bool saddle_point_solver<S>::is_finite() const {
  if (sparse_) return sparse_->is_finite();
  for (const S& x : entries_.data()) {
    if (!actio::is_finite(x)) return false;
  }
  return true;
}

template <class S>
void saddle_point_solver<S>::solve_in_place(std::span<S> x) const {
  if (sparse_) return sparse_->solve_in_place(x);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= row_scale_[i];
  lu_.solve_in_place(x);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] *= column_scale_[j];
}

#define ACTIO_INSTANTIATE(S) template class saddle_point_solver<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
