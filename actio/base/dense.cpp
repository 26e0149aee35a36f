#include "actio/base/dense.hpp"

#include <cmath>
#include <utility>

#include "actio/base/cpu_clones.hpp"
#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

namespace {

// y[i] -= factor * x[i], without temporaries for MPFR.
template <class S>
ACTIO_ALWAYS_INLINE void subtract_multiple(std::size_t count, const S& factor, const S* __restrict x, S* __restrict y) {
  if constexpr (std::same_as<S, multi>) {
    multi product;
    for (std::size_t i = 0; i < count; ++i) {
      eval_multiply(product.backend(), factor.backend(), x[i].backend());
      eval_subtract(y[i].backend(), product.backend());
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) y[i] -= factor * x[i];
  }
}

template <class S>
std::size_t largest_from(std::size_t first, std::size_t size, const S* column) {
  using std::abs;
  std::size_t best = first;
  S magnitude = abs(column[first]);
  for (std::size_t i = first + 1; i < size; ++i) {
    const S candidate = abs(column[i]);
    if (candidate > magnitude) {
      magnitude = candidate;
      best = i;
    }
  }
  return best;
}

// A = PLU in place, right-looking; the columns of L hold the multipliers below the diagonal.
template <class S>
ACTIO_ALWAYS_INLINE bool factorise_columns(std::size_t n, S* a, std::size_t* swapped_with) {
  using std::swap;
  bool regular = true;
  for (std::size_t k = 0; k < n; ++k) {
    S* const column = a + k * n;
    const std::size_t pivot = swapped_with[k] = largest_from(k, n, column);
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) swap(a[j * n + k], a[j * n + pivot]);
    }
    regular = regular && column[k] != S(0) && is_finite(column[k]);
    if (!regular) return false;
    const S reciprocal = S(1) / column[k];
    for (std::size_t i = k + 1; i < n; ++i) column[i] *= reciprocal;
    for (std::size_t j = k + 1; j < n; ++j) {
      S* const other = a + j * n;
      if (other[k] == S(0)) continue;  // large matrices are mostly zeros
      subtract_multiple(n - k - 1, other[k], column + k + 1, other + k + 1);
    }
  }
  return true;
}

template <class S>
ACTIO_ALWAYS_INLINE void solve_columns(std::size_t n, const S* a, const std::size_t* swapped_with, S* x) {
  using std::swap;
  for (std::size_t k = 0; k < n; ++k) {
    if (swapped_with[k] != k) swap(x[k], x[swapped_with[k]]);
  }
  for (std::size_t k = 0; k < n; ++k) subtract_multiple(n - k - 1, x[k], a + k * n + k + 1, x + k + 1);
  for (std::size_t k = n; k-- > 0;) {
    x[k] /= a[k * n + k];
    subtract_multiple(k, x[k], a + k * n, x);
  }
}

ACTIO_CPU_CLONES bool factorise_doubles(std::size_t n, double* a, std::size_t* swapped_with) {
  return factorise_columns(n, a, swapped_with);
}

ACTIO_CPU_CLONES void solve_doubles(std::size_t n, const double* a, const std::size_t* swapped_with, double* x) {
  solve_columns(n, a, swapped_with, x);
}

}  // namespace

template <class S>
lu_factorisation<S>::lu_factorisation(std::size_t size) : size_(size), factors_(size * size), swapped_with_(size) {}

template <class S>
bool lu_factorisation<S>::factorise(const matrix<S>& a) {
  ACTIO_ASSERT(a.rows() == size_ && a.columns() == size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) factors_[j * size_ + i] = a(i, j);
  }
  if constexpr (std::same_as<S, double>) {
    return factorise_doubles(size_, factors_.data(), swapped_with_.data());
  } else {
    return factorise_columns(size_, factors_.data(), swapped_with_.data());
  }
}

template <class S>
void lu_factorisation<S>::solve_in_place(std::span<S> x) const {
  ACTIO_ASSERT(x.size() == size_);
  if constexpr (std::same_as<S, double>) {
    solve_doubles(size_, factors_.data(), swapped_with_.data(), x.data());
  } else {
    solve_columns(size_, factors_.data(), swapped_with_.data(), x.data());
  }
}

template <class S>
S lu_factorisation<S>::pivot_ratio() const {
  using std::abs;
  if (size_ == 0) return S(1);
  S smallest = abs(factors_[0]), largest = smallest;
  for (std::size_t k = 1; k < size_; ++k) {
    const S pivot = abs(factors_[k * size_ + k]);
    if (pivot < smallest) smallest = pivot;
    if (pivot > largest) largest = pivot;
  }
  return largest == S(0) ? largest : S(smallest / largest);
}

template <class S>
matrix<S> operator*(const matrix<S>& a, const matrix<S>& b) {
  ACTIO_ASSERT(a.columns() == b.rows());
  matrix<S> c(a.rows(), b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t k = 0; k < a.columns(); ++k) {
      for (std::size_t j = 0; j < b.columns(); ++j) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}

template <class S>
matrix<S> transpose(const matrix<S>& a) {
  matrix<S> t(a.columns(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) t(j, i) = a(i, j);
  }
  return t;
}

#define ACTIO_INSTANTIATE(S)                                            \
  template class lu_factorisation<S>;                                   \
  template matrix<S> operator*(const matrix<S>& a, const matrix<S>& b); \
  template matrix<S> transpose(const matrix<S>& a);
ACTIO_FOR_EVERY_NUMBER(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
