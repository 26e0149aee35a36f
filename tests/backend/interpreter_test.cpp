#include "actio/backend/interpreter/interpreter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "actio/backend/evaluate.hpp"
#include "tests/support/allocations.hpp"

namespace actio {
namespace {

const expr x = expr::symbol("x"), y = expr::symbol("y"), a = expr::symbol("a"), b = expr::symbol("b");

template <class S>
S value_at(const expr& e, const S& x_value, const S& y_value = S(0)) {
  const std::vector<expr> symbols{x, y};
  const std::vector<S> values{x_value, y_value};
  return evaluate<S>(std::span(&e, 1), symbols, values)[0];
}

template <class S>
class interpreter_in : public ::testing::Test {
 protected:
  void expect_near(const S& computed, const S& expected) {
    using std::abs;
    EXPECT_LE(abs(computed - expected), 4 * epsilon<S>() * (S(1) + abs(expected))) << computed << " " << expected;
  }
  precision_scope scope_{60};
};
using scalars = ::testing::Types<double, quad, multi>;
TYPED_TEST_SUITE(interpreter_in, scalars);

TYPED_TEST(interpreter_in, arithmetic_is_that_of_the_scalar) {
  using S = TypeParam;
  const S p = S(1) / S(3), q = S(-7) / S(11);
  EXPECT_EQ(value_at<S>(x + y, p, q), p + q);
  EXPECT_EQ(value_at<S>(x - y, p, q), p - q);
  EXPECT_EQ(value_at<S>(x * y, p, q), p * q);
  EXPECT_EQ(value_at<S>(x / y, p, q), p / q);
  EXPECT_EQ(value_at<S>(-x, p), -p);
  EXPECT_EQ(value_at<S>(abs(x), q), -q);
  EXPECT_EQ(value_at<S>(abs(x), p), p);
}

TYPED_TEST(interpreter_in, sign_is_minus_one_zero_or_one) {
  using S = TypeParam;
  EXPECT_EQ(value_at<S>(sign(x), S(-0.25)), S(-1));
  EXPECT_EQ(value_at<S>(sign(x), S(0)), S(0));
  EXPECT_EQ(value_at<S>(sign(x), S(9)), S(1));
  EXPECT_FALSE(is_finite(value_at<S>(sign(x), std::numeric_limits<S>::quiet_NaN())));
}

TYPED_TEST(interpreter_in, functions_satisfy_their_identities) {
  using S = TypeParam;
  const S t = S(5) / S(7);
  this->expect_near(value_at<S>(sin(x) * sin(x) + cos(x) * cos(x), t), S(1));
  this->expect_near(value_at<S>(tan(x) - sin(x) / cos(x), t), S(0));
  this->expect_near(value_at<S>(exp(log(x)), t), t);
  this->expect_near(value_at<S>(asin(sin(x)), t), t);
  this->expect_near(value_at<S>(acos(cos(x)), t), t);
  this->expect_near(value_at<S>(atan(tan(x)), t), t);
  this->expect_near(value_at<S>(cosh(x) * cosh(x) - sinh(x) * sinh(x), t), S(1));
  this->expect_near(value_at<S>(tanh(x) - sinh(x) / cosh(x), t), S(0));
  this->expect_near(value_at<S>(exp(x) - cosh(x) - sinh(x), t), S(0));
  this->expect_near(value_at<S>(sqrt(x) * sqrt(x), t), t);
  this->expect_near(value_at<S>(pow(x, y) - exp(y * log(x)), t, S(3) / S(2)), S(0));
  this->expect_near(value_at<S>(pow(x, decimal("0.3")) - exp(decimal("0.3") * log(x)), t), S(0));
}

TYPED_TEST(interpreter_in, functions_have_their_known_values) {
  using S = TypeParam;
  const S pi = pi_value<S>();
  this->expect_near(value_at<S>(sin(x), pi / 6), S(0.5));
  this->expect_near(value_at<S>(cos(x), pi / 3), S(0.5));
  this->expect_near(value_at<S>(tan(x), pi / 4), S(1));
  this->expect_near(value_at<S>(asin(x), S(0.5)), pi / 6);
  this->expect_near(value_at<S>(acos(x), S(0.5)), pi / 3);
  this->expect_near(value_at<S>(atan(x), S(1)), pi / 4);
  this->expect_near(value_at<S>(atan2(y, x), S(-1), S(-1)), -3 * pi / 4);
  this->expect_near(value_at<S>(atan2(y, x), S(0), S(2)), pi / 2);
  this->expect_near(value_at<S>(exp(x), S(0)), S(1));
  this->expect_near(value_at<S>(sinh(x), S(0)), S(0));
}

TYPED_TEST(interpreter_in, numbers_and_pi_have_the_precision_of_the_scalar) {
  using S = TypeParam;
  EXPECT_EQ(value_at<S>(decimal("0.1"), S(0)), S(1) / S(10));
  EXPECT_EQ(value_at<S>(decimal("9.81") * x, S(1)), S(981) / S(100));
  EXPECT_EQ(value_at<S>(expr::pi(), S(0)), pi_value<S>());
}

TYPED_TEST(interpreter_in, integer_and_half_integer_powers_are_products) {
  using S = TypeParam;
  const S p = S(7) / S(5);
  S product = 1;
  for (int n = 1; n <= 20; ++n) {
    product *= p;
    using std::abs;
    EXPECT_LE(abs(value_at<S>(pow(x, n), p) / product - 1), n * epsilon<S>()) << n;
    EXPECT_LE(abs(value_at<S>(pow(x, -n), p) * product - 1), n * epsilon<S>()) << n;
  }
  EXPECT_EQ(value_at<S>(pow(x, 3), S(-2)), S(-8));
  EXPECT_EQ(value_at<S>(pow(x, expr(3) / 2), S(4)), S(8));
  EXPECT_EQ(value_at<S>(pow(x, expr(-1) / 2), S(4)), S(0.5));
  EXPECT_EQ(value_at<S>(pow(x, expr(-5) / 2), S(4)), S(1) / S(32));
  EXPECT_EQ(value_at<S>(pow(x, 5), S(0)), S(0));
}

// A mixture of every kind of operation.
std::vector<expr> mixture() {
  const expr u = x * x + y * sin(x) - a, v = sqrt(u * u + 1) / (2 + cos(y));
  return {u,
          v,
          pow(v, 7) + atan2(x, y) * b,
          exp(-v) * log(2 + x * x),
          abs(u) - sign(v) * tanh(x * b),
          x,
          a,
          expr(3),
          pow(v, b) + tan(u) - asin(x / 10) + acos(y / 10) * atan(u) + sinh(x / 3) * cosh(y / 3)};
}

template <class S>
void expect_batches_equal_single_points(std::size_t most) {
  const auto function = interpret<S>(lower(mixture(), std::vector{a, b}, std::vector{x, y}));
  const std::vector<S> parameters{S(1) / S(3), S(5) / S(4)};
  const std::size_t outputs = function->outputs();
  const auto single = function->evaluate_at(1);
  single->set_parameters(parameters);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (std::size_t points = 1; points <= most; ++points) {
    const auto batch = function->evaluate_at(points);
    batch->set_parameters(parameters);
    const std::size_t stride = batch->stride();
    ASSERT_GE(stride, points);
    ASSERT_EQ(batch->points(), points);
    std::vector<S> in(2 * stride, std::numeric_limits<S>::quiet_NaN()), out(outputs * stride);
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t l = 0; l < points; ++l) in[k * stride + l] = S(uniform(random)) / S(3);
    }
    (*batch)(in.data(), out.data());
    for (std::size_t l = 0; l < points; ++l) {
      const std::vector<S> one{in[l], in[stride + l]};
      std::vector<S> expected(outputs);
      (*single)(one.data(), expected.data());
      for (std::size_t k = 0; k < outputs; ++k) EXPECT_EQ(out[k * stride + l], expected[k]) << points << " " << l;
    }
  }
}

