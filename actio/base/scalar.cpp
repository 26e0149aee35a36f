#include "actio/base/scalar.hpp"

#include <fmt/format.h>
#ifndef ACTIO_NO_QUADMATH
#include <quadmath.h>
#endif

#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace actio {

std::string to_text(const precision& p) {
  switch (p.type) {
    case precision::kind::in_double: return "double";
    case precision::kind::in_quad: return "quad";
    case precision::kind::in_digits: break;
  }
  return std::to_string(p.digits);
}

namespace {

using integer = mp::cpp_int;

// What a binary format can hold: significant bits, and the exponents of its smallest and largest units.
struct binary_format {
  long bits, lowest_exponent, highest_exponent;
};

template <class S>
binary_format format_of() {
  using limits = std::numeric_limits<S>;
  return {limits::digits, limits::min_exponent - limits::digits, limits::max_exponent};
}

long bit_length(const integer& n) { return static_cast<long>(msb(n)) + 1; }

// numerator/denominator (both positive) to the nearest number of the format, ties to even: the last bit of the result
// is chosen first, so that the integer quotient is the significand and a subnormal result is rounded only once.
template <class S>
S nearest_quotient(const integer& numerator, const integer& denominator) {
  const binary_format format = format_of<S>();
  long unit = bit_length(numerator) - bit_length(denominator) - format.bits;
  // The quotient lies in (2^(bits-1), 2^(bits+1)) units: drop one more bit where it is too long.
  const integer scaled_numerator = unit < 0 ? integer(numerator << -unit) : numerator;
  const integer scaled_denominator = unit > 0 ? integer(denominator << unit) : denominator;
  if (scaled_numerator >= scaled_denominator << format.bits) ++unit;
  unit = std::max(unit, format.lowest_exponent);
  if (unit + format.bits > format.highest_exponent) return std::numeric_limits<S>::infinity();

  const integer n = unit < 0 ? integer(numerator << -unit) : numerator;
  const integer d = unit > 0 ? integer(denominator << unit) : denominator;
  integer significand, remainder;
  divide_qr(n, d, significand, remainder);
  const int half = integer(2 * remainder).compare(d);
  if (half > 0 || (half == 0 && bit_test(significand, 0))) ++significand;
  using std::ldexp;
  return ldexp(static_cast<S>(significand), static_cast<int>(unit));
}

template <class S>
S signed_quotient(const integer& numerator, const integer& denominator) {
  if (numerator.is_zero()) return S(0);
  return numerator.sign() < 0 ? S(-nearest_quotient<S>(-numerator, denominator))
                              : nearest_quotient<S>(numerator, denominator);
}

// A finite decimal number ±0.d₁d₂… × 10^exponent.
struct decimal_digits {
  bool negative = false;
  std::string digits;  // no trailing zeros; "" is zero
  long exponent = 0;
};

// "0.001", "-3", "1.5e-07": a number in JSON too.
std::string spelling(const decimal_digits& d) {
  const std::string sign = d.negative ? "-" : "";
  const long size = static_cast<long>(d.digits.size());
  if (size == 0) return sign + "0";
  if (d.exponent > -4 && d.exponent <= 0) return sign + "0." + std::string(-d.exponent, '0') + d.digits;
  if (d.exponent > 0 && d.exponent <= 16) {
    if (size <= d.exponent) return sign + d.digits + std::string(d.exponent - size, '0');
    return sign + d.digits.substr(0, d.exponent) + "." + d.digits.substr(d.exponent);
  }
  const std::string fraction = size > 1 ? "." + d.digits.substr(1) : "";
  return fmt::format("{}{}{}e{:+03d}", sign, d.digits.substr(0, 1), fraction, d.exponent - 1);
}

std::string without_trailing_zeros(std::string digits) {
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits with at most one point, then perhaps e, a sign and digits; the sign in front has been taken off already.
class decimal_reader {
 public:
  explicit decimal_reader(std::string_view text) : rest_(text) {}

  decimal_digits read() {
    take_digits(false);
    if (take('.')) take_digits(true);
    if (!seen_digit_) fail();
    if (take('e') || take('E')) number_.exponent += exponent();
    if (!rest_.empty()) fail();
    number_.digits = without_trailing_zeros(std::move(number_.digits));
    return number_;
  }

 private:
  [[noreturn]] static void fail() { throw std::invalid_argument("not a number"); }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void take_digits(bool after_point) {
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
      seen_digit_ = true;
      const bool leading_zero = number_.digits.empty() && rest_.front() == '0';
      if (!leading_zero) number_.digits += rest_.front();
      if (!after_point && !leading_zero) ++number_.exponent;
      if (after_point && leading_zero) --number_.exponent;
    }
  }

  long exponent() {
    constexpr long huge = 1'000'000'000'000;
    const bool negative = take('-');
    if (!negative) take('+');
    if (rest_.empty()) fail();
    long value = 0;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
      value = std::min(huge, 10 * value + (rest_.front() - '0'));
    }
    return negative ? -value : value;
  }

