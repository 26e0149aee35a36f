// Inverse trigonometric functions.
#pragma once

#include "actio/backend/elementary/arithmetic.hpp"
#include "actio/backend/elementary/constants.hpp"

namespace actio::elementary {

// `quarters` π/4 + (t + t_low + t³ A(t²)); quarters is 0 to 4, |t| at most ½.
template <class N>
N joined_arc(const N& quarters, const extended<N>& t) {
  const N z = t.high * t.high;
  const extended<N> first = ordered_sum(quarters * constants::quarter_pi[0], t.high);
  const N rest = fma(t.high * z, polynomial(constants::arctangent, z), fma(quarters, constants::quarter_pi[1], t.low));
  return first.high + (first.low + rest);
}

// The angle between 0 and π of a point whose larger coordinate is b and whose smaller one a, both positive: above the
// diagonal where `steep`, left of the axis where `left`. A ratio beyond ½ is turned by π/4.
template <class N>
N angle_of(const N& a, const N& b, const truth_of<N>& steep, const truth_of<N>& left) {
  const auto turned = a > 0.5 * b;
  const extended<N> whole = ordered_sum(b, a);
  const extended<N> t = quotient(extended<N>{select(turned, a - b, a), N(-0.0)},
                                 extended<N>{select(turned, whole.high, b), select(turned, whole.low, 0.0)});
  const N once = select(turned, 1.0, N(0.0)), twice = select(steep, 2.0 - once, once);
  const auto falls = steep ^ left;
  return joined_arc(select(left, 4.0 - twice, twice), {select(falls, -t.high, t.high), select(falls, -t.low, t.low)});
}

template <class N>
N arctangent(const N& x) {
  const N size = absolute(x), bounded = select(size > 0x1p64, 0x1p64, size);
  const auto steep = size > 1.0;
  const N angle = angle_of(select(steep, 1.0, size), select(steep, bounded, 1.0), steep, steep & !steep);
  return with_sign(angle, sign_bit(x));
}

// Ratios, sizes and points at which the usual way loses digits or has no answer.
template <class N>
N special_angle(const N& y, const N& x, const truth_of<N>& steep, const truth_of<N>& left) {
  const N up = absolute(y), along = absolute(x);
  const N a = select(steep, along, up), b = select(steep, up, along);
  const N scale = select(b > 0x1p900, 0x1p-200, select(b < 0x1p-800, 0x1p200, N(1.0)));
  const auto unbounded = b == infinity;
  const N a_used = select(unbounded, select(a == infinity, 1.0, N(0.0)), a * scale);
  const N b_used = select(unbounded | (b == 0.0), 1.0, b * scale);
  const N angle = angle_of(a_used, b_used, steep, left);
  const auto is_ratio = (a < b * 0x1p-40) & !steep & !left & !unbounded;  // atan t = t
  return select(is_nan(x) | is_nan(y), x + y, select(is_ratio, a / b, angle));
}

// The angle of the point (x, y).
template <class N>
N arctangent(const N& y, const N& x) {
  const N up = absolute(y), along = absolute(x);
  const auto steep = up > along, left = sign_bit(x) == top_bit;
  const N a = select(steep, along, up), b = select(steep, up, along);
  const auto is_usual = (a > 0x1p-800) & (b < 0x1p900);
  const N angle = rarely(!is_usual, angle_of(a, b, steep, left), [&] { return special_angle(y, x, steep, left); });
  return with_sign(angle, sign_bit(y));
}

// asin of |x| up to ½ is t + t³ B(t²) with t = |x|; beyond that π/2 − 2 (t + t³ B(t²)) with t² = (1 − |x|)/2.
template <class N>
struct arcsine_parts {
  truth_of<N> outer;
  N t, rest;  // t + rest
};
template <class N>
arcsine_parts<N> parts_of_arcsine(const N& size) {
  const auto outer = size > 0.5;
  const N z = select(outer, fma(size, -0.5, N(0.5)), size * size);
  const N t = select(outer, sqrt(z), size);
  const N lost = select(outer & (z > 0.0), fma(-t, t, z) * (0.5 / t), 0.0);
  return {outer, t, fma(t * z, polynomial(constants::arcsine, z), lost)};
}

template <class N>
N arcsine(const N& x) {
  const auto [outer, t, rest] = parts_of_arcsine(absolute(x));
  const extended<N> turned = ordered_sum(N(2 * constants::quarter_pi[0]), -2.0 * t);
  const N far = turned.high + (turned.low + fma(rest, -2.0, N(2 * constants::quarter_pi[1])));
  return with_sign(select(outer, far, t + rest), sign_bit(x));
}

template <class N>
N arccosine(const N& x) {
  const auto [outer, t, rest] = parts_of_arcsine(absolute(x));
  const auto left = x < 0.0;
  // quarters π/4 ± (t + rest), once or twice
  const N factor = select(outer, 2.0, N(1.0)), quarters = select(outer, select(left, 4.0, N(0.0)), 2.0);
  const N signed_factor = select(outer ^ left, factor, -factor);
  const extended<N> s = ordered_sum(quarters * constants::quarter_pi[0], signed_factor * t);
  return s.high + (s.low + fma(signed_factor, rest, quarters * constants::quarter_pi[1]));
}

}  // namespace actio::elementary