TYPED_TEST(interpreter_in, batches_equal_single_points_bit_for_bit) {
  expect_batches_equal_single_points<TypeParam>(std::same_as<TypeParam, double> ? 17 : 5);
}

TYPED_TEST(interpreter_in, parameters_can_change) {
  using S = TypeParam;
  const std::vector outputs{sin(a) * x + b * b, a};
  const auto function = interpret<S>(lower(outputs, std::vector{a, b}, std::vector{x}));
  const auto at = function->evaluate_at(1);
  for (const int value : {1, 2, -3}) {
    using std::sin;
    const std::vector<S> parameters{S(value), S(value + 1)};
    at->set_parameters(parameters);
    const S in = S(2);
    S out[2];
    (*at)(&in, out);
    EXPECT_EQ(out[0], S(sin(S(value)) * S(2) + S(value + 1) * S(value + 1)));
    EXPECT_EQ(out[1], S(value));
  }
}

TYPED_TEST(interpreter_in, outputs_may_be_constants_variables_and_repeated) {
  using S = TypeParam;
  const std::vector<expr> outputs{expr(0), expr(1) / 3, y, a, y, expr::pi()};
  const auto function = interpret<S>(lower(outputs, std::vector{a}, std::vector{x, y}));
  const auto at = function->evaluate_at(3);
  const S parameter = S(7);
  at->set_parameters({&parameter, 1});
  const std::size_t stride = at->stride();
  std::vector<S> in(2 * stride), out(outputs.size() * stride);
  for (std::size_t l = 0; l < 3; ++l) in[stride + l] = S(static_cast<int>(l));
  (*at)(in.data(), out.data());
  for (std::size_t l = 0; l < 3; ++l) {
    const S lane = S(static_cast<int>(l));
    const std::vector<S> expected{S(0), S(1) / S(3), lane, S(7), lane, pi_value<S>()};
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(out[k * stride + l], expected[k]);
  }
}

