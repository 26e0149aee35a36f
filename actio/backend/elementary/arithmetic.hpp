// The language that the elementary functions are written in: templates over a number N, which are carried out with N =
// double and written as instructions with N = machine_number. Every operation is one of IEEE 754 or one on 64 bits, so
// that the bits of a result depend on nothing but the arguments.
//
// A number has + − * / and comparisons, which give a truth with & | ^ !; and the free functions below. bits(x) is a
// whole number of 64 bits with + − * & | ^ << >> (logical). Constants are doubles and std::uint64_t.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace actio::elementary {

// a b + c with one rounding.
inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline double sqrt(double x) { return __builtin_sqrt(x); }
inline double absolute(double x) { return __builtin_fabs(x); }
inline double floor(double x) { return __builtin_floor(x); }
inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
inline double from_bits(std::uint64_t x) { return std::bit_cast<double>(x); }
// The upper 64 bits of a b.
inline std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<wide>(a) * b) >> 64);
}
inline double select(bool truth, double a, double b) { return truth ? a : b; }
// An entry of a table of so many.
inline std::uint64_t entry(const std::uint64_t* table, std::size_t, std::uint64_t index) { return table[index]; }
// `usual`, or f() in the lanes where the condition holds; f is only carried out where it holds in any of them.
template <std::size_t Count, class F>
std::array<double, Count> rarely(bool condition, const std::array<double, Count>& usual, F f) {
  return condition ? f() : usual;
}

template <class N>
using whole_of = decltype(bits(std::declval<N>()));
template <class N>
using truth_of = decltype(std::declval<N>() < std::declval<N>());

// The same of one number.
template <class N, class F>
N rarely(const truth_of<N>& condition, const N& usual, F f) {
  return rarely(condition, std::array<N, 1>{usual}, [&] { return std::array<N, 1>{f()}; })[0];
}

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double smallest_normal = 0x1p-1022;
inline constexpr std::uint64_t top_bit = std::uint64_t{1} << 63;
inline constexpr double rounding_shift = 0x1.8p52;  // added, it leaves the nearest whole number in the low bits

// high + low, where low is about the rounding of high or smaller.
template <class N>
struct extended {
  N high, low;
};

// a + b exactly.
template <class N>
extended<N> sum(const N& a, const N& b) {
  const N s = a + b, of_b = s - a, of_a = s - of_b;
  return {s, (a - of_a) + (b - of_b)};
}
// The same for |a| ≥ |b| or a = 0.
template <class N>
extended<N> ordered_sum(const N& a, const N& b) {
  const N s = a + b;
  return {s, (a - s) + b};
}
// a b exactly.
template <class N>
extended<N> product(const N& a, const N& b) {
  const N p = a * b;
  return {p, fma(a, b, -p)};
}
template <class N>
extended<N> product(const extended<N>& a, const extended<N>& b) {
  const N p = a.high * b.high;
  return {p, fma(a.high, b.high, -p) + fma(a.high, b.low, a.low * b.high)};
}
template <class N>
extended<N> quotient(const extended<N>& a, const extended<N>& b) {
  const N inverse = 1.0 / b.high, q = a.high * inverse;
  const N rest = fma(-q, b.high, a.high) + fma(-q, b.low, a.low);
  return {q, rest * inverse};
}

// c_0 + c_1 z + …, by halves, so that independent products overlap.
template <class N, std::size_t Count, std::size_t... I>
N polynomial(const double (&c)[Count], const N& z, std::index_sequence<I...>) {
  std::array<N, sizeof...(I)> terms;
  N power = z;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    terms[i] = 2 * i + 1 < Count ? fma(power, c[2 * i + 1], c[2 * i]) : N(c[2 * i]);
  }
  for (std::size_t count = terms.size(); count > 1; count = (count + 1) / 2) {
    power = power * power;
    for (std::size_t i = 0; i + 1 < count; i += 2) terms[i / 2] = fma(terms[i + 1], power, terms[i]);
    if (count % 2 == 1) terms[count / 2] = terms[count - 1];
  }
  return terms[0];
}
template <class N, std::size_t Count>
N polynomial(const double (&c)[Count], const N& z) {
  return polynomial(c, z, std::make_index_sequence<(Count + 1) / 2>());
}

// c_First + c_First+1 z + …
template <std::size_t First, class N, std::size_t Count>
N polynomial_from(const double (&c)[Count], const N& z) {
  double higher[Count - First];
  for (std::size_t i = First; i < Count; ++i) higher[i - First] = c[i];
  return polynomial(higher, z);
}

// The sign of x as the top bit of a whole number.
template <class N>
whole_of<N> sign_bit(const N& x) {
  return bits(x) & top_bit;
}
// x with its sign changed where the top bit of `sign` is set; no other bit of it may be.
template <class N>
N with_sign(const N& x, const whole_of<N>& sign) {
  return from_bits(bits(x) ^ sign);
}
template <class N>
truth_of<N> is_nan(const N& x) {
  return x != x;
}
template <class N>
truth_of<N> is_infinite(const N& x) {
  return absolute(x) == infinity;
}

// 2^n for a whole number n from −1022 to 1023 in the low bits of `n`.
template <class W>
auto power_of_two(const W& n) {
  return from_bits((n + std::uint64_t{1023}) << std::uint64_t{52});
}
// y 2^n for y from 1/2 to 2 and a whole number n: one rounding, also below the smallest normal number; |n| up to 2000.
template <class N>
N scaled(const N& y, const N& n) {
  const N half = floor(n * 0.5);
  return (y * power_of_two(bits(half + rounding_shift))) * power_of_two(bits((n - half) + rounding_shift));
}

}  // namespace actio::elementary
