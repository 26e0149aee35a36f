// The exact motion of Lagrange's top, the heavy symmetric top on a fixed point:
//   L = I1 (θ'² + sin²θ φ'²)/2 + I3 (ψ' + φ' cos θ)²/2 − weight cos θ.
//
// Notation: u = cos θ; a = p_φ/I1, b = p_ψ/I1, β = 2 weight/I1. Energy gives u'² = f(u), a cubic, f(±1) = −(a ∓ b)²:
//   f(u) = (1 − u²)(α − βu) − (a − bu)² = β (u − u1)(u − u2)(u − u3),   −1 < u1 <= u <= u2 < 1 < u3,
// so that u = (4/β) ℘(t + phase + ω3) + (α + b²)/(3β).   [rojas2025, eq. 20, with its constant put right]
//
// The angles are elliptic integrals of the third kind, Φ± = ∫ (a ∓ b)/(2(1 ∓ u)) dt:
//   φ = φ0 + Φ+ + Φ−,   ψ = ψ0 + (p_ψ/I3 − b) t − Φ+ + Φ−,
// and Jacobi's form of these integrals is a line plus the argument of a theta function:
//   Φ± = sign(a ∓ b) (rate± w t + arg Θ±(wt + x0) − arg Θ±(x0)).
// Differences of nearly equal numbers are avoided, so that digits are lost only where the data themselves hardly
// determine the motion: near a passage through the vertical.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "problems/weierstrass.hpp"

namespace actio {

template <class S>
struct top_start {
  S I1, I3, weight;   // weight: mass · gravity · distance of the centre of mass; may be negative
  S phi, theta, psi;  // precession, nutation, spin
  S phi_rate, theta_rate, psi_rate;
};

// rate · t + arg Θ(X + iY) − arg Θ(X0 + iY), times a sign: a line and a wave. Θ is the theta function θ4 of nome q
// where `alternating`, else θ3; its Fourier series converges like q^(n² − n).
template <class S>
class line_and_wave {
 public:
  line_and_wave(const S& sign, const S& rate, const S& log_q, const S& Y, bool alternating) : sign_(sign), rate_(rate) {
    using std::exp, std::log;
    const S negligible = log(epsilon<S>()) - 2;
    for (int n = 1;; ++n) {
      const S grown = n * n * log_q + 2 * n * Y, shrunk = n * n * log_q - 2 * n * Y;
      if (!(grown >= negligible)) return;
      const int term_sign = alternating && n % 2 == 1 ? -1 : 1;
      even_.push_back(S(term_sign * (exp(grown) + exp(shrunk))));
      odd_.push_back(S(term_sign * (exp(shrunk) - exp(grown))));
    }
  }

  // From cos 2X and sin 2X; the argument lies between −π/2 and π/2 and vanishes with sin 2X.
  void start_at(const S& cosine, const S& sine) { start_ = argument(cosine, sine); }
  S at(const S& t, const S& cosine, const S& sine) const {
    return sign_ * (rate_ * t + argument(cosine, sine) - start_);
  }
  S mean_rate() const { return sign_ * rate_; }

 private:
  S argument(const S& cosine, const S& sine) const {
    using std::atan2;
    S real(1), imaginary(0), c = cosine, s = sine;
    for (std::size_t n = 0; n < even_.size(); ++n) {
      real += even_[n] * c;
      imaginary += odd_[n] * s;
      const S next = c * cosine - s * sine;
      s = s * cosine + c * sine;
      c = next;
    }
    return atan2(imaginary, real);
  }

  S sign_, rate_, start_{0};
  std::vector<S> even_, odd_;
};

template <class S>
class lagrange_top_solution {
 public:
  explicit lagrange_top_solution(const top_start<S>& start) : start_(start) {
    using std::cos, std::floor, std::sin;
    // θ stays between two neighbouring multiples of π: θ = origin + side·angle with an angle in (0, π).
    const S pi = pi_value<S>(), half_turns = floor(S(start.theta / pi));
    const bool even = floor(S(half_turns / 2)) * 2 == half_turns;
    side_ = even ? 1 : -1;
    origin_ = (even ? half_turns : S(half_turns + 1)) * pi;
    const S half = side_ * (start.theta - origin_) / 2;
    // A weight that pulls down is one that pushes up, seen upside down: cos θ and b change their signs.
    upright_ = start.weight < 0 ? -1 : 1;
    beta_ = upright_ * 2 * start.weight / start.I1;
    axis_rate_ = start.psi_rate + start.phi_rate * cos(start.theta);
    b_ = upright_ * start.I3 * axis_rate_ / start.I1;
    S below = 2 * sin(half) * sin(half), above = 2 * cos(half) * cos(half);  // 1 − cos θ and 1 + cos θ
    precession_momentum_ = start.I1 * below * above * start.phi_rate + spin_momentum() * cos(start.theta);
    if (upright_ < 0) std::swap(below, above);
    const S u_rate = -upright_ * sin(S(2 * half)) * side_ * start.theta_rate;
    obstacle_ = found_obstacle(below, above);
    if (obstacle_.empty()) solve(below, above, u_rate);
  }

