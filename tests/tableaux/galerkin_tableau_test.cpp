#include "actio/tableaux/galerkin_tableau.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "actio/base/scalar.hpp"
#include "actio/tableaux/quadrature.hpp"

namespace actio {
namespace {

const std::vector<galerkin_scheme> schemes = {
    {1, node_family::gauss, 1},    {1, node_family::lobatto, 2},   {2, node_family::lobatto, 3},
    {3, node_family::gauss, 3},    {4, node_family::gauss, 6},     {8, node_family::lobatto, 9},
    {1, node_family::left_end, 1}, {1, node_family::right_end, 1}, {20, node_family::gauss, 20},
};

template <class S>
class tableau : public testing::Test {
 protected:
  precision_scope scope_{60};
};
using scalars = testing::Types<double, quad, multi>;
TYPED_TEST_SUITE(tableau, scalars);

TYPED_TEST(tableau, has_the_shapes_of_its_scheme) {
  using S = TypeParam;
  for (const galerkin_scheme& scheme : schemes) {
    const auto t = make_tableau<S>(scheme);
    EXPECT_EQ(t.control.size(), scheme.degree + 1);
    EXPECT_EQ(t.control.front(), S(0));
    EXPECT_EQ(t.control.back(), S(1));
    EXPECT_EQ(t.node.size(), scheme.points);
    EXPECT_EQ(t.weight.size(), scheme.points);
    for (const auto* by_point : {&t.value, &t.slope}) {
      EXPECT_EQ(by_point->head.rows(), scheme.points);
      EXPECT_EQ(by_point->tail.columns(), scheme.degree + 1);
    }
    for (const auto* by_slot : {&t.weighted_value, &t.weighted_slope}) {
      EXPECT_EQ(by_slot->head.rows(), scheme.degree + 1);
      EXPECT_EQ(by_slot->tail.columns(), scheme.points);
    }
  }
}

TYPED_TEST(tableau, values_are_the_identity_on_their_own_lobatto_points) {
  using S = TypeParam;
  for (std::size_t degree = 1; degree <= 10; ++degree) {
    const auto t = make_tableau<S>({degree, node_family::lobatto, degree + 1});
    for (std::size_t i = 0; i <= degree; ++i) {
      for (std::size_t k = 0; k <= degree; ++k) {
        EXPECT_EQ(t.value.head(i, k), S(i == k ? 1 : 0));
        EXPECT_EQ(t.value.tail(i, k), S(0));
      }
    }
  }
}

// Σ_j a_ij c_j^k = c_i^(k+1)/(k+1) for k < points, which defines a_ij.
TYPED_TEST(tableau, stages_integrate_polynomials) {
  using S = TypeParam;
  using std::abs;
  for (const std::size_t points : {1U, 2U, 3U, 5U, 8U, 12U}) {
    const auto t = make_gauss_collocation<S>(points);
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t k = 0; k < points; ++k) {
        S sum(0), beyond(0), power(1), next(1);
        for (std::size_t j = 0; j < points; ++j) {
          S c(1);
          for (std::size_t e = 0; e < k; ++e) c *= t.node[j];
          sum += t.stages.head(i, j) * c;
          beyond += t.extension(i, j) * c;
        }
        for (std::size_t e = 0; e < k; ++e) {
          power *= t.node[i];
          next *= S(1) + t.node[i];
        }
        const S reached = power * t.node[i] / S(static_cast<int>(k + 1));
        EXPECT_LT(abs(S(sum - reached)), S(8) * epsilon<S>());
        S size(0);
        for (std::size_t j = 0; j < points; ++j) size += abs(t.extension(i, j));
        EXPECT_LT(abs(S(beyond - next)), S(4) * size * epsilon<S>());
      }
    }
  }
}

TYPED_TEST(tableau, a_quarter_leaves_no_remainder) {
  const auto t = make_gauss_collocation<TypeParam>(2);
  EXPECT_EQ(t.stages.head(0, 0), TypeParam(0.25));
  EXPECT_EQ(t.stages.tail(0, 0), TypeParam(0));
  EXPECT_NE(t.stages.tail(0, 1), TypeParam(0));
}

TYPED_TEST(tableau, one_sided_rules_sample_an_end) {
  using S = TypeParam;
  const auto left = make_tableau<S>({1, node_family::left_end, 1});
  const auto right = make_tableau<S>({1, node_family::right_end, 1});
  EXPECT_EQ(left.node[0], S(0));
  EXPECT_EQ(right.node[0], S(1));
  EXPECT_EQ(left.weight[0], S(1));
  EXPECT_EQ(left.value.head(0, 0), S(1));
  EXPECT_EQ(right.value.head(0, 1), S(1));
  for (const auto& t : {left, right}) {
    EXPECT_EQ(t.slope.head(0, 0), S(-1));
    EXPECT_EQ(t.slope.head(0, 1), S(1));
  }
}

