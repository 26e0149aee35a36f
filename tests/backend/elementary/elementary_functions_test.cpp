#include <gtest/gtest.h>

#include "actio/backend/backend.hpp"
#include "actio/backend/llvm/machine_code.hpp"
#include "tests/backend/elementary/accuracy.hpp"

namespace actio {
namespace {

using testing::arguments, testing::function_range, testing::host_value;

class elementary_functions : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!machine_code_is_available()) GTEST_SKIP() << "this processor interprets";
  }
  // A hypotenuse is the nearest number but for near ties, unless it is rounded again below the smallest normal one.
  void expect_accurate(operation op, const arguments& at) {
    const double computed = host_value(op, at);
    EXPECT_LT(accuracy_.error_of(op, at.x, at.y, computed),
              op == operation::hypot && computed >= 0x1p-1021 ? 0.51 : 1.0)
        << name_of(op) << "(" << at.x << ", " << at.y << ") = " << computed;
  }
  testing::accuracy accuracy_;
};

TEST_F(elementary_functions, are_within_one_unit_of_the_last_place) {
  std::mt19937_64 random(5);
  for (const function_range& range : testing::function_ranges()) {
    for (int k = 0; k < 6000; ++k) expect_accurate(range.op, random_arguments(range, random, k % 3 == 2));
  }
}

TEST_F(elementary_functions, have_the_special_values_of_the_standard) {
  for (const function_range& range : testing::function_ranges()) {
    for (const double x : testing::corners()) {
      if (operand_count(range.op) == 1) expect_accurate(range.op, {x, 0});
      else
        for (const double y : testing::corners()) expect_accurate(range.op, {x, y});
    }
  }
}

// Near multiples of π/2 nothing but the exact reduction leaves a digit.
TEST_F(elementary_functions, sines_are_accurate_near_their_zeros_at_every_size) {
  testing::mpfr_number multiple(2200), pi(2200);
  mpfr_const_pi(pi.get(), MPFR_RNDN);
  std::mt19937_64 random(6);
  for (int exponent = 0; exponent < 1020; ++exponent) {
    mpfr_set_ui_2exp(multiple.get(), random() | 1, exponent - 64, MPFR_RNDN);
    mpfr_rint_floor(multiple.get(), multiple.get(), MPFR_RNDN);
    mpfr_mul(multiple.get(), multiple.get(), pi.get(), MPFR_RNDN);
    mpfr_div_2ui(multiple.get(), multiple.get(), 1, MPFR_RNDN);
    const double x = mpfr_get_d(multiple.get(), MPFR_RNDN);
    for (const operation op : {operation::sin, operation::cos, operation::tan}) expect_accurate(op, {x, 0});
  }
}

expr applied(operation op, const expr& x, const expr& y) {
  switch (op) {
    case operation::exp: return exp(x);
    case operation::log: return log(x);
    case operation::sin: return sin(x);
    case operation::cos: return cos(x);
    case operation::tan: return tan(x);
    case operation::asin: return asin(x);
    case operation::acos: return acos(x);
    case operation::atan: return atan(x);
    case operation::sinh: return sinh(x);
    case operation::cosh: return cosh(x);
    case operation::tanh: return tanh(x);
    case operation::log1p: return log1p(x);
    case operation::expm1: return expm1(x);
    case operation::erf: return erf(x);
    case operation::power: return pow(x, y);
    case operation::atan2: return atan2(x, y);
    default: return hypot(x, y);
  }
}

TEST_F(elementary_functions, have_the_same_bits_in_every_vector_and_alone) {
  const std::vector<expr> symbols{expr::symbol("x"), expr::symbol("y")};
  std::mt19937_64 random(7);
  for (const function_range& range : testing::function_ranges()) {
    std::vector<arguments> points;
    for (const double x : testing::corners()) points.push_back({x, testing::corners()[random() % 60]});
    while (points.size() < 640) points.push_back(random_arguments(range, random, points.size() % 4 == 3));
    std::ranges::shuffle(points, random);
    const expr e = applied(range.op, symbols[0], symbols[1]);
    const auto f = compile_to_machine_code(lower(std::span(&e, 1), {}, symbols), compile_when::called);
    for (const std::size_t lanes : {1, 2, 4, 8}) {
      const auto evaluation = f->evaluate_at(lanes);
      evaluation->set_parameters({});
      const std::size_t stride = evaluation->stride();
      std::vector<double> in(2 * stride), out(stride);
      for (std::size_t first = 0; first + lanes <= points.size(); first += lanes) {
        for (std::size_t l = 0; l < lanes; ++l) {
          in[l] = points[first + l].x;
          in[stride + l] = points[first + l].y;
        }
        (*evaluation)(in.data(), out.data());
        for (std::size_t l = 0; l < lanes; ++l) {
          const double alone = host_value(range.op, points[first + l]);
          EXPECT_TRUE(std::bit_cast<std::uint64_t>(alone) == std::bit_cast<std::uint64_t>(out[l]) ||
                      (std::isnan(alone) && std::isnan(out[l])))
              << name_of(range.op) << "(" << points[first + l].x << ", " << points[first + l].y << ") in " << lanes
              << " lanes: " << out[l] << ", alone " << alone;
        }
      }
    }
  }
}

}  // namespace
}  // namespace actio
