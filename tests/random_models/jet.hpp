// Values with their first and second derivatives by positions, velocities and time, carried along as numbers are
// computed. Written for the random models alone: nothing here is shared with the library that they examine.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace actio::random_models {

using real = long double;

inline constexpr std::size_t most_coordinates = 2;
inline constexpr std::size_t variables = 2 * most_coordinates + 1;  // q_1, q_2, v_1, v_2, t

// f, and its derivatives `first[i]`, `second[i][j]` by the variables.
struct jet {
  real value = 0;
  std::array<real, variables> first{};
  std::array<std::array<real, variables>, variables> second{};

  jet() = default;
  jet(real constant) : value(constant) {}  // NOLINT(google-explicit-constructor): numbers are constant functions
  static jet variable(std::size_t index, real value) {
    jet result(value);
    result.first[index] = 1;
    return result;
  }
};

// f(a) from f, f' and f'' at a.
inline jet composed(const jet& a, real f, real df, real ddf) {
  jet result(f);
  for (std::size_t i = 0; i < variables; ++i) {
    result.first[i] = df * a.first[i];
    for (std::size_t j = 0; j < variables; ++j) {
      result.second[i][j] = df * a.second[i][j] + ddf * a.first[i] * a.first[j];
    }
  }
  return result;
}

inline jet operator+(const jet& a, const jet& b) {
  jet result(a.value + b.value);
  for (std::size_t i = 0; i < variables; ++i) {
    result.first[i] = a.first[i] + b.first[i];
    for (std::size_t j = 0; j < variables; ++j) result.second[i][j] = a.second[i][j] + b.second[i][j];
  }
  return result;
}

inline jet operator*(const jet& a, const jet& b) {
  jet result(a.value * b.value);
  for (std::size_t i = 0; i < variables; ++i) {
    result.first[i] = a.first[i] * b.value + a.value * b.first[i];
    for (std::size_t j = 0; j < variables; ++j) {
      result.second[i][j] =
          a.second[i][j] * b.value + a.first[i] * b.first[j] + a.first[j] * b.first[i] + a.value * b.second[i][j];
    }
  }
  return result;
}

inline jet operator-(const jet& a) { return composed(a, -a.value, -1, 0); }
inline jet operator-(const jet& a, const jet& b) { return a + -b; }
inline jet inverse(const jet& a) {
  const real r = 1 / a.value;
  return composed(a, r, -r * r, 2 * r * r * r);
}
inline jet operator/(const jet& a, const jet& b) { return a * inverse(b); }

inline jet sqrt(const jet& a) {
  const real r = std::sqrt(a.value);
  return composed(a, r, 1 / (2 * r), -1 / (4 * r * a.value));
}
inline jet exp(const jet& a) {
  const real e = std::exp(a.value);
  return composed(a, e, e, e);
}
inline jet log(const jet& a) {
  const real r = 1 / a.value;
  return composed(a, std::log(a.value), r, -r * r);
}
inline jet sin(const jet& a) {
  const real s = std::sin(a.value);
  return composed(a, s, std::cos(a.value), -s);
}
inline jet cos(const jet& a) {
  const real c = std::cos(a.value);
  return composed(a, c, -std::sin(a.value), -c);
}
inline jet tan(const jet& a) {
  const real f = std::tan(a.value), d = 1 + f * f;
  return composed(a, f, d, 2 * f * d);
}
inline jet asin(const jet& a) {
  const real d = 1 / std::sqrt(1 - a.value * a.value);
  return composed(a, std::asin(a.value), d, a.value * d * d * d);
}
inline jet acos(const jet& a) {
  const real d = 1 / std::sqrt(1 - a.value * a.value);
  return composed(a, std::acos(a.value), -d, -a.value * d * d * d);
}
inline jet atan(const jet& a) {
  const real d = 1 / (1 + a.value * a.value);
  return composed(a, std::atan(a.value), d, -2 * a.value * d * d);
}
inline jet sinh(const jet& a) {
  const real f = std::sinh(a.value);
  return composed(a, f, std::cosh(a.value), f);
}
inline jet cosh(const jet& a) {
  const real f = std::cosh(a.value);
  return composed(a, f, std::sinh(a.value), f);
}
inline jet tanh(const jet& a) {
  const real f = std::tanh(a.value), d = 1 - f * f;
  return composed(a, f, d, -2 * f * d);
}
inline real sign(real a) { return static_cast<real>((a > 0) - (a < 0)); }
inline jet erf(const jet& a) {
  const real slope = 2 / std::sqrt(std::acos(-1.0L)) * std::exp(-a.value * a.value);
  return composed(a, std::erf(a.value), slope, -2 * a.value * slope);
}
inline jet log1p(const jet& a) {
  const real r = 1 / (1 + a.value);
  return composed(a, std::log1p(a.value), r, -r * r);
}
inline jet expm1(const jet& a) { return composed(a, std::expm1(a.value), std::exp(a.value), std::exp(a.value)); }
inline jet j0(const jet& a) {
  const real zero = j0l(a.value), one = j1l(a.value), two = jnl(2, a.value);
  return composed(a, zero, -one, (two - zero) / 2);
}
inline jet j1(const jet& a) {
  const real zero = j0l(a.value), one = j1l(a.value), two = jnl(2, a.value), three = jnl(3, a.value);
  return composed(a, one, (zero - two) / 2, (three - 3 * one) / 4);
}
inline jet hypot(const jet& a, const jet& b) { return sqrt(a * a + b * b); }
inline jet min(const jet& a, const jet& b) { return a.value <= b.value ? a : b; }
inline jet max(const jet& a, const jet& b) { return a.value >= b.value ? a : b; }

inline jet abs(const jet& a) { return composed(a, std::fabs(a.value), sign(a.value), 0); }
inline jet sign(const jet& a) { return composed(a, sign(a.value), 0, 0); }
// With a constant exponent.
inline jet pow(const jet& a, real n) {
  return composed(a, std::pow(a.value, n), n * std::pow(a.value, n - 1), n * (n - 1) * std::pow(a.value, n - 2));
}
// The angle of (x, y), by its derivatives: that of atan(y/x) where it is defined, with the branch of the real one.
inline jet atan2(const jet& y, const jet& x) {
  const bool steep = std::fabs(y.value) > std::fabs(x.value);
  jet result = steep ? -atan(x / y) : atan(y / x);
  result.value = std::atan2(y.value, x.value);
  return result;
}

}  // namespace actio::random_models