  // Why there is no solution, "" where there is one. Without one nothing else may be asked.
  const std::string& obstacle() const { return obstacle_; }

  // Nothing where the nutation is constant: a regular precession.
  std::optional<S> nutation_period() const {
    if (!pe_) return std::nullopt;
    return S(2 * pe_->half_period());
  }

  // The means of φ' and ψ' over a nutation.
  S mean_precession_rate() const { return pe_ ? S(plus_->mean_rate() + minus_->mean_rate()) : start_.phi_rate; }
  S mean_spin_rate() const {
    return pe_ ? S(axis_rate_ - upright_ * (b_ + plus_->mean_rate() - minus_->mean_rate())) : start_.psi_rate;
  }

  struct state {
    S precession, nutation, spin;
    S nutation_momentum;
  };
  state at(const S& t) const {
    using std::atan2, std::sqrt;
    if (!pe_) return {S(start_.phi + start_.phi_rate * t), start_.theta, S(start_.psi + start_.psi_rate * t), S(0)};
    const auto pe = pe_->at_shifted(S(t + phase_));
    const S below = top_gap_ + 4 * pe.below_middle / beta_, above = bottom_gap_ + 4 * pe.above_lowest / beta_;
    const S angle = 2 * atan2(sqrt(below), sqrt(above)), angle_rate = -4 * pe.slope / (beta_ * sqrt(S(below * above)));
    const auto [cosine, sine] = wave_phase(t);
    const S plus = plus_->at(t, cosine, sine), minus = minus_->at(t, cosine, sine);
    return {S(start_.phi + plus + minus), S(origin_ + side_ * (upright_ < 0 ? S(pi_value<S>() - angle) : angle)),
            S(start_.psi + axis_rate_ * t - upright_ * (b_ * t + plus - minus)),
            S(start_.I1 * side_ * upright_ * angle_rate)};
  }
  S precession(const S& t) const { return at(t).precession; }
  S nutation(const S& t) const { return at(t).nutation; }
  S spin(const S& t) const { return at(t).spin; }
  S nutation_momentum(const S& t) const { return at(t).nutation_momentum; }
  S precession_momentum() const { return precession_momentum_; }
  S spin_momentum() const { return start_.I3 * axis_rate_; }

 private:
  struct roots {
    S lowest, middle, highest;  // of f, measured from the initial u: lowest <= 0 <= middle < highest
  };

  // `below` and `above` are 1 − u and 1 + u at the start.
  std::string found_obstacle(const S& below, const S& above) const {
    using std::abs, std::sin;
    const S tolerance = 16 * epsilon<S>(), swept = below * above * start_.phi_rate;
    if (!(abs(sin(start_.theta)) > tolerance))
      return "the axis is vertical at the start, where its angles are not defined";
    if (beta_ == 0) return "the top has no weight";
    const auto vanishes = [&](const S& x, const S& y) { return abs(S(x + y)) <= tolerance * (abs(x) + abs(y)); };
    if (vanishes(swept, S(-b_ * below)) || vanishes(swept, S(b_ * above))) {
      return "the axis reaches the vertical, where its angles are not defined";
    }
    return "";
  }

