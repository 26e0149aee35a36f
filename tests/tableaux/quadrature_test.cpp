#include "actio/tableaux/quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/base/scalar.hpp"

namespace actio {
namespace {

template <class S>
S power(const S& x, std::size_t exponent) {
  S result = 1;
  for (std::size_t i = 0; i < exponent; ++i) result *= x;
  return result;
}

// ∫₀¹ x^degree dx by the rule, minus 1/(degree + 1).
template <class S>
S monomial_error(const quadrature_rule<S>& rule, std::size_t degree) {
  S sum = 0;
  for (std::size_t i = 0; i < rule.size(); ++i) sum += rule.weights[i] * power(rule.nodes[i], degree);
  return sum - S(1) / S(static_cast<unsigned>(degree + 1));
}

// Exact up to `degree` and not beyond.
template <class S>
void expect_degree_of_exactness(const quadrature_rule<S>& rule, std::size_t degree) {
  using std::abs;
  for (std::size_t d = 0; d <= degree; ++d) {
    EXPECT_LE(abs(monomial_error(rule, d)), 8 * epsilon<S>()) << rule.size() << " points, degree " << d;
  }
  const S next = abs(monomial_error(rule, degree + 1));
  EXPECT_GT(next, 1000 * epsilon<S>()) << rule.size() << " points, degree " << degree + 1;
}

template <class S>
void expect_symmetric_and_increasing(const quadrature_rule<S>& rule) {
  using std::abs;
  const std::size_t n = rule.size();
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_LE(abs(rule.nodes[i] + rule.nodes[n - 1 - i] - S(1)), epsilon<S>() / 2);
    EXPECT_EQ(rule.weights[i], rule.weights[n - 1 - i]);
    EXPECT_GT(rule.weights[i], S(0));
  }
  for (std::size_t i = 1; i < n; ++i) EXPECT_LT(rule.nodes[i - 1], rule.nodes[i]);
  if (n % 2 == 1) {
    EXPECT_EQ(rule.nodes[n / 2], S(0.5));
  }
}

TEST(quadrature, gauss_is_exact_to_its_degree_in_200_digits) {
  const precision_scope scope(200);
  for (const std::size_t n : {1u, 2u, 3u, 4u, 7u, 10u, 16u, 33u, 64u}) {
    const auto rule = gauss_rule<multi>(n);
    expect_degree_of_exactness(rule, 2 * n - 1);
    expect_symmetric_and_increasing(rule);
  }
}

TEST(quadrature, lobatto_is_exact_to_its_degree_in_200_digits) {
  const precision_scope scope(200);
  for (const std::size_t n : {2u, 3u, 4u, 5u, 8u, 11u, 17u, 33u, 64u}) {
    const auto rule = lobatto_rule<multi>(n);
    expect_degree_of_exactness(rule, 2 * n - 3);
    expect_symmetric_and_increasing(rule);
    EXPECT_EQ(rule.nodes.front(), multi(0));
    EXPECT_EQ(rule.nodes.back(), multi(1));
  }
}

TEST(quadrature, every_size_up_to_a_hundred_has_distinct_ordered_nodes) {
  for (std::size_t n = 2; n <= 100; ++n) {
    expect_symmetric_and_increasing(gauss_rule<double>(n));
    expect_symmetric_and_increasing(lobatto_rule<double>(n));
  }
}

TEST(quadrature, lower_precisions_are_roundings_of_higher_ones) {
  const precision_scope scope(80);
  for (const std::size_t n : {2u, 5u, 9u, 20u}) {
    const auto exact = gauss_rule<multi>(n);
    const auto in_quad = gauss_rule<quad>(n);
    const auto in_double = gauss_rule<double>(n);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(in_double.nodes[i], static_cast<double>(exact.nodes[i]));
      EXPECT_EQ(in_double.weights[i], static_cast<double>(exact.weights[i]));
      EXPECT_LE(abs(multi(in_quad.nodes[i]) - exact.nodes[i]), multi(epsilon<quad>()) * exact.nodes[i] / 2);
      EXPECT_LE(abs(multi(in_quad.weights[i]) - exact.weights[i]), multi(epsilon<quad>()) * exact.weights[i] / 2);
    }
  }
}

TEST(quadrature, simpson_is_lobatto_with_three_points) {
  const auto rule = lobatto_rule<double>(3);
  EXPECT_EQ(rule.nodes, (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(rule.weights, (std::vector<double>{1.0 / 6, 2.0 / 3, 1.0 / 6}));
}

TEST(quadrature, gauss_with_two_points_has_its_closed_form) {
  const precision_scope scope(50);
  const auto rule = gauss_rule<multi>(2);
  EXPECT_LE(abs(rule.nodes[0] - (1 - 1 / sqrt(multi(3))) / 2), 2 * epsilon<multi>());
  EXPECT_EQ(rule.weights[0], multi(0.5));
}

TEST(quadrature, the_precision_of_the_process_is_left_alone) {
  const unsigned before = digits_in_use();
  gauss_rule<multi>(5);
  gauss_rule<double>(5);
  EXPECT_EQ(digits_in_use(), before);
}

TEST(lagrange_basis, is_zero_or_one_at_its_nodes) {
  const auto nodes = lobatto_rule<double>(9).nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto basis = lagrange_basis(nodes, nodes[i]);
    for (std::size_t k = 0; k < nodes.size(); ++k) EXPECT_EQ(basis.value[k], i == k ? 1.0 : 0.0);
  }
}

TEST(lagrange_basis, reproduces_polynomials_and_their_derivatives) {
  const precision_scope scope(60);
  const auto nodes = lobatto_rule<multi>(8).nodes;
  for (const multi& x : {multi(0), multi(1), nodes[3], multi(1) / 3, multi(-2), multi(5) / 4}) {
    const auto basis = lagrange_basis(nodes, x);
    for (std::size_t degree = 0; degree < nodes.size(); ++degree) {
      multi value = 0, slope = 0;
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        value += basis.value[k] * power(nodes[k], degree);
        slope += basis.slope[k] * power(nodes[k], degree);
      }
      const multi exact_slope = degree == 0 ? multi(0) : multi(static_cast<int>(degree) * power(x, degree - 1));
      EXPECT_LE(abs(value - power(x, degree)), epsilon<multi>() * 1e8) << degree << " at " << x;
      EXPECT_LE(abs(slope - exact_slope), epsilon<multi>() * 1e8) << degree << " at " << x;
    }
  }
}

TEST(lagrange_basis, partitions_unity_in_double) {
  const auto nodes = gauss_rule<double>(6).nodes;
  for (double x = 0; x <= 1; x += 0.0625) {
    const auto basis = lagrange_basis(nodes, x);
    double value = 0, slope = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      value += basis.value[k];
      slope += basis.slope[k];
    }
    EXPECT_NEAR(value, 1, 1e-14);
    EXPECT_NEAR(slope, 0, 1e-12);
  }
}

TEST(lagrange_basis, of_one_node_is_constant) {
  const auto basis = lagrange_basis(std::vector<double>{0.5}, 3.0);
  EXPECT_EQ(basis.value[0], 1);
  EXPECT_EQ(basis.slope[0], 0);
}

}  // namespace
}  // namespace actio
