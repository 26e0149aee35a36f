// Elementary functions against MPFR: errors in units of the last place.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "actio/backend/llvm/host_functions.hpp"

namespace actio::testing {

class mpfr_number {
 public:
  explicit mpfr_number(mpfr_prec_t digits) { mpfr_init2(value_, digits); }
  ~mpfr_number() { mpfr_clear(value_); }
  mpfr_number(const mpfr_number&) = delete;
  mpfr_number& operator=(const mpfr_number&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

// What a function is examined at: arguments of both intervals, and all numbers that there are.
struct function_range {
  operation op;
  double low, high;                // of the first argument
  double second_low, second_high;  // of the second
};

inline std::span<const function_range> function_ranges() {
  static constexpr function_range ranges[] = {
      {operation::exp, -30, 30, 0, 0},    {operation::exp, -746, 710, 0, 0},
      {operation::log, 0, 4, 0, 0},       {operation::sin, -100, 100, 0, 0},
      {operation::sin, -1e7, 1e7, 0, 0},  {operation::cos, -100, 100, 0, 0},
      {operation::cos, -1e7, 1e7, 0, 0},  {operation::tan, -100, 100, 0, 0},
      {operation::tan, -1e7, 1e7, 0, 0},  {operation::asin, -1, 1, 0, 0},
      {operation::acos, -1, 1, 0, 0},     {operation::atan, -4, 4, 0, 0},
      {operation::sinh, -3, 3, 0, 0},     {operation::sinh, -711, 711, 0, 0},
      {operation::cosh, -3, 3, 0, 0},     {operation::cosh, -711, 711, 0, 0},
      {operation::tanh, -5, 5, 0, 0},     {operation::log1p, -1, 3, 0, 0},
      {operation::expm1, -2, 2, 0, 0},    {operation::expm1, -40, 710, 0, 0},
      {operation::erf, -1.2, 1.2, 0, 0},  {operation::erf, -6, 6, 0, 0},
      {operation::power, 0, 10, -10, 10}, {operation::power, 0.7, 1.42, -2000, 2000},
      {operation::power, -9, 9, -3, 3},   {operation::atan2, -3, 3, -3, 3},
      {operation::hypot, -3, 3, -3, 3}};
  return ranges;
}

// The nearest doubles around which something happens, and those of which nothing may be lost.
inline std::span<const double> corners() {
  constexpr double infinity = std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::max();
  static constexpr double values[] = {0.0,
                                      -0.0,
                                      5e-324,
                                      -5e-324,
                                      1e-310,
                                      -1e-310,
                                      0x1p-1022,
                                      -0x1p-1022,
                                      0x1.fffffffffffffp-1023,
                                      1e-300,
                                      1e-17,
                                      -1e-17,
                                      0x1p-54,
                                      0x1p-60,
                                      1.0 / 3,
                                      0.5,
                                      -0.5,
                                      0x1.fffffffffffffp-1,
                                      1,
                                      -1,
                                      0x1.0000000000001p0,
                                      -0x1.0000000000001p0,
                                      1.5,
                                      -1.5,
                                      2,
                                      -2,
                                      3,
                                      -3,
                                      4,
                                      5.9,
                                      6,
                                      6.1,
                                      19.1,
                                      36.8,
                                      -36.8,
                                      -37.5,
                                      1e5,
                                      700,
                                      700.1,
                                      -700.1,
                                      709.78,
                                      709.782712893384,
                                      709.7827128933841,
                                      710.4,
                                      710.4758600739439,
                                      710.475860073944,
                                      710.5,
                                      -708.3964185322641,
                                      -708.3964185322642,
                                      -745.1,
                                      -745.1332191019411,
                                      -745.1332191019412,
                                      -746,
                                      1.5707963267948966,
                                      3.141592653589793,
                                      0x1.8p20,
                                      0x1.8000000000001p20,
                                      0x1.921fb54442d18p20,
                                      1e15 + 1,
                                      0x1p53,
                                      0x1p53 - 1,
                                      -0x1p53 + 1,
                                      1e16,
                                      1e22,
                                      -1e22,
                                      6381956970095103.0 * 0x1p797,
                                      1e300,
                                      -1e300,
                                      1e308,
                                      most,
                                      -most,
                                      infinity,
                                      -infinity,
                                      std::numeric_limits<double>::quiet_NaN()};
  return values;
}

class accuracy {
 public:
  static constexpr double wrong = 1e9;  // a NaN, an infinity or a sign that should not be, or one that is missing

  double error_of(operation op, double x, double y, double computed) {
    mpfr_set_d(x_.get(), x, MPFR_RNDN);
    mpfr_set_d(y_.get(), y, MPFR_RNDN);
    apply(op);
    const double nearest = mpfr_get_d(exact_.get(), MPFR_RNDN);
    if (std::isnan(nearest) || std::isnan(computed)) return std::isnan(nearest) == std::isnan(computed) ? 0 : wrong;
    if (std::signbit(nearest) != std::signbit(computed)) return wrong;
    if (std::isinf(nearest) || std::isinf(computed)) return nearest == computed ? 0 : wrong;
    int exponent = 0;
    std::frexp(nearest, &exponent);
    const int last_place = nearest == 0 ? -1074 : std::max(exponent - 53, -1074);
    mpfr_sub_d(exact_.get(), exact_.get(), computed, MPFR_RNDN);
    mpfr_mul_2si(exact_.get(), exact_.get(), -last_place, MPFR_RNDN);
    return std::abs(mpfr_get_d(exact_.get(), MPFR_RNDN));
  }

 private:
  void apply(operation op) {
    const auto result = exact_.get(), x = x_.get(), y = y_.get();
    switch (op) {
      case operation::exp: mpfr_exp(result, x, MPFR_RNDN); break;
      case operation::log: mpfr_log(result, x, MPFR_RNDN); break;
      case operation::sin: mpfr_sin(result, x, MPFR_RNDN); break;
      case operation::cos: mpfr_cos(result, x, MPFR_RNDN); break;
      case operation::tan: mpfr_tan(result, x, MPFR_RNDN); break;
      case operation::asin: mpfr_asin(result, x, MPFR_RNDN); break;
      case operation::acos: mpfr_acos(result, x, MPFR_RNDN); break;
      case operation::atan: mpfr_atan(result, x, MPFR_RNDN); break;
      case operation::sinh: mpfr_sinh(result, x, MPFR_RNDN); break;
      case operation::cosh: mpfr_cosh(result, x, MPFR_RNDN); break;
      case operation::tanh: mpfr_tanh(result, x, MPFR_RNDN); break;
      case operation::log1p: mpfr_log1p(result, x, MPFR_RNDN); break;
      case operation::expm1: mpfr_expm1(result, x, MPFR_RNDN); break;
      case operation::erf: mpfr_erf(result, x, MPFR_RNDN); break;
      case operation::power: mpfr_pow(result, x, y, MPFR_RNDN); break;
      case operation::atan2: mpfr_atan2(result, x, y, MPFR_RNDN); break;
      case operation::hypot: mpfr_hypot(result, x, y, MPFR_RNDN); break;
      default: mpfr_set_nan(result);
    }
  }

  mpfr_number x_{53}, y_{53}, exact_{100};
};

inline double any_double(std::mt19937_64& random) { return std::bit_cast<double>(random()); }

struct arguments {
  double x, y;
};
// In the range; every second one has any bits instead, with a second number of about its size now and then.
inline arguments random_arguments(const function_range& of, std::mt19937_64& random, bool any_bits) {
  const auto between = [&](double low, double high) {
    return low < high ? std::uniform_real_distribution<double>(low, high)(random) : low;
  };
  if (!any_bits) return {between(of.low, of.high), between(of.second_low, of.second_high)};
  const double x = any_double(random);
  return {x, random() % 2 == 0 ? any_double(random) : x * between(-3, 3)};
}

inline double host_value(operation op, const arguments& at) {
  return operand_count(op) == 1 ? machine_code::value_of(op, at.x) : machine_code::value_of(op, at.x, at.y);
}

}  // namespace actio::testing
