// Sine, cosine and tangent.
//
// For |x| up to `largest_sine_argument`: n = nearest whole number to 2|x|/π, |x| = n π/2 + r + r_low, with z = r²
//   sin(r + r_low) = r + (r z S(z) + r_low (1 − z/2)),   cos(r + r_low) = (1 − z/2) + (z² C(z) − r r_low),
// where what the roundings of z and 1 − z/2 lose is added to the small terms of the cosine.
// π/2 is split in three: n half_pi[0] is subtracted without error by one fused operation, because the difference is a
// multiple of 2⁻⁵³ below 1; n half_pi[1] is exact because half_pi[1] has 32 bits and n at most 20.
// Beyond: Payne and Hanek, |x| 2/π modulo 4 to 2⁻¹³⁷ by whole numbers.
#pragma once

#include "actio/backend/elementary/arithmetic.hpp"
#include "actio/backend/elementary/constants.hpp"

namespace actio::elementary {

inline constexpr double largest_sine_argument = 0x1.8p20;

template <class N>
struct sine_and_cosine {
  N sine, cosine;
};

// r + r_low, between −π/4 and π/4, and the number of quarters in the two low bits of `quadrant`.
template <class N>
struct reduced_angle {
  N r, r_low;
  whole_of<N> quadrant;
};

// `size` = |x| up to largest_sine_argument.
template <class N>
reduced_angle<N> reduced(const N& size) {
  const N shifted = fma(size, constants::two_over_pi, rounding_shift), n = shifted - rounding_shift;
  const N first = fma(n, -constants::half_pi[0], size), part = n * constants::half_pi[1], r = first - part;
  return {r, fma(n, -constants::half_pi[2], (first - r) - part), bits(shifted)};
}

// a + b, and the carry.
template <class W>
std::array<W, 2> sum_of_bits(const W& a, const W& b) {
  const W s = a + b;
  return {s, ((a & b) | ((a | b) & (s ^ ~std::uint64_t{0}))) >> std::uint64_t{63}};
}
// m times the 192 bits of w, modulo 2^192; highest word first.
template <class W>
std::array<W, 3> product_of_bits(const W& m, const std::array<W, 3>& w) {
  const auto [middle, carry] = sum_of_bits(m * w[1], high_product(m, w[2]));
  return {m * w[0] + high_product(m, w[1]) + carry, middle, m * w[2]};
}

// `size` = |x| beyond largest_sine_argument and finite; for others the result has no meaning.
template <class N>
reduced_angle<N> reduced_large(const N& size) {
  using W = whole_of<N>;
  constexpr std::uint64_t mantissa = (std::uint64_t{1} << 52) - 1, one = 1, low_bits = 0xffffffff;
  constexpr std::size_t words = std::size(constants::two_over_pi_bits);
  const N clamped =
      select(size > largest_sine_argument, select(size < infinity, size, largest_sine_argument), largest_sine_argument);
  const W all = bits(clamped);
  // clamped = m 2^e: bits of 2/π from the one whose product with m is a multiple of 2; the point stands behind a word.
  const W m = (all & mantissa) | (one << 52), place = (all >> std::uint64_t{52}) - std::uint64_t{1075 - 62};
  const W index = place >> std::uint64_t{6}, shift = place & std::uint64_t{63};
  std::array<W, 3> w;
  W word = entry(constants::two_over_pi_bits, words, index);
  for (std::size_t k = 0; k < 3; ++k) {
    const W next = entry(constants::two_over_pi_bits, words, index + std::uint64_t{k + 1});
    w[k] = (word << shift) | ((next >> one) >> (std::uint64_t{63} - shift));
    word = next;
  }
  const std::array<W, 3> v = product_of_bits(m, w);  // two bits before the point
  const W quadrant = (v[0] + (one << 61)) >> std::uint64_t{62};
  const W negative = (v[0] << std::uint64_t{2}) >> std::uint64_t{63}, flip = std::uint64_t{0} - negative;
  const W f[] = {((v[0] << std::uint64_t{2}) | (v[1] >> std::uint64_t{62})) ^ flip,
                 ((v[1] << std::uint64_t{2}) | (v[2] >> std::uint64_t{62})) ^ flip, (v[2] << std::uint64_t{2}) ^ flip};
  const auto number = [](const W& limb) { return from_bits(limb | bits(0x1p52)) - 0x1p52; };
  N high = number(f[0] >> std::uint64_t{32}) * 0x1p-32, low = high * 0.0;
  double weight = 0x1p-64;
  for (std::size_t k = 1; k < 6; ++k, weight *= 0x1p-32) {
    const W limb = k % 2 == 1 ? f[k / 2] & low_bits : f[k / 2] >> std::uint64_t{32};
    const extended<N> both = ordered_sum(high, number(limb) * weight);
    high = both.high;
    low = low + both.low;
  }
  const N p = high * constants::half_pi_pair[0];
  const N p_low = fma(high, constants::half_pi_pair[0], -p) +
                  fma(high, constants::half_pi_pair[1], low * constants::half_pi_pair[0]);
  const extended<N> angle = ordered_sum(p, p_low);
  const W sign = negative << std::uint64_t{63};
  return {with_sign(angle.high, sign), with_sign(angle.low, sign), quadrant};
}

// Of r + r_low; high + low is nearer than a number can be.
template <class N>
struct kernel_values {
  extended<N> sine, cosine;
};
template <class N>
kernel_values<N> sine_kernel(const reduced_angle<N>& angle) {
  const N &r = angle.r, &r_low = angle.r_low;
  const N z = r * r, half_z = z * 0.5, w = 1.0 - half_z;
  const N lost = (1.0 - w) - half_z, z_low = fma(r, r, -z);  // of 1 − z/2 and of r²
  const N sine_low = fma(r * z, polynomial(constants::sine, z), r_low * w);
  const N cosine_low = fma(z * z, polynomial(constants::cosine, z), fma(z_low, -0.5, lost));
  return {{r, sine_low}, {w, fma(-r, r_low, cosine_low)}};
}

// The second bit of the quadrant is the sign of the sine, that of the next one the sign of the cosine.
template <class N>
sine_and_cosine<N> turned_back(const N& x, const N& sine, const N& cosine, const whole_of<N>& quadrant) {
  const auto odd = (quadrant & std::uint64_t{1}) == std::uint64_t{1};
  const auto sign = [](const auto& q) { return (q << std::uint64_t{62}) & top_bit; };
  return {with_sign(select(odd, cosine, sine), sign(quadrant) ^ sign_bit(x)),
          with_sign(select(odd, sine, cosine), sign(quadrant + std::uint64_t{1}))};
}

template <class N>
sine_and_cosine<N> sine_and_cosine_of(const N& x, const reduced_angle<N>& angle) {
  const auto [sine, cosine] = sine_kernel(angle);
  return turned_back(x, sine.high + sine.low, cosine.high + cosine.low, angle.quadrant);
}

template <class N>
truth_of<N> too_large_for_sine(const N& x) {
  return absolute(x) > largest_sine_argument;
}
// Right where the argument is not too large.
template <class N>
sine_and_cosine<N> usual_sine_and_cosine(const N& x) {
  return sine_and_cosine_of(x, reduced(absolute(x)));
}
// Right where it is.
template <class N>
sine_and_cosine<N> large_sine_and_cosine(const N& x) {
  const auto [sine, cosine] = sine_and_cosine_of(x, reduced_large(absolute(x)));
  const auto without = is_infinite(x);
  return {select(without, not_a_number, sine), select(without, not_a_number, cosine)};
}
template <class N>
sine_and_cosine<N> any_sine_and_cosine(const N& x) {
  const auto [sine, cosine] = usual_sine_and_cosine(x);
  const std::array<N, 2> both = rarely(too_large_for_sine(x), std::array<N, 2>{sine, cosine}, [&] {
    const auto [large_sine, large_cosine] = large_sine_and_cosine(x);
    return std::array<N, 2>{large_sine, large_cosine};
  });
  return {both[0], both[1]};
}

// To nine digits, sooner: both series end where the next term is below 2e-9 for |r| up to π/4.
template <class N>
sine_and_cosine<N> rough_sine_and_cosine(const N& x) {
  constexpr double sine[] = {-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880};
  constexpr double cosine[] = {-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800};
  const N size = absolute(x), shifted = fma(size, constants::two_over_pi, rounding_shift);
  const N r = fma(shifted - rounding_shift, -constants::half_pi[0], size), z = r * r;
  return turned_back(x, fma(r * z, polynomial(sine, z), r), fma(z, polynomial(cosine, z), N(1.0)), bits(shifted));
}

template <class N>
N sine(const N& x) {
  return any_sine_and_cosine(x).sine;
}
template <class N>
N cosine(const N& x) {
  return any_sine_and_cosine(x).cosine;
}

// sin/cos or −cos/sin of the reduced angle.
template <class N>
N tangent(const N& x) {
  const auto of = [&](const reduced_angle<N>& angle) {
    const auto [s, c] = sine_kernel(angle);
    const auto odd = (angle.quadrant & std::uint64_t{1}) == std::uint64_t{1};
    const extended<N> above{select(odd, c.high, s.high), select(odd, c.low, s.low)};
    const extended<N> below{select(odd, s.high, c.high), select(odd, s.low, c.low)};
    const extended<N> q = quotient(ordered_sum(above.high, above.low), ordered_sum(below.high, below.low));
    return with_sign(q.high + q.low, (angle.quadrant << std::uint64_t{63}) ^ sign_bit(x));
  };
  const N size = absolute(x);
  return rarely(too_large_for_sine(x), of(reduced(size)),
                [&] { return select(is_infinite(x), not_a_number, of(reduced_large(size))); });
}

}  // namespace actio::elementary
