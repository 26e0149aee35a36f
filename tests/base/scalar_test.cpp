#include "actio/base/scalar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>

#include "tests/support/parts.hpp"

namespace actio {
namespace {

rational ratio(const char* numerator, const char* denominator) {
  return rational(mp::cpp_int(numerator), mp::cpp_int(denominator));
}

rational power_of_two(int exponent) {
  const mp::cpp_int magnitude = mp::cpp_int(1) << std::abs(exponent);
  return exponent < 0 ? rational(1, magnitude) : rational(magnitude);
}

template <class S>
class every_scalar : public ::testing::Test {
 protected:
  precision_scope scope_{60};
};
using scalars = ::testing::Types<double, quad, multi>;
TYPED_TEST_SUITE(every_scalar, scalars);

TYPED_TEST(every_scalar, rationals_are_rounded_to_nearest) {
  using S = TypeParam;
  EXPECT_EQ(from_rational<S>(rational(0)), S(0));
  for (int k = 1; k < 2000; ++k) EXPECT_EQ(from_rational<S>(rational(k)), S(k));
  EXPECT_EQ(from_rational<S>(rational(-3)), S(-3));
  EXPECT_EQ(from_rational<S>(rational(1, 3)), S(1) / S(3));
  EXPECT_EQ(from_rational<S>(rational(-2, 7)), S(-2) / S(7));
  EXPECT_EQ(from_rational<S>(ratio("981", "100")), S(981) / S(100));
}

TYPED_TEST(every_scalar, rationals_with_huge_parts_do_not_overflow) {
  using S = TypeParam;
  const mp::cpp_int huge = pow(mp::cpp_int(10), 9000);
  EXPECT_EQ(from_rational<S>(rational(huge, huge * 4)), S(0.25));
  EXPECT_EQ(from_rational<S>(rational(huge * 3 + 1, huge)), S(3));
}

TYPED_TEST(every_scalar, ties_go_to_even) {
  using S = TypeParam;
  const S unit = epsilon<S>();
  const rational exact_unit = power_of_two(ilogb(unit));
  EXPECT_EQ(from_rational<S>(1 + exact_unit / 2), S(1));
  EXPECT_EQ(from_rational<S>(1 + exact_unit * 3 / 2), S(1) + 2 * unit);
  EXPECT_EQ(from_rational<S>(1 + exact_unit / 2 + exact_unit * exact_unit), S(1) + unit);
  EXPECT_EQ(from_rational<S>(2 - exact_unit / 4), S(2));
}

TYPED_TEST(every_scalar, digits_read_back_as_the_same_number) {
  using S = TypeParam;
  using std::sqrt;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const S scale = S(std::pow(10.0, trial - 100)) / S(3);
    const S value = (S(uniform(random)) + S(uniform(random)) * sqrt(epsilon<S>())) * scale;
    EXPECT_EQ(from_digits<S>(to_digits(value)), value) << to_digits(value);
  }
}

TYPED_TEST(every_scalar, digits_are_plain_numbers) {
  using S = TypeParam;
  EXPECT_EQ(to_digits(S(0)), "0");
  EXPECT_EQ(to_digits(S(-3)), "-3");
  EXPECT_EQ(to_digits(S(0.5)), "0.5");
  EXPECT_EQ(to_digits(S(-1234.0625)), "-1234.0625");
  EXPECT_EQ(to_digits(S(1e22)), "1e+22");
  EXPECT_EQ(to_digits(S(std::ldexp(1.0, -20))), "9.5367431640625e-07");
}

TYPED_TEST(every_scalar, infinities_and_nan_have_names) {
  using S = TypeParam;
  const S infinity = std::numeric_limits<S>::infinity();
  EXPECT_EQ(to_digits(infinity), "inf");
  EXPECT_EQ(to_digits(S(-infinity)), "-inf");
  EXPECT_EQ(to_digits(S(infinity - infinity)), "nan");
  EXPECT_EQ(from_digits<S>("-inf"), -infinity);
  EXPECT_FALSE(is_finite(from_digits<S>("nan")));
  EXPECT_TRUE(is_finite(S(1)));
}

TYPED_TEST(every_scalar, numbers_are_read_in_every_usual_form) {
  using S = TypeParam;
  EXPECT_EQ(from_digits<S>("+12.50"), S(12.5));
  EXPECT_EQ(from_digits<S>(".5"), S(0.5));
  EXPECT_EQ(from_digits<S>("5."), S(5));
  EXPECT_EQ(from_digits<S>("0.00e7"), S(0));
  EXPECT_EQ(from_digits<S>("25E-2"), S(0.25));
  EXPECT_EQ(from_digits<S>("000100"), S(100));
  EXPECT_EQ(from_digits<S>("0.1"), S(1) / S(10));
}

TYPED_TEST(every_scalar, what_is_not_a_number_is_refused) {
  using S = TypeParam;
  for (const char* text : {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "1x", "0x10", " 1", "1 ", "--1", "infinity"}) {
    EXPECT_THROW(from_digits<S>(text), std::invalid_argument) << text;
  }
}

TYPED_TEST(every_scalar, brief_keeps_the_asked_digits) {
  using S = TypeParam;
  EXPECT_EQ(to_brief(S(1) / S(3)), "0.333");
  EXPECT_EQ(to_brief(S(1) / S(3), 5), "0.33333");
  EXPECT_EQ(to_brief(S(2e-12) / S(3)), "6.67e-13");
  EXPECT_EQ(to_brief(S(12)), "12");
}

TYPED_TEST(every_scalar, pi_is_the_half_period) {
  using S = TypeParam;
  using std::abs;
  using std::sin;
  EXPECT_LE(abs(sin(pi_value<S>())), 4 * epsilon<S>());
}

TEST(scalar, doubles_print_shortest) {
  EXPECT_EQ(to_digits(0.1), "0.1");
  EXPECT_EQ(to_digits(1e-5), "1e-05");
  EXPECT_EQ(to_digits(5e-324), "5e-324");
  EXPECT_EQ(to_digits(quad(1) / 10), "0.1");
}

TEST(scalar, doubles_agree_with_the_library_on_random_bits) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(from_digits<double>(to_digits(value)), value);
  }
}

