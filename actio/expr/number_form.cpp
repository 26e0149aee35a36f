#include "actio/expr/number_form.hpp"

#include <algorithm>
#include <optional>

namespace actio {

namespace {

constexpr long most_exponent = 1000;             // what the parser accepts
constexpr std::size_t most_decimal_digits = 60;  // beyond, a fraction is shorter than the exact decimal

// digits * 10^exponent, as d.ddd with a power of ten.
number_form scientific(const std::string& digits, long exponent) {
  number_form form;
  const std::size_t last = digits.find_last_not_of('0');
  form.digits = digits.substr(0, 1);
  if (last > 0) form.digits += "." + digits.substr(1, last);
  form.exponent = static_cast<int>(exponent + static_cast<long>(digits.size()) - 1);
  return form;
}

number_form whole(const mp::cpp_int& value) {
  number_form form;
  form.digits = value.str();
  const std::size_t significant = form.digits.find_last_not_of('0') + 1;
  const bool round = form.digits.size() > 15 && form.digits.size() - significant >= 6;
  if (round && form.digits.size() <= most_exponent) return scientific(form.digits, 0);
  return form;
}

// k when `denominator` divides 10^k and no smaller power of ten; none when there is no such k within reach.
std::optional<unsigned> decimal_places(mp::cpp_int denominator) {
  if (mp::msb(denominator) > 40000) return std::nullopt;
  const unsigned twos = mp::lsb(denominator);
  denominator >>= twos;
  unsigned fives = 0;
  for (mp::cpp_int quotient, remainder; denominator != 1; ++fives, denominator = quotient) {
    mp::divide_qr(denominator, mp::cpp_int(5), quotient, remainder);
    if (!remainder.is_zero()) return std::nullopt;
  }
  return std::max(twos, fives);
}

std::optional<number_form> decimal_form(const mp::cpp_int& p, const mp::cpp_int& q) {
  if (p <= 9 && (q == 2 || q == 4 || q == 8)) return std::nullopt;  // 1/2 and 3/4 read better than 0.5 and 0.75
  const auto places = decimal_places(q);
  if (!places) return std::nullopt;
  const std::string digits = mp::cpp_int(p * mp::pow(mp::cpp_int(10), *places) / q).str();
  if (digits.size() > most_decimal_digits) return std::nullopt;
  const long leading =
      static_cast<long>(digits.size()) - 1 - static_cast<long>(*places);  // exponent of the first digit
  if (leading < -most_exponent) return std::nullopt;
  if (leading < -5) return scientific(digits, -static_cast<long>(*places));
  number_form form;
  const std::string padded = leading < 0 ? std::string(static_cast<std::size_t>(-leading), '0') + digits : digits;
  form.digits = padded.substr(0, padded.size() - *places) + "." + padded.substr(padded.size() - *places);
  return form;
}

}  // namespace

number_form form_of(const rational& value) {
  const mp::cpp_int p = mp::abs(numerator(value)), q = denominator(value);
  number_form form;
  if (q == 1) {
    form = whole(p);
  } else if (const auto as_decimal = decimal_form(p, q)) {
    form = *as_decimal;
  } else {
    form.digits = p.str();
    form.denominator = q.str();
  }
  form.negative = value < 0;
  return form;
}

}  // namespace actio