  std::string_view rest_;
  decimal_digits number_;
  bool seen_digit_ = false;
};

// The number nearest to ±0.d₁d₂… × 10^exponent.
template <class S>
S nearest(const decimal_digits& d) {
  if (d.digits.empty()) return S(0);
  constexpr long beyond = std::numeric_limits<S>::max_exponent10 + 10;
  const long size = static_cast<long>(d.digits.size());
  if (d.exponent > beyond) return std::numeric_limits<S>::infinity();
  if (d.exponent < -beyond - std::numeric_limits<S>::max_digits10) return S(0);
  const long scale = d.exponent - size;
  const integer digits(d.digits);
  const integer power = pow(integer(10), static_cast<unsigned>(std::abs(scale)));
  return scale < 0 ? nearest_quotient<S>(digits, power) : nearest_quotient<S>(digits * power, integer(1));
}

#ifndef ACTIO_NO_MPFR
template <>
multi nearest<multi>(const decimal_digits& d) {
  multi value = 0;
  const std::string text = d.digits.empty() ? "0" : fmt::format("0.{}e{}", d.digits, d.exponent);
  mpfr_set_str(value.backend().data(), text.c_str(), 10, MPFR_RNDN);
  return value;
}

decimal_digits digits_of(const multi& value, std::size_t count) {
  mpfr_exp_t exponent = 0;
  const std::unique_ptr<char, void (*)(char*)> text(
      mpfr_get_str(nullptr, &exponent, 10, count, value.backend().data(), MPFR_RNDN), mpfr_free_str);
  const bool negative = *text == '-';
  return {negative, without_trailing_zeros(text.get() + (negative ? 1 : 0)), exponent};
}

// The fewest digits that read back as the same number: those that every number of this precision can hold, or the two
// or three more that some need.
decimal_digits all_digits(const multi& value) {
  const multi magnitude = abs(value);
  const double bits = static_cast<double>(mpfr_get_prec(value.backend().data()));
  const auto sure = static_cast<std::size_t>((bits - 1) * std::log10(2.0));
  for (std::size_t count = sure; count < sure + 3; ++count) {
    decimal_digits result = digits_of(value, count);
    if (nearest<multi>(result) == magnitude) return result;
  }
  return digits_of(value, 0);
}

void set_to_pi(multi& x) { mpfr_const_pi(x.backend().data(), MPFR_RNDN); }

std::string brief_text(const multi& value, int digits) {
  std::string text(static_cast<std::size_t>(digits) + 64, '\0');
  text.resize(
      static_cast<std::size_t>(mpfr_snprintf(text.data(), text.size(), "%.*Rg", digits, value.backend().data())));
  return text;
}
#endif

#ifndef ACTIO_NO_QUADMATH
std::string scientific(const quad& value, int digits) {
  char text[64];
  quadmath_snprintf(text, sizeof text, "%.*Qe", digits - 1, value.backend().value());
  return text;
}

std::string brief_text(const quad& value, int digits) {
  std::string text(static_cast<std::size_t>(digits) + 64, '\0');
  text.resize(
      static_cast<std::size_t>(quadmath_snprintf(text.data(), text.size(), "%.*Qg", digits, value.backend().value())));
  return text;
}
#endif

