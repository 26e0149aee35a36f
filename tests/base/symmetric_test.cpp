#include "actio/base/symmetric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "actio/base/scalar.hpp"

namespace actio {
namespace {

template <class S>
matrix<S> symmetric(std::initializer_list<std::initializer_list<double>> rows) {
  matrix<S> a(rows.size(), rows.size());
  std::size_t i = 0;
  for (const auto& row : rows) {
    std::size_t j = 0;
    for (const double x : row) a(i, j++) = S(x);
    ++i;
  }
  return a;
}

TEST(definiteness_of, tells_the_signs_apart_whatever_the_units) {
  using enum definiteness;
  EXPECT_EQ(definiteness_of(symmetric<double>({{2, 1}, {1, 1}})), positive);
  EXPECT_EQ(definiteness_of(symmetric<double>({{1, -1}, {-1, 1}})), semidefinite);
  EXPECT_EQ(definiteness_of(symmetric<double>({{1, 2}, {2, 1}})), indefinite);
  EXPECT_EQ(definiteness_of(symmetric<double>({{0, 0}, {0, 0}})), semidefinite);
  EXPECT_EQ(definiteness_of(symmetric<double>({{0, 1}, {1, 0}})), indefinite);
  EXPECT_EQ(definiteness_of(symmetric<double>({{1e20, 0}, {0, -1}})), indefinite);
  EXPECT_EQ(definiteness_of(symmetric<double>({{1e20, 0}, {0, 1e-20}})), positive);
  EXPECT_EQ(definiteness_of(symmetric<double>({{1e20, 2}, {2, 1e-20}})), indefinite);
  EXPECT_EQ(definiteness_of(symmetric<quad>({{1, -1, 0}, {-1, 2, -1}, {0, -1, 1}})), semidefinite);
}

// A free chain of soft and stiff springs, in units that differ from one coordinate to the next: singular, to the
// rounding of its entries, which are doubles whatever numbers look at them.
template <class S>
void expect_free_structure(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> exponent(-6, 6);
  matrix<S> k(n, n);
  std::vector<double> unit(n), spring(n);
  for (double& x : unit) x = std::pow(10, exponent(random));
  for (double& x : spring) x = std::pow(10, exponent(random) / 2) / 3;
  matrix<double> in_double(n, n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    in_double(i, i) += spring[i], in_double(i + 1, i + 1) += spring[i];
    in_double(i, i + 1) = in_double(i + 1, i) = -spring[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) k(i, j) = S(in_double(i, j) * (unit[i] * unit[j]));
  }
  EXPECT_NE(definiteness_of(k, epsilon<double>()), definiteness::indefinite) << n << " " << seed;
  k(n / 2, n / 2) *= S(1 - 1e-3);
  EXPECT_EQ(definiteness_of(k, epsilon<double>()), definiteness::indefinite) << n << " " << seed;
}

TEST(definiteness_of, a_free_structure_is_singular_to_rounding) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const std::size_t n : {2U, 3U, 10U, 40U}) {
      expect_free_structure<double>(n, seed);
      expect_free_structure<quad>(n, seed);
    }
  }
  const precision_scope digits(50);
  expect_free_structure<multi>(5, 1);
}

// K x = λ M x and VᵀMV = 1 for matrices made from random numbers.
template <class S>
void expect_modes(std::size_t n, double tolerance) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<double> number(-1, 1);
  matrix<S> r(n, n), k(n, n);
  for (S& x : r.data()) x = S(number(random));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) k(i, j) = k(j, i) = S(number(random));
  }
  matrix<S> m = r * transpose(r);
  for (std::size_t i = 0; i < n; ++i) m(i, i) += S(1);
  const eigen_pairs<S> pairs = generalised_eigen(k, m);
  const matrix<S> kv = k * pairs.vectors, mv = m * pairs.vectors, one = transpose(pairs.vectors) * mv;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_LT(abs(to_double(S(kv(i, j) - pairs.values[j] * mv(i, j)))), tolerance);
      EXPECT_LT(abs(to_double(S(one(i, j) - S(i == j ? 1 : 0)))), tolerance);
    }
    if (i > 0) {
      EXPECT_GE(pairs.values[i], pairs.values[i - 1]);
    }
  }
  const double largest = std::max(abs(to_double(pairs.values[0])), abs(to_double(pairs.values[n - 1])));
  EXPECT_GE(to_double(largest_eigenvalue_bound(k, m)), largest * (1 - 1e-12));
}

TEST(generalised_eigen, solves_the_pair_at_every_scalar) {
  for (std::size_t n = 1; n <= 12; ++n) {
    expect_modes<double>(n, 2e-13);
    expect_modes<quad>(n, 1e-31);
    const precision_scope digits(50);
    expect_modes<multi>(n, 1e-47);
  }
}

}  // namespace
}  // namespace actio
