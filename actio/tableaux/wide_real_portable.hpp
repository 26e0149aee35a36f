// `wide_real` in builds without MPFR: bits for twice the digits of every scalar, whatever they are needed for.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "actio/base/scalar.hpp"

namespace actio {

class wide_real {
 public:
  using number = mp::number<mp::cpp_bin_float<768, mp::digit_base_2>, mp::et_off>;

  wide_real() = default;
  wide_real(long value) : value_(value) {}  // NOLINT(google-explicit-constructor): formulas hold small integers
  wide_real(int value) : value_(value) {}   // NOLINT(google-explicit-constructor)
  explicit wide_real(double value) : value_(value) {}
  explicit wide_real(number value) : value_(std::move(value)) {}

  wide_real& operator+=(const wide_real& b) { return value_ += b.value_, *this; }
  wide_real& operator-=(const wide_real& b) { return value_ -= b.value_, *this; }
  wide_real& operator*=(const wide_real& b) { return value_ *= b.value_, *this; }
  wide_real& operator/=(const wide_real& b) { return value_ /= b.value_, *this; }
  friend wide_real operator+(wide_real a, const wide_real& b) { return a += b; }
  friend wide_real operator-(wide_real a, const wide_real& b) { return a -= b; }
  friend wide_real operator*(wide_real a, const wide_real& b) { return a *= b; }
  friend wide_real operator/(wide_real a, const wide_real& b) { return a /= b; }
  friend bool operator==(const wide_real& a, const wide_real& b) { return a.value_ == b.value_; }

  friend bool smaller(const wide_real& a, const wide_real& b) { return abs(a.value_) < abs(b.value_); }  // in size
  friend wide_real root(const wide_real& a, unsigned long degree) {
    return wide_real(number(pow(a.value_, 1 / number(degree))));
  }
  friend wide_real times_power_of_two(const wide_real& a, long exponent) {
    return wide_real(number(ldexp(a.value_, static_cast<int>(exponent))));
  }

  // |value| < 2^exponent.
  bool below_power_of_two(long exponent) const { return abs(value_) < ldexp(number(1), static_cast<int>(exponent)); }

  const number& data() const { return value_; }

  static long bits() { return std::numeric_limits<number>::digits; }

 private:
  number value_ = 0;
};

// Here the bits are always the same.
template <class S>
class wide_scope {
 public:
  wide_scope() {
    static_assert(2 * std::numeric_limits<S>::digits + 64 <= std::numeric_limits<wide_real::number>::digits);
  }
};

}  // namespace actio
