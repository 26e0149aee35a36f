#include "actio/base/sine_cosine.hpp"

#include <gtest/gtest.h>

#include <random>

#include "actio/base/scalar.hpp"
#include "tests/support/allocations.hpp"

namespace actio {
namespace {

// Both ways of calling against MPFR's own, which rounds correctly.
void expect_the_bits_of_mpfr(const multi& x) {
  const auto raw = [](multi& y) { return y.backend().data(); };
  multi s, c, one, other, expected_s, expected_c;
  const mpfr_srcptr argument = x.backend().data();
  sine_and_cosine(raw(s), raw(c), argument);
  sine(raw(one), argument);
  cosine(raw(other), argument);
  mpfr_sin_cos(raw(expected_s), raw(expected_c), argument, MPFR_RNDN);
  if (isnan(expected_s)) {
    EXPECT_TRUE(isnan(s) && isnan(c) && isnan(one) && isnan(other)) << x;
    return;
  }
  EXPECT_EQ(s, expected_s) << x;
  EXPECT_EQ(c, expected_c) << x;
  EXPECT_EQ(one, expected_s) << x;
  EXPECT_EQ(other, expected_c) << x;
}

class sine_cosine_at : public ::testing::TestWithParam<unsigned> {
 protected:
  precision_scope scope_{GetParam()};
};

TEST_P(sine_cosine_at, random_arguments_have_the_bits_of_mpfr) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int k = 0; k < 1500; ++k) {
    multi x = unit(random);
    for (int i = 0; i < 12; ++i) x = ldexp(x, -53) + unit(random);
    expect_the_bits_of_mpfr(ldexp(x, k % 70 - 48));
  }
}

// Around multiples of π/4 results vanish, reach one or change their sign; multiples of 1/512 are the ends of the
// table's intervals.
TEST_P(sine_cosine_at, arguments_at_the_borders_have_the_bits_of_mpfr) {
  const multi pi = pi_value<multi>();
  for (int k = -40; k <= 40; ++k) {
    const multi multiple = pi * k / 4;
    expect_the_bits_of_mpfr(multiple);
    for (const int bits : {20, 60, 100, 180}) {
      expect_the_bits_of_mpfr(multiple + ldexp(multi(1), -bits));
      expect_the_bits_of_mpfr(multiple - ldexp(multi(1), -bits));
    }
  }
  for (int k = 0; k <= 1700; ++k) {
    expect_the_bits_of_mpfr(multi(k) / 512);
    expect_the_bits_of_mpfr(multi(k) / 512 - ldexp(multi(1), -150));
  }
}

TEST_P(sine_cosine_at, extraordinary_arguments_have_the_bits_of_mpfr) {
  const multi infinity = std::numeric_limits<multi>::infinity();
  for (const multi& x : {multi(0), multi(-0.0), infinity, multi(-infinity), std::numeric_limits<multi>::quiet_NaN(),
                         multi(1e30), multi(-1e300), multi("1e-3000"), multi(1048576), multi(1048575.5)}) {
    expect_the_bits_of_mpfr(x);
  }
}

INSTANTIATE_TEST_SUITE_P(digits, sine_cosine_at, ::testing::Values(20u, 38u, 50u, 57u, 64u, 100u, 150u, 215u, 300u));

TEST(sine_cosine, argument_and_result_may_differ_in_precision) {
  multi x, s, expected;
  {
    const precision_scope scope(200);
    x = sqrt(multi(2));
  }
  const precision_scope scope(40);
  sine(s.backend().data(), x.backend().data());
  mpfr_sin(expected.backend().data(), x.backend().data(), MPFR_RNDN);
  EXPECT_EQ(s, expected);
}

TEST(sine_cosine, allocates_nothing) {
  const precision_scope scope(64);
  multi x = multi(2) / 3, s = 0, c = 0;
  const auto both = [&] { sine_and_cosine(s.backend().data(), c.backend().data(), x.backend().data()); };
  both();  // makes the table
  EXPECT_EQ(testing::allocations_in(both), 0u);
}

}  // namespace
}  // namespace actio
