#include "actio/base/compensated.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "actio/base/scalar.hpp"

namespace actio {
namespace {

TEST(compensated, a_million_tenths_make_a_hundred_thousand) {
  compensated<double> sum;
  double plain = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    sum.add(0.1);
    plain += 0.1;
  }
  const auto exact = static_cast<double>(quad(0.1) * 1'000'000);
  EXPECT_NE(plain, exact);
  EXPECT_EQ(sum.value, exact);
}

TEST(compensated, the_remainder_holds_what_the_value_cannot) {
  compensated<double> sum(1.0);
  sum.add(1e-20);
  EXPECT_EQ(sum.value, 1.0);
  EXPECT_EQ(sum.remainder, 1e-20);
  sum.add(1e-16);
  EXPECT_EQ(sum.value, 1.0);
  EXPECT_EQ(sum.remainder, 1e-16 + 1e-20);
}

TEST(compensated, an_increment_may_be_larger_than_the_sum) {
  compensated<double> sum(1.0);
  sum.add(1e17);
  EXPECT_EQ(sum.value, 1e17);
  EXPECT_EQ(sum.remainder, 1.0);
}

TEST(compensated, works_at_every_precision) {
  const precision_scope scope(50);
  compensated<multi> sum(multi(1));
  const multi increment = epsilon<multi>() / 8;
  for (int i = 0; i < 8; ++i) sum.add(increment);
  EXPECT_EQ(sum.value, 1 + epsilon<multi>());
  compensated<quad> narrow(quad(1));
  for (int i = 0; i < 8; ++i) narrow.add(epsilon<quad>() / 8);
  EXPECT_EQ(narrow.value, 1 + epsilon<quad>());
}

TEST(compensated, vectors_add_like_their_entries) {
  compensated_vector<double> sums({1.0, 2.0});
  compensated<double> first(1.0);
  for (int i = 0; i < 1000; ++i) {
    sums.add(0, 1e-17);
    first.add(1e-17);
  }
  EXPECT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0], first.value);
  EXPECT_EQ(sums.remainder[0], first.remainder);
  EXPECT_EQ(sums[1], 2.0);
}

}  // namespace
}  // namespace actio
