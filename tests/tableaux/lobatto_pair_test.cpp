#include "actio/tableaux/lobatto_pair.hpp"

#include <gtest/gtest.h>

#include "actio/base/scalar.hpp"

namespace actio {
namespace {

// [hairer2006, Section II.2.2]
TEST(lobatto_pair, of_two_and_three_stages_are_the_known_ones) {
  const auto two = make_lobatto_pair<double>(2);
  EXPECT_EQ(two.position.head(0, 0), 0);
  EXPECT_EQ(two.position.head(1, 0), 0.5);
  EXPECT_EQ(two.position.head(1, 1), 0.5);
  EXPECT_EQ(two.momentum.head(0, 0), 0.5);
  EXPECT_EQ(two.momentum.head(0, 1), 0);
  EXPECT_EQ(two.momentum.head(1, 0), 0.5);
  EXPECT_EQ(two.momentum.head(1, 1), 0);
  const auto three = make_lobatto_pair<double>(3);
  const double a[3][3] = {{0, 0, 0}, {5. / 24, 1. / 3, -1. / 24}, {1. / 6, 2. / 3, 1. / 6}};
  const double b[3][3] = {{1. / 6, -1. / 6, 0}, {1. / 6, 1. / 3, 0}, {1. / 6, 5. / 6, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_DOUBLE_EQ(three.position.head(i, j), a[i][j]);
      EXPECT_DOUBLE_EQ(three.momentum.head(i, j), b[i][j]);
    }
  }
}

template <class S>
void expect_conditions(double tolerance) {
  for (std::size_t s = 2; s <= 5; ++s) {
    const auto pair = make_lobatto_pair<S>(s);
    const auto whole = [](const split_coefficients<S>& c, std::size_t i, std::size_t j) {
      return S(c.head(i, j) + c.tail(i, j));
    };
    for (std::size_t i = 0; i < s; ++i) {
      const S b = whole(pair.weights, 0, i);
      EXPECT_EQ(pair.position.head(s - 1, i), pair.weights.head(0, i));  // the last stage is the end
      for (std::size_t j = 0; j < s; ++j) {
        const S defect = b * whole(pair.momentum, i, j) + whole(pair.weights, 0, j) * (whole(pair.position, j, i) - b);
        EXPECT_LT(std::abs(to_double(defect)), tolerance) << s;
      }
      S power(1);
      for (std::size_t k = 1; k <= s; ++k) {  // collocation: Σ_j a_ij c_j^{k−1} = c_i^k / k
        S sum(0);
        for (std::size_t j = 0; j < s; ++j) {
          S c(1);
          for (std::size_t m = 1; m < k; ++m) c *= pair.node[j];
          sum += whole(pair.position, i, j) * c;
        }
        power *= pair.node[i];
        EXPECT_LT(std::abs(to_double(S(sum - power / S(static_cast<double>(k))))), tolerance) << s << " " << k;
      }
    }
  }
}

TEST(lobatto_pair, meets_its_definition_in_every_precision) {
  expect_conditions<double>(4e-16);
  expect_conditions<quad>(4e-34);
  const precision_scope digits(50);
  expect_conditions<multi>(1e-49);
}

}  // namespace
}  // namespace actio