TEST(interpreter, describes_itself) {
  const auto function = interpret<double>(lower(std::vector{x + a}, std::vector{a, b}, std::vector{x}));
  EXPECT_EQ(function->parameters(), 2u);
  EXPECT_EQ(function->inputs(), 1u);
  EXPECT_EQ(function->outputs(), 1u);
}

TEST(interpreter, evaluations_are_independent) {
  const auto function = interpret<double>(lower(std::vector{x * a}, std::vector{a}, std::vector{x}));
  const auto first = function->evaluate_at(1), second = function->evaluate_at(1);
  const double two = 2, three = 3, in = 5;
  first->set_parameters({&two, 1});
  second->set_parameters({&three, 1});
  double out = 0;
  (*first)(&in, &out);
  EXPECT_EQ(out, 10);
  (*second)(&in, &out);
  EXPECT_EQ(out, 15);
}

TEST(interpreter, evaluating_doubles_allocates_nothing) {
  const auto function = interpret<double>(lower(mixture(), std::vector{a, b}, std::vector{x, y}));
  const std::vector<double> parameters{0.5, 0.25};
  for (const std::size_t points : {1u, 3u, 10u}) {
    const auto at = function->evaluate_at(points);
    std::vector<double> in(2 * at->stride(), 0.3), out(function->outputs() * at->stride());
    EXPECT_EQ(testing::allocations_in([&] {
                at->set_parameters(parameters);
                (*at)(in.data(), out.data());
              }),
              0U);
  }
}

TEST(interpreter, a_hundred_thousand_operations_agree_with_a_loop) {
  constexpr int length = 50'000;
  expr e = x;
  double expected = 0.7;
  for (int i = 0; i < length; ++i) {
    const int number = i % 97 + 1;
    e = e * y + number;
    expected = expected * -0.875 + number;
  }
  const program p = lower(std::span(&e, 1), {}, std::vector{x, y});
  EXPECT_EQ(p.body.size(), 2u * length);
  EXPECT_LT(p.registers, 110u);
  const auto at = interpret<double>(p)->evaluate_at(1);
  const double in[2] = {0.7, -0.875};
  double out = 0;
  (*at)(in, &out);
  EXPECT_EQ(out, expected);
}

}  // namespace
}  // namespace actio