TEST(scalar, subnormal_doubles_are_rounded_once) {
  EXPECT_EQ(from_rational<double>(power_of_two(-1074)), 5e-324);
  EXPECT_EQ(from_rational<double>(power_of_two(-1075)), 0.0);
  EXPECT_EQ(from_rational<double>(power_of_two(-1075) + power_of_two(-1200)), 5e-324);
  EXPECT_EQ(from_rational<double>(power_of_two(-1022) - power_of_two(-1075)), std::ldexp(1.0, -1022));
}

TEST(scalar, doubles_beyond_the_range_are_infinite) {
  EXPECT_EQ(from_rational<double>(power_of_two(1024)), std::numeric_limits<double>::infinity());
  EXPECT_EQ(from_rational<double>(power_of_two(1024) - power_of_two(960)), std::numeric_limits<double>::infinity());
  EXPECT_EQ(from_rational<double>(power_of_two(1024) - power_of_two(971)), std::numeric_limits<double>::max());
  EXPECT_EQ(from_digits<double>("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(from_digits<double>("1e-400"), 0.0);
  EXPECT_EQ(from_digits<double>("-1e999999999999999"), -std::numeric_limits<double>::infinity());
}

TEST(scalar, precision_scope_restores) {
  ACTIO_NEEDS(mpfr);
  const unsigned before = digits_in_use();
  {
    const precision_scope scope(200);
    EXPECT_EQ(digits_in_use(), 200u);
    EXPECT_LT(epsilon<multi>(), from_digits<multi>("1e-199"));
  }
  EXPECT_EQ(digits_in_use(), before);
}

TEST(scalar, precisions_have_names) {
  EXPECT_EQ(to_text(precision::of_double()), "double");
  EXPECT_EQ(to_text(precision::of_quad()), "quad");
  EXPECT_EQ(to_text(precision::of_digits(64)), "64");
}

TEST(scalar, with_scalar_chooses_the_type) {
  const auto digits = [](const precision& p) {
    return with_scalar(p, []<class S>() { return -std::log10(to_double(epsilon<S>())); });
  };
  EXPECT_NEAR(digits(precision::of_double()), 15.65, 0.1);
  EXPECT_NEAR(digits(precision::of_quad()), 33.7, 0.1);
  EXPECT_NEAR(digits(precision::of_digits(100)), 100, 1.5);
}

}  // namespace
}  // namespace actio
