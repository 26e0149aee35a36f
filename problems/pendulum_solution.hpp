// The exact motion of the plane pendulum, L = m q'²/2 − m w² (1 − cos q), from any angle with any momentum.
#pragma once

#include <cmath>
#include <optional>

#include "problems/jacobi_elliptic.hpp"

namespace actio {

enum class pendulum_kind { rest, free, swing, separatrix, rotation };

// With k² = (v/2w)² + sin²(q/2), the energy over its value at the separatrix, which the motion keeps:
//   swing, k < 1:       sin(q/2) = k sn(wt + u0, k),      q' = 2wk cn         (cos(q/2) = dn)
//   separatrix, k = 1:  sin(q/2) = tanh(wt + u0),         q' = ±2w sech
//   rotation, k > 1:    q/2 = ±am(kwt + u0, 1/k),         q' = ±2wk dn        (q is not wrapped)
// Where all digits of v/2w and cos(q/2) agree the motion is taken to be on the separatrix, because the data no longer
// say on which side it is.
template <class S>
class pendulum_solution {
 public:
  pendulum_solution(const S& m, const S& w, const S& q0, const S& p0) : mass_(m) {
    using std::abs, std::cos, std::floor, std::log, std::sin, std::sqrt;
    const S turn = 2 * pi_value<S>(), v = p0 / m;
    w_ = abs(w);
    direction_ = v < 0 ? -1 : 1;
    start_ = q0;
    if (w_ == 0) {
      kind_ = v == 0 ? pendulum_kind::rest : pendulum_kind::free;
      rate_ = v;
      return;
    }
    turns_ = turn * floor(S(q0 / turn + S(1) / 2));
    const S half = (q0 - turns_) / 2, s = sin(half), c = abs(S(cos(half))), rate = abs(v) / (2 * w_);
    const S below = c - rate, k = sqrt(S(s * s + rate * rate)), k1 = sqrt(abs(S(below * (c + rate))));
    if (k == 0 || (rate == 0 && c <= 4 * epsilon<S>())) {
      kind_ = pendulum_kind::rest;
    } else if (abs(below) <= 4 * epsilon<S>() * c) {
      kind_ = pendulum_kind::separatrix;
      rate_ = w_;
      phase_ = direction_ * (s < 0 ? -log(S((1 - s) / c)) : log(S((1 + s) / c)));
    } else if (below > 0) {
      kind_ = pendulum_kind::swing;
      rate_ = w_;
      scale_ = k;
      modulus_.emplace(k, k1);
      phase_ = modulus_->at_direction(s, S(direction_ * rate)).first_kind;
    } else {
      kind_ = pendulum_kind::rotation;
      rate_ = w_ * k;
      modulus_.emplace(S(1 / k), S(k1 / k));
      phase_ = modulus_->at_direction(S(direction_ * s), c).first_kind;
    }
  }

  pendulum_kind kind() const { return kind_; }

  // Of a swing, or of one turn of a rotation; nothing else repeats.
  std::optional<S> period() const {
    if (kind_ == pendulum_kind::swing) return S(4 * modulus_->quarter_period() / rate_);
    if (kind_ == pendulum_kind::rotation) return S(2 * modulus_->quarter_period() / rate_);
    return std::nullopt;
  }

  struct state {
    S position, momentum;
  };
  state at(const S& t) const {
    using std::atan, std::atan2, std::cosh, std::tanh;
    if (kind_ == pendulum_kind::rest) return {start_, S(0)};
    if (kind_ == pendulum_kind::free) return {S(start_ + rate_ * t), S(mass_ * rate_)};
    const S u = rate_ * t + phase_;
    if (kind_ == pendulum_kind::separatrix) {
      return {S(turns_ + direction_ * 4 * atan(S(tanh(S(u / 2))))), S(direction_ * 2 * mass_ * w_ / cosh(u))};
    }
    const elliptic_values<S> e = modulus_->at(u);
    if (kind_ == pendulum_kind::rotation) {
      return {S(turns_ + direction_ * 2 * e.am), S(direction_ * 2 * mass_ * rate_ * e.dn)};
    }
    return {S(turns_ + 2 * atan2(S(scale_ * e.sn), e.dn)), S(2 * mass_ * w_ * scale_ * e.cn)};
  }
  S position(const S& t) const { return at(t).position; }
  S momentum(const S& t) const { return at(t).momentum; }

 private:
  pendulum_kind kind_ = pendulum_kind::rest;
  S mass_, w_{0}, direction_{1};  // direction: the sign of the velocity
  S start_{0}, turns_{0};         // the angle at t = 0, and the whole turns in it
  S rate_{0}, phase_{0};          // the argument of the functions is rate·t + phase
  S scale_{1};                    // k of a swing
  std::optional<elliptic_modulus<S>> modulus_;
};

}  // namespace actio