  void solve(const S& below, const S& above, const S& u_rate) {
    using std::sqrt;
    const S swept = below * above * start_.phi_rate;  // a − b u
    const S a_minus_b = swept - b_ * below, a_plus_b = swept + b_ * above;
    const roots x = roots_from(below, above, u_rate);
    if (x.lowest == x.middle) return;
    const S span = x.highest - x.lowest, u2_above = above + x.middle, u3_above = above + x.highest;
    // 1 − u2 and u3 − 1: the smaller of them from their product, −f(1)/(β(1 − u1)); 1 + u1 likewise from f(−1).
    const S product = a_minus_b * a_minus_b / (beta_ * (below - x.lowest));
    top_gap_ = below - x.middle;
    S beyond = x.highest - below;
    (beyond > top_gap_ ? top_gap_ : beyond) = product / (beyond > top_gap_ ? beyond : top_gap_);
    bottom_gap_ = a_plus_b * a_plus_b / (beta_ * u2_above * u3_above);

    pe_.emplace(S(beta_ * (x.middle - x.lowest) / 4), S(beta_ * (top_gap_ + beyond) / 4));
    phase_ = pe_->shifted_time(S(-x.lowest), x.middle);
    if (u_rate < 0) phase_ = -phase_;

    // The poles u = ±1 of the integrands lie at K + iy+ and iy− with sn²(y+) = (u3 − 1)/(u3 − u2) and
    // sn²(y−) = (u3 − u1)/(1 + u3), both of the complementary modulus.
    const elliptic_modulus<S> complement = pe_->complement();
    const S w = pe_->rate(), K = pe_->modulus().quarter_period(), K1 = complement.quarter_period();
    const S pi = pi_value<S>(), log_q = -pi * K1 / K;
    const auto plus = complement.at_direction(sqrt(beyond), sqrt(top_gap_));
    const auto minus = complement.at_direction(sqrt(span), sqrt(bottom_gap_));
    const S plus_height = pi * plus.first_kind / (2 * K), minus_height = pi * minus.first_kind / (2 * K);
    const S plus_rate = w * (plus.zeta + plus_height / K1);
    const S minus_rate = w * (minus.zeta + minus_height / K1 + sqrt(S(u2_above * bottom_gap_ / (u3_above * span))));
    plus_.emplace(S(a_minus_b < 0 ? -1 : 1), plus_rate, log_q, plus_height, false);
    minus_.emplace(S(a_plus_b < 0 ? -1 : 1), minus_rate, log_q, minus_height, true);
    const auto [cosine, sine] = wave_phase(S(0));
    plus_->start_at(cosine, sine);
    minus_->start_at(cosine, sine);
  }

  // The roots of f(u0 + x) = u'² + f1 x + f2 x² + β x³.
  roots roots_from(const S& below, const S& above, const S& u_rate) const {
    using std::abs, std::sqrt;
    const S u = (above - below) / 2, sine2 = below * above;
    const S speed2 = start_.theta_rate * start_.theta_rate + sine2 * start_.phi_rate * start_.phi_rate;
    const S f0 = u_rate * u_rate, f1 = 2 * b_ * sine2 * start_.phi_rate - 2 * u * speed2 - beta_ * sine2;
    const S f2 = 2 * beta_ * u - speed2 - b_ * b_;
    if (f0 == 0) {  // one root is the start itself
      const S discriminant = f2 * f2 - 4 * beta_ * f1, spread = sqrt(discriminant > 0 ? discriminant : S(0));
      const S half_sum = -(f2 < 0 ? S(f2 - spread) : S(f2 + spread)) / 2;
      const S one = half_sum / beta_, other = f1 / half_sum, smaller = std::min(one, other);
      return {std::min(smaller, S(0)), std::max(smaller, S(0)), std::max(one, other)};
    }
    // Newton's method from outside all roots comes nearer from one side only, until rounding lets it turn.
    const auto nearest_root = [&](S x, int direction) {
      for (int i = 0; i < 10'000; ++i) {
        const S next = x - (f0 + x * (f1 + x * (f2 + x * beta_))) / (f1 + x * (2 * f2 + x * 3 * beta_));
        if (!(direction > 0 ? next > x : next < x)) break;
        x = next;
      }
      return x;
    };
    const S bound = 2 * std::max({S(abs(f2) / beta_), S(sqrt(S(abs(f1) / beta_))), std::max(S(1), S(f0 / beta_))});
    const S lowest = nearest_root(S(-above), 1), highest = nearest_root(bound, -1);
    return {lowest, S(-f0 / (beta_ * lowest * highest)), highest};
  }

  struct direction {
    S cosine, sine;
  };
  direction wave_phase(const S& t) const {
    using std::cos, std::floor, std::sin;
    const S turns = (t + phase_) / (2 * pe_->half_period()), angle = 2 * pi_value<S>() * (turns - floor(turns));
    return {cos(angle), sin(angle)};
  }

  top_start<S> start_;
  std::string obstacle_;
  S side_{1}, origin_{0}, upright_{1};
  S beta_{0}, b_{0}, axis_rate_{0}, precession_momentum_{0};  // axis_rate: ψ' + φ' cos θ
  S top_gap_{0}, bottom_gap_{0};                              // 1 − u2 and 1 + u1
  S phase_{0};
  std::optional<weierstrass<S>> pe_;              // nothing for a regular precession
  std::optional<line_and_wave<S>> plus_, minus_;  // Φ+ and Φ−
};

}  // namespace actio