// Boost's own numbers.
template <class S>
std::string scientific(const S& value, int digits) {
  return value.str(digits - 1, std::ios_base::scientific);
}

template <class S>
std::string brief_text(const S& value, int digits) {
  return value.str(std::max(digits, 1));
}

// The fewest digits that read back as the same number: those that every number can hold, or up to three more.
template <class S>
decimal_digits all_digits(const S& value) {
  using limits = std::numeric_limits<S>;
  decimal_digits result{signbit(value) != 0, "", 0};
  const S magnitude = abs(value);
  for (int digits = limits::digits10; digits <= limits::max_digits10; ++digits) {
    const std::string text = scientific(magnitude, digits);
    result.digits = without_trailing_zeros(text.substr(0, 1) + text.substr(2, digits - 1));
    result.exponent = std::strtol(text.c_str() + text.find('e') + 1, nullptr, 10) + 1;
    if (nearest<S>(result) == magnitude) break;
  }
  return result;
}

// π with more digits than any number of fixed precision here.
constexpr std::string_view pi_digits =
    "3."
    "1415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679"
    "8214808651328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196"
    "4428810975665933446128475648233786783165271201909145648566923460348610454326648213393607260249141273"
    "7245870066063155881";

template <class S>
void set_to_pi(S& x) {
  static const S pi = nearest<S>(decimal_reader(pi_digits).read());
  x = pi;
}

template <class S>
std::string special_spelling(const S& value) {
  if (value != value) return "nan";
  return value < 0 ? "-inf" : "inf";
}

}  // namespace

#ifndef ACTIO_NO_MPFR
// Boost converts a big integer to MPFR with the digits of the integer, not with those of the target; MPFR itself rounds
// a quotient correctly.
template <>
multi from_rational<multi>(const rational& value) {
  mpq_t quotient;
  mpq_init(quotient);
  mpz_set_str(mpq_numref(quotient), numerator(value).str().c_str(), 10);
  mpz_set_str(mpq_denref(quotient), denominator(value).str().c_str(), 10);
  multi result(0);
  mpfr_set_q(result.backend().data(), quotient, MPFR_RNDN);
  mpq_clear(quotient);
  return result;
}
#endif

template <class S>
S from_rational(const rational& value) {
  return signed_quotient<S>(numerator(value), denominator(value));
}

template <class S>
S pi_value() {
  if constexpr (std::same_as<S, double>) {
    return 3.141592653589793;
  } else {
    S pi;
    set_to_pi(pi);
    return pi;
  }
}

template <class S>
std::string to_digits(const S& value) {
  if (!is_finite(value)) return special_spelling(value);
  if constexpr (std::same_as<S, double>) {
    return fmt::format("{}", value);
  } else {
    return spelling(all_digits(value));
  }
}

template <class S>
std::string to_brief(const S& value, int digits) {
  if (!is_finite(value)) return special_spelling(value);
  if constexpr (std::same_as<S, double>) {
    return fmt::format("{:.{}g}", value, digits);
  } else {
    return brief_text(value, digits);
  }
}

template <class S>
S from_digits(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  S magnitude;
  if (text == "inf") {
    magnitude = std::numeric_limits<S>::infinity();
  } else if (text == "nan") {
    magnitude = std::numeric_limits<S>::quiet_NaN();
  } else {
    magnitude = nearest<S>(decimal_reader(text).read());
  }
  return negative ? S(-magnitude) : magnitude;
}

#define ACTIO_INSTANTIATE(S)                       \
  template S pi_value<S>();                        \
  template std::string to_digits<S>(const S&);     \
  template std::string to_brief<S>(const S&, int); \
  template S from_digits<S>(std::string_view);
ACTIO_FOR_EVERY_NUMBER(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE
template double from_rational<double>(const rational&);
template quad from_rational<quad>(const rational&);
#ifdef ACTIO_NO_MPFR
template multi from_rational<multi>(const rational&);
template proof_real from_rational<proof_real>(const rational&);
#endif

}  // namespace actio
