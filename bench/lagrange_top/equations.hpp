// The heavy symmetric top, its two cyclic momenta as the constants that they are: phi, theta, psi, p_theta.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "common/contest.hpp"

namespace actio::bench::lagrange_top {

// What the model gives: moments of inertia, weight times distance, the cyclic momenta, the start and the duration.
struct top {
  double I1, I3, weight, p_phi, p_psi, theta, until;
};

using state = std::array<double, 4>;

inline state start(const top& t) { return {0, t.theta, 0, 0}; }

struct equations {
  top t;
  void operator()(const state& y, state& rate, double) const {
    const double s = std::sin(y[1]), c = std::cos(y[1]), per_s2 = 1 / (s * s);
    const double phi_rate = (t.p_phi - t.p_psi * c) * per_s2 / t.I1;
    rate = {phi_rate, y[3] / t.I1, t.p_psi / t.I3 - phi_rate * c,
            s * (phi_rate * (t.I1 * phi_rate * c - t.p_psi) + t.weight)};
  }
};

std::vector<competitor> actio_methods();
std::vector<competitor> odeint_methods(const top& t);

}  // namespace actio::bench::lagrange_top
