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
  // 0 <= k < 1. Both k and k1 are given, because each loses its digits when computed from the other near 1.
  elliptic_modulus(const S& k, const S& k1) : k1_(k1) {
    using std::abs, std::sqrt;
    ACTIO_ASSERT(k1 > 0);
    S a(1), b = k1, c = k;
    while (abs(c) > epsilon<S>() * a) {
      const S mean = (a + b) / 2, next_c = (a - b) / 2;
      levels_.push_back({a, b, next_c, S(next_c / mean)});
      b = sqrt(S(a * b));
      a = mean;
      c = next_c;
      scale_ *= 2;
    }
    scale_ *= a;
    quarter_period_ = pi_value<S>() / (2 * a);
  }
  explicit elliptic_modulus(const S& k) : elliptic_modulus(k, complement(k)) {}

  const S& quarter_period() const { return quarter_period_; }  // K

  // By descending Landen transformations: φ_N = 2^N a_N u, φ_{n−1} = (φ_n + asin(c_n/a_n sin φ_n))/2.   [dlmf, 22.20]
  elliptic_values<S> at(const S& u) const {
    using std::asin, std::cos, std::floor, std::sin, std::sqrt;
    const S half_turns = floor(S(u / (2 * quarter_period_) + S(1) / 2));
    S phi = scale_ * (u - 2 * quarter_period_ * half_turns);
    for (std::size_t n = levels_.size(); n-- > 0;) phi = (phi + asin(S(levels_[n].ratio * sin(phi)))) / 2;
    const S sign = floor(S(half_turns / 2)) * 2 == half_turns ? 1 : -1;
    const S s = sin(phi), c = cos(phi);
    return {S(sign * s), S(sign * c), sqrt(S(c * c + k1_ * k1_ * s * s)), S(phi + half_turns * pi_value<S>())};
  }

  // F(φ) = ∫_0^φ dx/√(1 − k² sin² x), the inverse of the amplitude, and Z(φ) = E(φ) − (E/K) F(φ) = Σ c_n sin φ_n, for
  // every real φ.
  struct integrals {
    S first_kind, zeta;
  };
  integrals at_amplitude(S phi) const {
    using std::atan2, std::cos, std::sin;
    S zeta(0);
    for (const level& n : levels_) {
      // tan(φ_{n+1} − φ_n) = (b_n/a_n) tan φ_n, written with the small angle 2φ_n − φ_{n+1}, which has one branch only.
      const S s = sin(phi), c = cos(phi);
      phi = 2 * phi - atan2(S((n.a - n.b) * s * c), S(n.a * c * c + n.b * s * s));
      zeta += n.next_c * sin(phi);
    }
    return {S(phi / scale_), zeta};
  }
  S first_kind(const S& phi) const { return at_amplitude(phi).first_kind; }

 private:
  struct level {
    S a, b, next_c, ratio;  // a_n, b_n, c_{n+1}, c_{n+1}/a_{n+1}
  };
  static S complement(const S& k) {
    using std::sqrt;
    return sqrt(S((1 - k) * (1 + k)));
  }

  S k1_, scale_{1}, quarter_period_{0};  // scale: 2^N a_N
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