// Time reversal exchanges slot k with slot s-k and node i with node n-1-i, to the last bit.
TYPED_TEST(tableau, is_exactly_symmetric) {
  using S = TypeParam;
  for (const galerkin_scheme& scheme : schemes) {
    if (scheme.quadrature == node_family::left_end || scheme.quadrature == node_family::right_end) continue;
    const auto t = make_tableau<S>(scheme);
    for (std::size_t i = 0; i < t.points; ++i) {
      for (std::size_t k = 0; k <= t.degree; ++k) {
        const std::size_t j = t.points - 1 - i, m = t.degree - k;
        EXPECT_EQ(t.value.head(i, k), t.value.head(j, m));
        EXPECT_EQ(t.slope.head(i, k), -t.slope.head(j, m));
        EXPECT_EQ(t.weighted_slope.head(k, i), -t.weighted_slope.head(m, j));
      }
    }
  }
}

TYPED_TEST(tableau, tails_are_below_half_a_unit_of_their_heads) {
  using S = TypeParam;
  using std::abs;
  for (const galerkin_scheme& scheme : schemes) {
    const auto t = make_tableau<S>(scheme);
    for (const auto* c : {&t.weights, &t.value, &t.slope, &t.weighted_value, &t.weighted_slope}) {
      for (std::size_t i = 0; i < c->head.data().size(); ++i) {
        EXPECT_LE(abs(c->tail.data()[i]), abs(c->head.data()[i]) * epsilon<S>() / 2);
      }
    }
  }
}

// head + tail against the same coefficients at a precision that holds both.
template <class S>
void expect_double_accuracy(const split_coefficients<S>& narrow, const split_coefficients<multi>& wide) {
  const multi tolerance = multi(epsilon<S>()) * multi(epsilon<S>());
  for (std::size_t i = 0; i < narrow.head.data().size(); ++i) {
    const multi sum = multi(narrow.head.data()[i]) + multi(narrow.tail.data()[i]);
    const multi exact = wide.head.data()[i];
    EXPECT_LE(abs(sum - exact), tolerance * abs(exact));
  }
}

template <class S>
void expect_split_of_all(const galerkin_scheme& scheme) {
  const auto narrow = make_tableau<S>(scheme);
  const precision_scope scope(120);
  const auto wide = make_tableau<multi>(scheme);
  expect_double_accuracy(narrow.weights, wide.weights);
  expect_double_accuracy(narrow.value, wide.value);
  expect_double_accuracy(narrow.slope, wide.slope);
  expect_double_accuracy(narrow.weighted_value, wide.weighted_value);
  expect_double_accuracy(narrow.weighted_slope, wide.weighted_slope);
}

TYPED_TEST(tableau, head_and_tail_make_the_exact_coefficient) {
  using S = TypeParam;
  if constexpr (std::same_as<S, multi> && !has_mpfr) {
    GTEST_SKIP() << "this build has no MPFR";
  } else if constexpr (std::same_as<S, multi>) {
    const precision_scope scope(40);
    const auto narrow = make_tableau<multi>({4, node_family::gauss, 6});
    const precision_scope wider(120);
    const auto wide = make_tableau<multi>({4, node_family::gauss, 6});
    for (std::size_t i = 0; i < wide.slope.head.data().size(); ++i) {
      const multi sum = S(narrow.slope.head.data()[i], 120u) + S(narrow.slope.tail.data()[i], 120u);
      EXPECT_LE(abs(sum - wide.slope.head.data()[i]), multi("1e-79"));
    }
  } else {
    for (const galerkin_scheme& scheme : schemes) expect_split_of_all<S>(scheme);
  }
}

TYPED_TEST(tableau, weights_add_up_over_slots) {
  using S = TypeParam;
  using std::abs;
  for (const galerkin_scheme& scheme : schemes) {
    const auto t = make_tableau<S>(scheme);
    for (std::size_t i = 0; i < t.points; ++i) {
      S values = 0, slopes = 0;
      for (std::size_t k = 0; k <= t.degree; ++k) {
        values += t.weighted_value.head(k, i);
        slopes += t.weighted_slope.head(k, i);
      }
      EXPECT_LE(abs(values - t.weight[i]), 4 * epsilon<S>());
      EXPECT_LE(abs(slopes), 400 * epsilon<S>());
    }
  }
}

#ifndef ACTIO_NO_THREADS
TEST(tableau_threads, other_threads_keep_their_precision) {
  const precision_scope scope(50);
  const unsigned digits = digits_in_use();
  const auto reference = make_tableau<multi>({6, node_family::gauss, 6});
  std::vector<std::thread> threads;
  std::vector<int> agrees(4, 0);
  for (std::size_t i = 0; i < agrees.size(); ++i) {
    threads.emplace_back([&agrees, &reference, digits, i] {
      const auto t = make_tableau<multi>({6, node_family::gauss, 6});
      make_tableau<double>({6, node_family::gauss, 6});
      agrees[i] = t.slope.head(2, 3) == reference.slope.head(2, 3) && digits_in_use() == digits;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(agrees, std::vector<int>(4, 1));
}
#endif

TEST(tableau_simpson, is_the_one_of_the_papers) {
  const auto t = make_tableau<double>({2, node_family::lobatto, 3});
  const std::vector<double> slopes = {-3, 4, -1, -1, 0, 1, 1, -4, 3};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(t.slope.head.data()[i], slopes[i]);
  EXPECT_EQ(t.weights.head(0, 1), 2.0 / 3);
}

}  // namespace
}  // namespace actio
