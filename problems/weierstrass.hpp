// Weierstrass' elliptic function ℘ where its cubic has three real roots, at any precision.
#pragma once

#include <cmath>
#include <optional>

#include "problems/jacobi_elliptic.hpp"

namespace actio {

// ℘'² = 4℘³ − g2 ℘ − g3 = 4 (℘ − e1)(℘ − e2)(℘ − e3) with e1 > e2 > e3 and e1 + e2 + e3 = 0. It is real on two lines:
//   t real:  ℘(t) = e3 + (e1 − e3)/sn²(r t),            from the pole at 0 down to e1 at the half period ω1 and back
//   t + ω3:  ℘(t + ω3) = e3 + (e2 − e3) sn²(r t),       from e3 up to e2 and back, no pole
// with r = √(e1 − e3), k² = (e2 − e3)/(e1 − e3), ω1 = K(k)/r and ω3 = i K(k1)/r.   [dlmf, 23.6]
template <class S>
class weierstrass {
 public:
  // From the distances between the roots, e2 − e3 >= 0 and e1 − e2 > 0: they determine the roots, and unlike them they
  // keep their digits where two roots are near each other.
  weierstrass(const S& lower_gap, const S& upper_gap)
      : lower_gap_(lower_gap),
        upper_gap_(upper_gap),
        rate_(root(S(lower_gap + upper_gap))),
        modulus_(root(S(lower_gap / (lower_gap + upper_gap))), root(S(upper_gap / (lower_gap + upper_gap)))) {}

  // Nothing unless the cubic has three different real roots: g2³ > 27 g3².
  static std::optional<weierstrass> from_invariants(const S& g2, const S& g3) {
    using std::atan2, std::sin;
    const S discriminant = g2 * g2 * g2 - 27 * g3 * g3;
    if (!(g2 > 0 && discriminant > 16 * epsilon<S>() * g2 * g2 * g2)) return std::nullopt;
    // e = √(g2/3) cos(angle + 2πj/3)
    const S third = pi_value<S>() / 3, angle = atan2(root(discriminant), S(root(S(27)) * g3)) / 3;
    return weierstrass(S(root(g2) * sin(angle)), S(root(g2) * sin(S(third - angle))));
  }

  S e1() const { return (lower_gap_ + 2 * upper_gap_) / 3; }
  S e2() const { return (lower_gap_ - upper_gap_) / 3; }
  S e3() const { return -(2 * lower_gap_ + upper_gap_) / 3; }
  S g2() const { return 4 * (lower_gap_ * lower_gap_ + lower_gap_ * upper_gap_ + upper_gap_ * upper_gap_) / 3; }
  S g3() const { return 4 * e1() * e2() * e3(); }

  // ω1 is real; ω3 is i times the number returned, infinite (nothing) where e2 = e3.
  S half_period() const { return modulus_.quarter_period() / rate_; }
  std::optional<S> imaginary_half_period() const {
    if (lower_gap_ == 0) return std::nullopt;
    return S(complement().quarter_period() / rate_);
  }
  const elliptic_modulus<S>& modulus() const { return modulus_; }
  elliptic_modulus<S> complement() const {  // needs e2 > e3
    const S span = lower_gap_ + upper_gap_;
    return {root(S(upper_gap_ / span)), root(S(lower_gap_ / span))};
  }
  const S& rate() const { return rate_; }  // r

  struct values {
    S value, slope;  // ℘ and ℘'
  };
  // On the real line, where t is not a multiple of 2ω1.
  values at(const S& t) const {
    const elliptic_values<S> e = modulus_.at(S(rate_ * t));
    const S inverse = rate_ / e.sn;
    return {S(e3() + inverse * inverse), S(-2 * inverse * inverse * inverse * e.cn * e.dn)};
  }

  struct shifted_values {
    S above_lowest, below_middle;  // ℘ − e3 and e2 − ℘, both without cancellation
    S slope;                       // ℘'
  };
  // At t + ω3 with real t.
  shifted_values at_shifted(const S& t) const {
    const elliptic_values<S> e = modulus_.at(S(rate_ * t));
    return {S(lower_gap_ * e.sn * e.sn), S(lower_gap_ * e.cn * e.cn), S(2 * lower_gap_ * rate_ * e.sn * e.cn * e.dn)};
  }
  // The t in [0, ω1] with ℘(t + ω3) − e3 : e2 − ℘(t + ω3) = above : below.
  S shifted_time(const S& above, const S& below) const {
    return modulus_.at_direction(root(above), root(below)).first_kind / rate_;
  }

 private:
  static S root(const S& x) {
    using std::sqrt;
    return sqrt(x);
  }
  S lower_gap_, upper_gap_, rate_;
  elliptic_modulus<S> modulus_;
};

}  // namespace actio
