// The functions of the language at every precision, against values from elsewhere, and the same bits at every width.
#include <gtest/gtest.h>

#include <bit>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "actio/backend/backend.hpp"
#include "actio/backend/evaluate.hpp"
#include "actio/expr/piecewise.hpp"
#include "actio/expr/sample_table.hpp"
#include "tests/support/parts.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y");

template <class S>
S value_at(const expr& e, const S& x_value, const S& y_value = S(0)) {
  const std::vector<expr> symbols{x, y};
  const std::vector<S> values{x_value, y_value};
  return evaluate<S>(std::span(&e, 1), symbols, values)[0];
}

template <class S>
class functions_in : public ::testing::Test {
 protected:
  void expect_near(const S& computed, const S& expected, double units = 8) {
    using std::abs;
    EXPECT_LE(abs(computed - expected), S(units) * epsilon<S>() * (S(1) / 100 + abs(expected)))
        << computed << " " << expected;
  }
  precision_scope scope_{50};
};
using scalars = ::testing::Types<double, quad, multi>;
TYPED_TEST_SUITE(functions_in, scalars);

// Bessel functions by their series, the error function by its own: Σ with alternating terms of moderate size.
template <class S>
S bessel_series(int n, const S& at) {
  S term = 1, sum = 0;
  for (int k = 1; k <= n; ++k) term *= at / 2 / k;
  for (int k = 0; k < 200; ++k) {
    sum += term;
    term *= -at * at / 4 / (k + 1) / (k + 1 + n);
  }
  return sum;
}

template <class S>
S erf_series(const S& at) {
  using std::sqrt;
  S power = at, sum = 0;
  for (int k = 0; k < 300; ++k) {
    sum += power / (2 * k + 1);
    power *= -at * at / (k + 1);
  }
  return 2 / sqrt(pi_value<S>()) * sum;
}

TYPED_TEST(functions_in, agree_with_their_series) {
  using S = TypeParam;
  for (const S& at : {S(1) / 7, S(3) / 4, S(2), S(-5) / 4}) {
    this->expect_near(value_at<S>(erf(x), at), erf_series(at), 40);
    for (const unsigned n : {0U, 1U, 2U, 5U}) {
      this->expect_near(value_at<S>(jn(n, x), at), bessel_series(static_cast<int>(n), at), 40);
    }
  }
}

