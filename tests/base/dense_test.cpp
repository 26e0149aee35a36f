#include "actio/base/dense.hpp"

#include <gtest/gtest.h>

#include <random>

#include "actio/base/scalar.hpp"
#include "tests/support/allocations.hpp"

namespace actio {
namespace {

template <class S>
matrix<S> random_matrix(std::size_t rows, std::size_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  matrix<S> m(rows, columns);
  for (S& x : m.data()) x = S(uniform(random)) / S(3);
  return m;
}

template <class S>
S largest(const matrix<S>& m) {
  using std::abs;
  S result = 0;
  for (const S& x : m.data()) result = std::max<S>(result, abs(x));
  return result;
}

template <class S>
class dense : public ::testing::Test {
 protected:
  precision_scope scope_{80};
};
using scalars = ::testing::Types<double, quad, multi>;
TYPED_TEST_SUITE(dense, scalars);

TYPED_TEST(dense, solves_random_systems_to_rounding) {
  using S = TypeParam;
  for (const std::size_t size : {1u, 2u, 3u, 8u, 20u, 45u}) {
    const matrix<S> a = random_matrix<S>(size, size, 3), x = random_matrix<S>(size, 1, 5);
    matrix<S> b = a * x;
    lu_factorisation<S> lu(size);
    ASSERT_TRUE(lu.factorise(a));
    lu.solve_in_place(b.data());
    for (std::size_t i = 0; i < size; ++i) b(i, 0) -= x(i, 0);
    EXPECT_LT(largest(b), epsilon<S>() * S(1e5)) << size;
  }
}

TYPED_TEST(dense, rows_are_exchanged_where_the_diagonal_is_zero) {
  using S = TypeParam;
  matrix<S> a(3, 3);
  a(0, 1) = 2, a(1, 2) = 4, a(2, 0) = 8;
  lu_factorisation<S> lu(3);
  ASSERT_TRUE(lu.factorise(a));
  std::vector<S> x{2, 4, 8};
  lu.solve_in_place(x);
  EXPECT_EQ(x, (std::vector<S>{1, 1, 1}));
  EXPECT_EQ(lu.pivot_ratio(), S(0.25));
}

TYPED_TEST(dense, singular_and_non_finite_matrices_are_refused) {
  using S = TypeParam;
  lu_factorisation<S> lu(2);
  matrix<S> a(2, 2);
  EXPECT_FALSE(lu.factorise(a));
  a(0, 0) = 1, a(0, 1) = 2, a(1, 0) = 2, a(1, 1) = 4;
  EXPECT_FALSE(lu.factorise(a));
  a(1, 1) = std::numeric_limits<S>::quiet_NaN();
  EXPECT_FALSE(lu.factorise(a));
  a(0, 0) = std::numeric_limits<S>::infinity();
  EXPECT_FALSE(lu.factorise(a));
  EXPECT_TRUE(lu.factorise(matrix<S>::identity(2)));
}

TYPED_TEST(dense, products_and_transposes_have_their_shapes_and_values) {
  using S = TypeParam;
  matrix<S> a(2, 3);
  for (std::size_t i = 0; i < 6; ++i) a.data()[i] = S(static_cast<int>(i) + 1);
  const matrix<S> t = transpose(a), p = a * t;
  ASSERT_EQ(t.rows(), 3u);
  ASSERT_EQ(t.columns(), 2u);
  EXPECT_EQ(t(2, 1), S(6));
  ASSERT_EQ(p.rows(), 2u);
  EXPECT_EQ(p(0, 0), S(14));
  EXPECT_EQ(p(0, 1), S(32));
  EXPECT_EQ(p(1, 1), S(77));
}

TEST(dense_memory, factorising_and_solving_doubles_allocates_nothing) {
  for (const std::size_t size : {2u, 20u, 144u}) {
    const matrix<double> a = random_matrix<double>(size, size, 1);
    std::vector<double> x(size, 1.0);
    lu_factorisation<double> lu(size);
    EXPECT_EQ(testing::allocations_in([&] {
                lu.factorise(a);
                lu.solve_in_place(x);
              }),
              0U)
        << size;
  }
}

}  // namespace
}  // namespace actio
