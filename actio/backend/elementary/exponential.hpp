// exp and its relatives: exp x = 2^n (1 + e), |e| below 0.42, where e = exp(r) − 1 and x = n ln 2 + r.
#pragma once

#include "actio/backend/elementary/arithmetic.hpp"
#include "actio/backend/elementary/constants.hpp"

namespace actio::elementary {

template <class N>
struct exponential_parts {
  N n;
  whole_of<N> shifted;  // n in the low bits
  extended<N> e;
};

// Of x + x_low, |x| up to 2^12.
template <class N>
exponential_parts<N> parts_of_exponential(const N& x, const N& x_low) {
  const N shifted = fma(x, constants::one_over_ln2, rounding_shift), n = shifted - rounding_shift;
  const auto [r, r_low] = ordered_sum(fma(n, -constants::ln2[0], x), fma(n, -constants::ln2[1], x_low));
  const N half = r * 0.5, square = half * r, cube = (r * r) * r;
  const extended<N> e = ordered_sum(r, square);
  const N rest = fma(r_low, e.high, r_low) + (e.low + fma(half, r, -square));
  return {n, bits(shifted), {e.high, fma(cube, polynomial(constants::exponential, r), rest)}};
}

template <class N>
N one_plus(const extended<N>& e) {
  const extended<N> s = ordered_sum(N(1.0), e.high);
  return s.high + (s.low + e.low);
}

// (1 + e) 2^n where n is at most 1022 in size.
template <class N>
N usual_exponential(const exponential_parts<N>& of) {
  return from_bits(bits(one_plus(of.e)) + (of.shifted << std::uint64_t{52}));
}
// 2^more exp x for every x, NaN too; the parts are those of x.
template <class N>
N any_exponential(const N& x, const exponential_parts<N>& of, double more = 0) {
  const N value = scaled(one_plus(of.e), of.n + more);
  return select(x > 712.0, infinity, select(x < -746.0, 0.0, select(is_nan(x), x, value)));
}
inline constexpr double usual_exponent = 700;

template <class N>
N exponential(const N& x) {
  const exponential_parts<N> parts = parts_of_exponential(x, N(-0.0));
  return rarely(!(absolute(x) <= usual_exponent), usual_exponential(parts), [&] { return any_exponential(x, parts); });
}

// exp x − 1 = (2^n − 1) + 2^n e, for x from −usual_exponent to usual_exponent.
template <class N>
extended<N> less_one(const exponential_parts<N>& of) {
  const N power = power_of_two(of.shifted), first = power - 1.0;
  const extended<N> s = ordered_sum(first, power * of.e.high);
  return {s.high, fma(power, of.e.low, s.low) + ((power - first) - 1.0)};
}

template <class N>
N exponential_minus_one(const N& x) {
  const exponential_parts<N> parts = parts_of_exponential(x, N(-0.0));
  const extended<N> e = less_one(parts);
  const auto far_away = !(absolute(x) <= usual_exponent), special = far_away | (absolute(x) < 0x1p-60);
  return rarely(special, e.high + e.low, [&] {
    const N far = select(x < 0.0, -1.0, any_exponential(x, parts));
    return select(absolute(x) < 0x1p-60, x, far);
  });
}

// (E + E/(E + 1))/2 with E = exp|x| − 1.
template <class N>
N hyperbolic_sine(const N& x) {
  const N size = absolute(x);
  const exponential_parts<N> parts = parts_of_exponential(size, N(-0.0));
  const extended<N> part = less_one(parts), e = ordered_sum(part.high, part.low);
  const extended<N> whole = sum(N(1.0), e.high);
  const extended<N> q = quotient(e, extended<N>{whole.high, whole.low + e.low});
  const extended<N> s = ordered_sum(e.high, q.high);
  const N usual = 0.5 * (s.high + (s.low + (e.low + q.low)));
  return with_sign(rarely(!(size <= usual_exponent), usual, [&] { return any_exponential(size, parts, -1); }),
                   sign_bit(x));
}

// (D + 1/D)/2 with D = exp|x|.
template <class N>
N hyperbolic_cosine(const N& x) {
  const N size = absolute(x);
  const exponential_parts<N> parts = parts_of_exponential(size, N(-0.0));
  const N power = power_of_two(parts.shifted);
  const extended<N> s = ordered_sum(N(1.0), parts.e.high), d = ordered_sum(s.high, s.low + parts.e.low);
  const extended<N> whole{power * d.high, power * d.low};
  const extended<N> q = quotient(extended<N>{N(1.0), N(-0.0)}, whole);
  const extended<N> both = ordered_sum(whole.high, q.high);
  const N usual = 0.5 * (both.high + (both.low + (whole.low + q.low)));
  return rarely(!(size <= usual_exponent), usual, [&] { return any_exponential(size, parts, -1); });
}

// E/(E + 2) with E = exp|2x| − 1.
template <class N>
N hyperbolic_tangent(const N& x) {
  const N size = absolute(x), twice = 2.0 * select(size > 20.0, 20.0, size);
  const extended<N> part = less_one(parts_of_exponential(twice, N(-0.0))), e = ordered_sum(part.high, part.low);
  const extended<N> whole = sum(N(2.0), e.high);
  const extended<N> q = quotient(e, extended<N>{whole.high, whole.low + e.low});
  return with_sign(q.high + q.low, sign_bit(x));
}

}  // namespace actio::elementary
