// log and its relatives: x = 2^k (1 + f), 1 + f from √½ to √2, s = f/(1 + f/2), log(1 + f) = s + s³ L(s²).
#pragma once

#include "actio/backend/elementary/arithmetic.hpp"
#include "actio/backend/elementary/constants.hpp"

namespace actio::elementary {

template <class N>
struct binary_parts {
  N k;
  whole_of<N> exponent;  // k + 1023
  N f;
};

// Of a positive finite x.
template <class N>
binary_parts<N> parts_of(const N& x) {
  constexpr std::uint64_t mantissa = (std::uint64_t{1} << 52) - 1;
  const std::uint64_t root = bits(constants::root_half), above = bits(1.0) - root;
  const auto small = x < smallest_normal;
  const auto shifted = bits(select(small, x * 0x1p54, x)) + above;
  const auto exponent = shifted >> std::uint64_t{52};
  const N k = from_bits(exponent | bits(0x1p52)) - select(small, 0x1p52 + (1023 + 54), N(0x1p52 + 1023));
  return {k, exponent, from_bits((shifted & mantissa) + root) - 1.0};
}

// s of f + f_low.
template <class N>
extended<N> half_tangent(const N& f, const N& f_low) {
  const extended<N> d = ordered_sum(N(1.0), f * 0.5);
  return quotient(extended<N>{f, f_low}, extended<N>{d.high, fma(f_low, 0.5, d.low)});
}

// k ln 2 + log(1 + f).
template <class N>
N joined_logarithm(const N& k, const extended<N>& s) {
  const N z = s.high * s.high;
  const extended<N> first = ordered_sum(k * constants::ln2[0], s.high);
  const N rest = fma(s.high * z, polynomial(constants::logarithm, z), fma(k, constants::ln2[1], s.low));
  return first.high + (first.low + rest);
}

template <class N>
N logarithm(const N& x) {
  const binary_parts<N> parts = parts_of(x);
  const N usual = joined_logarithm(parts.k, half_tangent(parts.f, N(-0.0)));
  return rarely(!((x > 0.0) & (x < infinity)), usual,
                [&] { return select(x == 0.0, -infinity, select(x < 0.0, not_a_number, x)); });
}

template <class N>
N logarithm_of_one_plus(const N& x) {
  const extended<N> u = sum(N(1.0), x);
  const binary_parts<N> parts = parts_of(u.high);
  const N scale = from_bits((std::uint64_t{2046} - parts.exponent) << std::uint64_t{52});  // 2^−k
  const extended<N> f = ordered_sum(parts.f, u.low * select(x < 0x1p60, scale, 0.0));
  const N usual = joined_logarithm(parts.k, half_tangent(f.high, f.low));
  return rarely(!((x > -1.0) & (x < infinity) & (absolute(x) > 0x1p-60)), usual,
                [&] { return select(x == -1.0, -infinity, select(x < -1.0, not_a_number, x)); });
}

// To about 2⁻⁶⁸ of its size.
template <class N>
extended<N> extended_logarithm(const N& k, const extended<N>& s) {
  namespace c = constants;
  const extended<N> square = product(s.high, s.high), z{square.high, fma(2.0 * s.high, s.low, square.low)};
  const extended<N> second = ordered_sum(N(c::logarithm[1]), z.high * polynomial_from<2>(c::logarithm, z.high));
  const extended<N> w = product(z, extended<N>{second.high, second.low + c::logarithm_1_low});
  const extended<N> first = ordered_sum(N(c::logarithm[0]), w.high);
  const extended<N> tail = product(product(s, z), extended<N>{first.high, first.low + (w.low + c::logarithm_0_low)});
  const extended<N> a = ordered_sum(k * c::ln2[0], s.high), b = ordered_sum(a.high, tail.high);
  return ordered_sum(b.high, (a.low + b.low) + (fma(k, c::ln2[1], s.low) + tail.low));
}

}  // namespace actio::elementary
