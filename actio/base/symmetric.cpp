#include "actio/base/symmetric.hpp"

#include <algorithm>
#include <numeric>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

namespace {

template <class S>
S size_of(const S& x) {
  using std::abs;
  return abs(x);
}

template <class S>
S rounding(std::size_t n) {
  return S(64) * S(static_cast<double>(n)) * epsilon<S>();
}

// One Jacobi rotation that makes a(p, q) zero, gathered in v. A negligible entry is simply cleared.
template <class S>
void rotate(matrix<S>& a, matrix<S>& v, std::size_t p, std::size_t q) {
  using std::sqrt;
  const std::size_t n = a.rows();
  const S apq = a(p, q);
  if (apq == S(0)) return;
  const S ratio = (a(q, q) - a(p, p)) / (S(2) * apq);
  S t(0);
  if (is_finite(S(ratio * ratio))) {
    t = S(1) / (size_of(ratio) + sqrt(S(ratio * ratio + S(1))));
    if (ratio < S(0)) t = -t;
  } else {
    t = S(1) / (S(2) * ratio);
  }
  const S c = S(1) / sqrt(S(t * t + S(1))), s = t * c, tau = s / (S(1) + c);
  a(p, p) -= t * apq;
  a(q, q) += t * apq;
  a(p, q) = a(q, p) = S(0);
  for (std::size_t i = 0; i < n; ++i) {
    if (i != p && i != q) {
      const S x = a(p, i), y = a(q, i);
      a(p, i) = a(i, p) = x - s * (y + tau * x);
      a(q, i) = a(i, q) = y + s * (x - tau * y);
    }
    const S x = v(p, i), y = v(q, i);  // rows of v: the vectors, transposed at the end
    v(p, i) = x - s * (y + tau * x);
    v(q, i) = y + s * (x - tau * y);
  }
}

// Lower triangular L with M = L Lᵀ.
template <class S>
matrix<S> cholesky(const matrix<S>& m) {
  using std::sqrt;
  const std::size_t n = m.rows();
  matrix<S> l(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      S sum = m(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      if (i == j) ACTIO_ASSERT(sum > S(0));
      l(i, j) = i == j ? S(sqrt(sum)) : S(sum / l(j, j));
    }
  }
  return l;
}

}  // namespace

namespace {

// Rows and columns scaled alike so that the diagonal is one, or zero with its row. False where a diagonal entry shows
// that the form takes both signs.
template <class S>
bool scale_to_unit_diagonal(matrix<S>& a) {
  using std::sqrt;
  const std::size_t n = a.rows();
  std::vector<S> scale(n);
  for (std::size_t i = 0; i < n; ++i) {
    S largest(0);
    for (std::size_t j = 0; j < n; ++j) largest = std::max<S>(largest, size_of(a(i, j)));
    if (a(i, i) > S(0)) scale[i] = S(1) / sqrt(std::max<S>(a(i, i), epsilon<S>() * largest));
    else if (largest > S(0)) return false;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a(i, j) *= scale[i] * scale[j];
  }
  return true;
}

// The sign by the pivots of elimination, the largest first. Pivots may be much larger than the eigenvalues that make
// them: what is found to be indefinite may be so by rounding.
template <class S>
definiteness sign_of_pivots(matrix<S> a, const S& noise) {
  using std::swap;
  const std::size_t n = a.rows();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) {
      if (a(i, i) > a(pivot, pivot)) pivot = i;
    }
    if (a(pivot, pivot) <= noise) {  // what remains must be zero, diagonal and all
      for (std::size_t i = k; i < n; ++i) {
        for (std::size_t j = k; j < n; ++j) {
          if (size_of(a(i, j)) > noise) return definiteness::indefinite;
        }
      }
      return definiteness::semidefinite;
    }
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) swap(a(k, j), a(pivot, j));
      for (std::size_t i = 0; i < n; ++i) swap(a(i, k), a(i, pivot));
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      const S factor = a(i, k) / a(k, k);
      for (std::size_t j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return definiteness::positive;
}

}  // namespace

