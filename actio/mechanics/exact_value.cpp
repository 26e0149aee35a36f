#include "actio/mechanics/exact_value.hpp"

#include <algorithm>
#include <cmath>

namespace actio {

namespace {

constexpr double close = 1e-20;  // relative

bool is_close(const quad& x, const quad& y) { return abs(x - y) <= quad(close) * abs(x); }

// Simple fractions are so rare that less will do; others are so many that a computed number must be as good as it can.
bool is_close(const quad& x, long long p, long long q) {
  constexpr long long simple = 10'000'000;
  const quad looser = quad(1e-11) / (quad(p) * quad(q) + quad(q) * quad(q));
  const quad tolerance = q > simple ? quad(1e-27) : std::max(quad(close), looser);
  return abs(x - quad(p) / quad(q)) <= tolerance * x;
}

// By continued fractions.
std::optional<rational> fraction(const quad& x, long long most_denominator) {
  constexpr int most_terms = 40;
  const quad most_numerator = 1e15;
  long long p0 = 0, q0 = 1, p1 = 1, q1 = 0;  // the last two convergents
  quad rest = abs(x);
  for (int k = 0; k < most_terms; ++k) {
    const quad whole = floor(rest);
    if (whole * p1 + p0 > most_numerator || whole * q1 + q0 > most_denominator) return std::nullopt;
    const auto a = static_cast<long long>(whole);
    const long long p = a * p1 + p0, q = a * q1 + q0;
    if (p > 0 && is_close(abs(x), p, q)) return rational(x < 0 ? -p : p, q);
    p0 = p1, q0 = q1, p1 = p, q1 = q;
    if (rest == whole) return std::nullopt;
    rest = 1 / (rest - whole);
  }
  return std::nullopt;
}

std::optional<rational> decimal_number(const quad& x) {
  constexpr int most_digits = 9, most_exponent = 300;
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(to_double(x)))));
  if (std::abs(exponent) > most_exponent) return std::nullopt;
  const quad digits = abs(x) * pow(quad(10), most_digits - 1 - exponent), whole = round(digits);
  if (!is_close(digits, whole)) return std::nullopt;
  rational value(static_cast<long long>(whole));
  const int shift = exponent - most_digits + 1;
  const rational power(mp::pow(mp::cpp_int(10), static_cast<unsigned>(std::abs(shift))));
  value = shift < 0 ? rational(value / power) : rational(value * power);
  return x < 0 ? rational(-value) : value;
}

std::optional<rational> plain_number(const quad& x) {
  constexpr long long most_denominator = 10'000'000'000;
  if (const auto found = fraction(x, most_denominator)) return found;
  return decimal_number(x);
}

}  // namespace

std::optional<expr> exact_value(const quad& x, std::span<const known_value> known) {
  constexpr long long small = 100;
  if (x == 0) return expr(0);
  if (const auto number = plain_number(x)) return expr(*number);
  const auto times = [&](const quad& value, const expr& formula) -> std::optional<expr> {
    if (value == 0 || !is_finite(value)) return std::nullopt;
    const auto factor = fraction(x / value, small);
    return factor ? std::optional(expr(*factor) * formula) : std::nullopt;
  };
  for (const known_value& a : known) {
    if (auto found = times(a.value, a.formula)) return found;
    if (auto found = times(1 / a.value, 1 / a.formula)) return found;
    if (auto found = times(a.value * a.value, pow(a.formula, 2))) return found;
  }
  if (auto found = times(pi_value<quad>(), expr::pi())) return found;
  for (const known_value& a : known) {
    for (const known_value& b : known) {
      if (auto found = times(a.value / b.value, a.formula / b.formula)) return found;
      if (auto found = times(a.value * b.value, a.formula * b.formula)) return found;
    }
  }
  if (const auto square = plain_number(x * x)) return x < 0 ? -sqrt(expr(*square)) : sqrt(expr(*square));
  return std::nullopt;
}

}  // namespace actio
