#include "actio/base/saddle_point.hpp"

#include <algorithm>
#include <cmath>

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

template <class S>
saddle_point_solver<S>::saddle_point_solver(std::size_t size)
    : entries_(size, size), scaled_(size, size), row_scale_(size, S(1)), column_scale_(size, S(1)), lu_(size) {}

template <class S>
bool saddle_point_solver<S>::factorise() {
  using std::abs;
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
  for (const S& x : entries_.data()) {
    if (!actio::is_finite(x)) return false;
  }
  return true;
}

template <class S>
void saddle_point_solver<S>::solve_in_place(std::span<S> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= row_scale_[i];
  lu_.solve_in_place(x);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] *= column_scale_[j];
}

#define ACTIO_INSTANTIATE(S) template class saddle_point_solver<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