template <class S>
definiteness definiteness_of(const matrix<S>& given, double entry_rounding) {
  const S noise = std::max<S>(rounding<S>(given.rows()), S(64.0 * static_cast<double>(given.rows()) * entry_rounding));
  matrix<S> a = given;
  if (!scale_to_unit_diagonal(a)) return definiteness::indefinite;
  const definiteness found = sign_of_pivots(a, noise);
  if (found != definiteness::indefinite) return found;
  // No eigenvalue is below −noise where the matrix becomes positive when they are raised by so much.
  for (std::size_t i = 0; i < a.rows(); ++i) a(i, i) += noise;
  return sign_of_pivots(a, S(0)) == definiteness::positive ? definiteness::semidefinite : definiteness::indefinite;
}

template <class S>
eigen_pairs<S> symmetric_eigen(matrix<S> a) {
  constexpr int most_sweeps = 60;
  const std::size_t n = a.rows();
  matrix<S> v = matrix<S>::identity(n);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    S outside(0), inside(0);
    for (std::size_t p = 0; p < n; ++p) {
      inside = std::max<S>(inside, size_of(a(p, p)));
      for (std::size_t q = p + 1; q < n; ++q) outside = std::max<S>(outside, size_of(a(p, q)));
    }
    // An off-diagonal entry moves eigenvalues by its square over their distance, at most by itself.
    if (outside <= inside * epsilon<S>() * epsilon<S>() || outside == S(0)) break;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) rotate(a, v, p, q);
    }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) { return a(i, i) < a(j, j); });
  eigen_pairs<S> result{{}, matrix<S>(n, n)};
  for (std::size_t k = 0; k < n; ++k) {
    result.values.push_back(a(order[k], order[k]));
    for (std::size_t i = 0; i < n; ++i) result.vectors(i, k) = v(order[k], i);
  }
  return result;
}

// C = L⁻¹ K L⁻ᵀ, C y = λ y, x = L⁻ᵀ y.
template <class S>
eigen_pairs<S> generalised_eigen(const matrix<S>& k, const matrix<S>& m) {
  const std::size_t n = k.rows();
  const matrix<S> l = cholesky(m);
  matrix<S> c = k;
  const auto reduce_columns = [&] {
    for (std::size_t column = 0; column < n; ++column) {
      for (std::size_t i = 0; i < n; ++i) {
        S sum = c(i, column);
        for (std::size_t j = 0; j < i; ++j) sum -= l(i, j) * c(j, column);
        c(i, column) = sum / l(i, i);
      }
    }
  };
  reduce_columns();
  c = transpose(c);
  reduce_columns();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) c(i, j) = c(j, i) = (c(i, j) + c(j, i)) / S(2);
  }
  eigen_pairs<S> result = symmetric_eigen(std::move(c));
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t i = n; i-- > 0;) {
      S sum = result.vectors(i, column);
      for (std::size_t j = i + 1; j < n; ++j) sum -= l(j, i) * result.vectors(j, column);
      result.vectors(i, column) = sum / l(i, i);
    }
  }
  return result;
}

template <class S>
S largest_eigenvalue_bound(const matrix<S>& k, const matrix<S>& m) {
  const std::size_t n = k.rows();
  lu_factorisation<S> lu(n);
  const bool regular = lu.factorise(m);
  ACTIO_ASSERT(regular);
  std::vector<S> sums(n, S(0)), column(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) column[i] = k(i, j);
    lu.solve_in_place(column);
    for (std::size_t i = 0; i < n; ++i) sums[i] += size_of(column[i]);
  }
  return n == 0 ? S(0) : *std::ranges::max_element(sums);
}

#define ACTIO_INSTANTIATE(S)                                                        \
  template definiteness definiteness_of<S>(const matrix<S>&, double);               \
  template eigen_pairs<S> symmetric_eigen<S>(matrix<S>);                            \
  template eigen_pairs<S> generalised_eigen<S>(const matrix<S>&, const matrix<S>&); \
  template S largest_eigenvalue_bound<S>(const matrix<S>&, const matrix<S>&);
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