// J_(n−1) + J_(n+1) = (2n/x) J_n, and all of them are those of double, near and far.
TYPED_TEST(functions_in, bessel_functions_near_and_far) {
  using S = TypeParam;
  const auto J = [](int n, const S& at) { return value_at<S>(jn(static_cast<unsigned>(n), x), at); };
  for (const S& at : {S(1) / 9, S(7) / 2, S(31), S(-42), S(30'000)}) {
    for (const int n : {1, 4, 20}) {
      EXPECT_NEAR(to_double(J(n, at)), ::jn(n, to_double(at)), 1e-13) << n << " " << at;
      const S sum = J(n - 1, at) + J(n + 1, at), same = 2 * n * J(n, at) / at;
      this->expect_near(sum, same, std::same_as<S, double> ? 1e5 : 1e4);
    }
  }
  for (const double at : {-3.0, 0.0, 6.5, 40.0}) {
    EXPECT_NEAR(to_double(value_at<S>(erf(x), S(at))), std::erf(at), 1e-15);
  }
}

TYPED_TEST(functions_in, keep_what_cancels) {
  using S = TypeParam;
  const S tiny = epsilon<S>() / 1024;
  this->expect_near(value_at<S>(log1p(x), tiny) / tiny, S(1));
  this->expect_near(value_at<S>(expm1(x), tiny) / tiny, S(1));
  using std::log;
  using std::exp;
  this->expect_near(value_at<S>(log1p(x), S(3)), S(log(S(4))));
  this->expect_near(value_at<S>(expm1(x), S(1)), S(exp(S(1)) - 1));
}

TYPED_TEST(functions_in, do_not_overflow_on_the_way) {
  using S = TypeParam;
  const S large = std::same_as<S, double> ? S(1e300)
                  : std::same_as<S, quad> ? S(1e300) * S(1e300) * S(1e300)
                                          : S(1e300);
  this->expect_near(value_at<S>(hypot(x, y), 3 * large, 4 * large) / large, S(5));
  this->expect_near(value_at<S>(hypot(x, y), 3 / large, 4 / large) * large, S(5));
}

TYPED_TEST(functions_in, choose) {
  using S = TypeParam;
  EXPECT_EQ(value_at<S>(floor(x), S(-7) / 2), S(-4));
  EXPECT_EQ(value_at<S>(floor(x), S(3)), S(3));
  EXPECT_EQ(value_at<S>(step(x), S(0)), S(1));
  EXPECT_EQ(value_at<S>(step(x), -epsilon<S>()), S(0));
  EXPECT_EQ(value_at<S>(min(x, y), S(1) / 3, S(2) / 3), S(1) / 3);
  EXPECT_EQ(value_at<S>(max(x, y), S(1) / 3, S(2) / 3), S(2) / 3);
  EXPECT_EQ(value_at<S>(where(step(x), log(x)), S(-1)), S(0));
  EXPECT_FALSE(is_finite(value_at<S>(step(x), std::numeric_limits<S>::quiet_NaN())));
  EXPECT_FALSE(is_finite(value_at<S>(where(step(x), expr(1)), std::numeric_limits<S>::quiet_NaN())));
}

TEST(functions, agree_with_boost) {
  for (const double at : {-3.0, -0.25, 0.5, 1.75, 6.5}) {
    EXPECT_NEAR(value_at<double>(erf(x), at), boost::math::erf(at), 1e-15);
    EXPECT_NEAR(value_at<double>(jn(0, x), at), boost::math::cyl_bessel_j(0, at), 1e-14);
    EXPECT_NEAR(value_at<double>(jn(1, x), at), boost::math::cyl_bessel_j(1, at), 1e-14);
    EXPECT_NEAR(value_at<double>(jn(3, x), at), boost::math::cyl_bessel_j(3, at), 1e-14);
  }
}

TEST(functions, have_the_same_bits_at_every_width) {
  ACTIO_NEEDS(machine_code);
  std::vector<rational> times, values;
  for (int k = 0; k <= 40; ++k) {
    times.emplace_back(k - 20);
    values.emplace_back(k * k % 17, 5);
  }
  const auto samples = sample_table::make("u", times, values, interpolation::cubic);
  const std::vector<expr> outputs{erf(x),
                                  log1p(x * x),
                                  expm1(x),
                                  hypot(x, y),
                                  jn(0, x),
                                  jn(1, y),
                                  jn(3, x * y),
                                  step(x),
                                  floor(x * 3),
                                  min(x, y * y),
                                  max(x, -y),
                                  mod(x, 2),
                                  clamp(x, -1, y),
                                  expr::signal(samples, x + y),
                                  conditional(is_less(x, y), sqrt(y - x), log(x - y)),
                                  expr::signal(samples, x, 1)};
  const std::vector<expr> symbols{x, y};
  const program p = lower(outputs, {}, symbols);
  const auto compiled = compile<double>(p, backend::machine_code),
             interpreted = compile<double>(p, backend::interpreter);
  std::vector<std::vector<double>> single;
  const auto at_point = [&](std::size_t i) {
    return std::pair(-3.1 + 0.37 * static_cast<double>(i), 1.9 - 0.23 * static_cast<double>(i));
  };
  for (const std::size_t width : {1U, 2U, 3U, 4U, 8U}) {
    const auto machine = compiled->evaluate_at(width), plain = interpreted->evaluate_at(width);
    std::vector<double> in(2 * machine->stride()), out(outputs.size() * machine->stride()), other = out;
    for (std::size_t first = 0; first + width <= 24; first += width) {
      for (std::size_t l = 0; l < width; ++l) {
        in[l] = at_point(first + l).first;
        in[machine->stride() + l] = at_point(first + l).second;
      }
      (*machine)(in.data(), out.data());
      (*plain)(in.data(), other.data());
      for (std::size_t l = 0; l < width; ++l) {
        if (width == 1) single.emplace_back();
        for (std::size_t k = 0; k < outputs.size(); ++k) {
          const double value = out[k * machine->stride() + l], check = other[k * machine->stride() + l];
          if (width == 1) single.back().push_back(value);
          EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(single[first + l][k]))
              << "output " << k << " in " << width << " lanes";
          EXPECT_NEAR(value, check, 4e-15 * (1 + std::abs(check))) << "output " << k;
        }
      }
    }
  }
}

// Also where the quotient is rounded to a whole number or a product to another remainder.
TEST(mod, stays_in_its_range_and_is_the_same_everywhere) {
  const expr left = mod(x, y), of_negative = mod(-x, y), by_number = mod(x, expr(rational(1, 10)));
  const std::vector<expr> outputs{left, of_negative, by_number}, symbols{x, y};
  const program p = lower(outputs, {}, symbols);
  const auto evaluate_by = [&](backend which, double a, double b) {
    const auto evaluation = compile<double>(p, which)->evaluate_at(1);
    std::vector<double> in(2 * evaluation->stride()), out(outputs.size() * evaluation->stride());
    in[0] = a;
    in[evaluation->stride()] = b;
    (*evaluation)(in.data(), out.data());
    return std::vector{out[0], out[evaluation->stride()], out[2 * evaluation->stride()]};
  };
  std::vector<std::pair<double, double>> points{{1, 0.1}, {-1e-20, 1}, {0.3, 0.1},  {5, 3},     {7, 3},
                                                {-7, 3},  {6, 3},      {1e15, 0.7}, {2.1, 0.7}, {-3.5, -0.7}};
  for (int k = 1; k < 200; ++k) points.emplace_back(0.7 * k, 0.7);
  for (const auto& [a, b] : points) {
    const std::vector<double> values = evaluate_by(backend::interpreter, a, b);
    for (const double value : {values[0], values[1]}) {
      EXPECT_GE(value / b, 0) << a << " mod " << b;
      EXPECT_LT(std::abs(value), std::abs(b)) << a << " mod " << b;
    }
    if (testing::part_machine_code().is_there) {
      const std::vector<double> machine = evaluate_by(backend::machine_code, a, b);
      for (std::size_t k = 0; k < values.size(); ++k) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(machine[k]), std::bit_cast<std::uint64_t>(values[k])) << a << " " << b;
      }
    }
  }
  EXPECT_EQ(value_at<double>(left, 7, 3), 1);
  EXPECT_EQ(value_at<double>(left, -7, 3), 2);
  EXPECT_EQ(value_at<double>(left, 5, 3), 2);
}

TEST(power, has_exact_exponents) {
  const expr third = pow(x, expr(rational(1, 3)));
  for (const double base : {1e-300, 1e-150, 3e-7, 0.3, 8.0, 1e12, 1e300}) {
    const double expected = std::cbrt(base);
    EXPECT_NEAR(value_at<double>(third, base), expected, 4e-16 * expected) << base;
  }
  EXPECT_EQ(value_at<double>(third, 0), 0);
  const double quarter = value_at<double>(pow(x, expr(rational(-3, 4))), 16);
  EXPECT_EQ(quarter, 0.125);
}

}  // namespace
}  // namespace actio
