// Decimal literals as exact rationals.
#include <cstdlib>
#include <string>

#include "actio/base/error.hpp"
#include "actio/expr/expr.hpp"

namespace actio {

namespace {

constexpr long most_exponent = 1000;
constexpr std::size_t most_digits = 10000;

// value = ±digits * 10^exponent
struct decimal_parts {
  bool negative = false;
  std::string digits;
  long exponent = 0;
};

std::string shortened(std::string_view text) {
  return text.size() <= 40 ? std::string(text) : std::string(text.substr(0, 37)) + "...";
}

[[noreturn]] void fail_malformed(std::string_view text) {
  throw input_error("bad-number", "'" + shortened(text) + "' is not a decimal number", {},
                    "write a number such as 2, 0.5 or 1.5e-3");
}

[[noreturn]] void fail_out_of_range(std::string_view text, const char* reason) {
  throw input_error("number-out-of-range", "the number " + shortened(text) + " has " + reason, {},
                    "exponents go to ±1000 and numbers have at most 10000 digits");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

decimal_parts parts_of(std::string_view text) {
  decimal_parts parts;
  std::size_t at = 0;
  const auto accept = [&](char c) { return at < text.size() && text[at] == c && ++at > 0; };
  const auto digit_here = [&] { return at < text.size() && is_digit(text[at]); };

  parts.negative = accept('-');
  if (!parts.negative) accept('+');
  while (digit_here()) parts.digits += text[at++];
  if (accept('.')) {
    for (; digit_here(); --parts.exponent) parts.digits += text[at++];
  }
  if (parts.digits.empty()) fail_malformed(text);
  if (accept('e') || accept('E')) {
    const bool down = accept('-');
    if (!down) accept('+');
    if (!digit_here()) fail_malformed(text);
    long written = 0;
    for (; digit_here(); ++at) {
      if (written <= most_exponent) written = 10 * written + (text[at] - '0');
    }
    if (written > most_exponent) fail_out_of_range(text, "an exponent that is too large");
    parts.exponent += down ? -written : written;
  }
  if (at != text.size()) fail_malformed(text);
  if (parts.digits.size() > most_digits) fail_out_of_range(text, "too many digits");
  return parts;
}

}  // namespace

expr decimal(std::string_view text) {
  const decimal_parts parts = parts_of(text);
  const std::size_t first = parts.digits.find_first_not_of('0');
  if (first == std::string::npos) return 0;
  const mp::cpp_int significand(parts.digits.substr(first));  // digits with a leading 0 would be octal
  const mp::cpp_int scale = mp::pow(mp::cpp_int(10), static_cast<unsigned>(std::abs(parts.exponent)));
  // Made from one cpp_int: from a product Boost looks for common divisors, which takes it long.
  const rational value = parts.exponent < 0 ? rational(significand, scale) : rational(mp::cpp_int(significand * scale));
  return expr(parts.negative ? rational(-value) : value);
}

}  // namespace actio
