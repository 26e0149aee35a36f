// Histograms and sums that do not depend on the order of what is added.
#include "actio/base/dyadic_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "actio/base/exact_sum.hpp"

namespace actio {
namespace {

std::vector<double> some_values(std::size_t count) {
  std::mt19937_64 bits(5);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (std::size_t k = 0; k < count; ++k) values.push_back(3 + normal(bits) * std::exp(normal(bits)));
  return values;
}

void expect_same(const dyadic_histogram& a, const dyadic_histogram& b) {
  EXPECT_EQ(a.total(), b.total());
  EXPECT_EQ(a.first(), b.first());
  EXPECT_EQ(a.width(), b.width());
  EXPECT_EQ(a.counts(), b.counts());
}

TEST(dyadic_histogram, does_not_depend_on_order_or_parts) {
  std::vector<double> values = some_values(5000);
  dyadic_histogram whole;
  for (const double x : values) whole.add(x);
  std::ranges::sort(values);
  dyadic_histogram parts[3], joined;
  for (std::size_t k = 0; k < values.size(); ++k) parts[k < 10 ? 0 : k < 4000 ? 1 : 2].add(values[k]);
  for (const int k : {2, 0, 1}) joined.add(parts[k]);
  expect_same(whole, joined);
  EXPECT_LE(whole.counts().size(), dyadic_histogram::most_bins);
  EXPECT_GT(whole.counts().size(), dyadic_histogram::most_bins / 2 - 2);
  for (const double part : {0.01, 0.5, 0.9}) {
    const double exact = values[static_cast<std::size_t>(std::ceil(part * 5000)) - 1];
    EXPECT_LE(std::abs(whole.quantile(part) - exact), whole.width() / 2);
  }
  EXPECT_EQ(whole.coarser(64).total(), 5000U);
  EXPECT_LE(whole.coarser(64).counts().size(), 64U);
}

TEST(dyadic_histogram, takes_all_finite_numbers) {
  dyadic_histogram h;
  for (const double x : {0.0, 5e-324, -0.0, 1.0, -1.7e308, 1.7e308}) h.add(x);
  EXPECT_EQ(h.total(), 6U);
  EXPECT_LE(h.counts().size(), dyadic_histogram::most_bins);
  dyadic_histogram same;
  for (int k = 0; k < 3; ++k) same.add(0.1);
  EXPECT_EQ(same.counts(), std::vector<std::uint64_t>{3});
  EXPECT_NEAR(same.quantile(0.5), 0.1, 1e-15);
}

TEST(exact_sum, loses_nothing) {
  exact_sum sum;
  for (const double x : {1e300, 1.0, -1e300, 5e-324, -1.0, 1e-20}) sum.add(x);
  EXPECT_EQ(sum.rounded().value, 1e-20);
  EXPECT_EQ(sum.rounded().remainder, 5e-324);
  std::vector<double> values = some_values(2000);
  exact_sum one, other, more;
  for (const double x : values) one.add(x);
  std::ranges::sort(values);
  for (std::size_t k = 0; k < values.size(); ++k) (k % 3 == 0 ? other : more).add(-values[k]);
  other.add(more);
  EXPECT_EQ(one.rounded().value, -other.rounded().value);
  EXPECT_EQ(one.rounded().remainder, -other.rounded().remainder);
  for (int k = 0; k < 10; ++k) sum.add(-0.1);
  EXPECT_DOUBLE_EQ(sum.rounded().value, -1);
}

}  // namespace
}  // namespace actio
