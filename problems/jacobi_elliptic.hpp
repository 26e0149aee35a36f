// Jacobi's elliptic functions and the elliptic integrals that belong to them, at any precision, by the
// arithmetic-geometric mean (AGM).
#pragma once

#include <cmath>
#include <vector>

#include "actio/base/error.hpp"
#include "actio/base/scalar.hpp"

namespace actio {

template <class S>
struct elliptic_values {
  S sn, cn, dn;
  S am;  // the amplitude: sn = sin am, cn = cos am; it grows by π with every 2K
};

// Everything that depends on the modulus alone is computed once. Notation: k modulus, k1 = √(1 − k²) its complement,
// K the quarter period; a_n, b_n, c_n the AGM that starts from a_0 = 1, b_0 = k1, c_0 = k.
template <class S>
class elliptic_modulus {
 public:
  // 0 <= k < 1. Both k and k1 are given, because each loses its digits when computed from the other near 1. With both,
  // nothing below subtracts nearly equal numbers: results keep their digits however near to 1 the modulus is.
  elliptic_modulus(const S& k, const S& k1) : k1_(k1) {
    using std::abs, std::sqrt;
    ACTIO_ASSERT(k1 > 0);
    S a(1), b = k1, c = k;
    while (abs(c) > epsilon<S>() * a) {
      const S mean = (a + b) / 2, next_c = (a - b) / 2, next_b = sqrt(S(a * b));
      levels_.push_back({a, b, next_c, S(next_c / mean), S(next_b / mean)});
      b = next_b;
      a = mean;
      c = next_c;
      scale_ *= 2;
    }
    last_mean_ = a;
    scale_ *= a;
    quarter_period_ = pi_value<S>() / (2 * a);
  }
  explicit elliptic_modulus(const S& k) : elliptic_modulus(k, complement(k)) {}

  const S& quarter_period() const { return quarter_period_; }  // K

  // By descending Landen transformations, from sin and cos of a_N u, with the modulus κ = c_n/a_n of the next level:
  //   sn = (1 + κ) sn_κ/(1 + κ sn_κ²),   cn = cn_κ dn_κ/(1 + κ sn_κ²).   [dlmf, 22.7]
  elliptic_values<S> at(const S& u) const {
    using std::atan2, std::cos, std::floor, std::sin;
    const S half_turns = floor(S(u / (2 * quarter_period_) + S(1) / 2));
    const S angle = last_mean_ * (u - 2 * quarter_period_ * half_turns);
    S s = sin(angle), c = cos(angle);
    for (std::size_t n = levels_.size(); n-- > 0;) {
      const S kappa = levels_[n].ratio, below = 1 + kappa * s * s, dn = delta(s, c, levels_[n].complement);
      s = (1 + kappa) * s / below;
      c = c * dn / below;
    }
    const S sign = floor(S(half_turns / 2)) * 2 == half_turns ? 1 : -1;
    return {S(sign * s), S(sign * c), delta(s, c, k1_), S(atan2(s, c) + half_turns * pi_value<S>())};
  }

  // F(φ) = ∫_0^φ dx/√(1 − k² sin² x), the inverse of the amplitude, and Z(φ) = E(φ) − (E/K) F(φ) = Σ c_n sin φ_n, for
  // every real φ.
  struct integrals {
    S first_kind, zeta;
  };
  integrals at_amplitude(const S& phi) const {
    using std::cos, std::floor, std::sin;
    const S half_turns = floor(S(phi / pi_value<S>() + S(1) / 2)), rest = phi - half_turns * pi_value<S>();
    integrals result = at_direction(S(sin(rest)), S(cos(rest)));
    result.first_kind += 2 * quarter_period_ * half_turns;
    return result;
  }
  // The same for the φ in (−π, π] whose sine and cosine have these proportions: near ±π/2, where F is steep, they say
  // more than the angle.
  integrals at_direction(S s, S c) const {
    using std::atan2, std::sqrt;
    S zeta(0), half_turns(0);
    const auto normalise = [&] {
      const S length = sqrt(S(s * s + c * c));
      s /= length;
      c /= length;
    };
    // φ_n is turned into the right half plane, where tan(φ_{n+1} − φ_n) = (b_n/a_n) tan φ_n has one branch only.
    const auto turn = [&] {
      if (c >= 0) return;
      half_turns += s < 0 ? -1 : 1;
      s = -s;
      c = -c;
    };
    normalise();
    turn();
    for (const level& n : levels_) {
      const S next_s = (n.a + n.b) * s * c, next_c = n.a * c * c - n.b * s * s;
      s = next_s;
      c = next_c;
      half_turns *= 2;
      normalise();
      zeta += n.next_c * s;
      turn();
    }
    return {S((atan2(s, c) + half_turns * pi_value<S>()) / scale_), zeta};
  }
  S first_kind(const S& phi) const { return at_amplitude(phi).first_kind; }

 private:
  struct level {
    S a, b, next_c, ratio, complement;  // a_n, b_n, c_{n+1}, c_{n+1}/a_{n+1}, b_{n+1}/a_{n+1}
  };
  // dn = √(1 − k² sn²) from sn, cn and √(1 − k²).
  static S delta(const S& s, const S& c, const S& complement) {
    using std::sqrt;
    return sqrt(S(c * c + complement * complement * s * s));
  }
  static S complement(const S& k) {
    using std::sqrt;
    return sqrt(S((1 - k) * (1 + k)));
  }

  S k1_, scale_{1}, last_mean_{1}, quarter_period_{0};  // scale: 2^N a_N, last mean: a_N
  std::vector<level> levels_;
};

// K(k) = π / (2 agm(1, √(1 − k²))).
template <class S>
S complete_elliptic_integral(const S& k) {
  return elliptic_modulus<S>(k).quarter_period();
}

template <class S>
elliptic_values<S> jacobi_elliptic(const S& u, const S& k) {
  return elliptic_modulus<S>(k).at(u);
}

}  // namespace actio
