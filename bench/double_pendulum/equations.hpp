// Hamilton's equations of the double pendulum with m = l = 1, written by hand: q1, q2, p1, p2.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "common/contest.hpp"

namespace actio::bench::double_pendulum {

constexpr double gravity = 9.81, until = 10;

using state = std::array<double, 4>;

constexpr state start{std::numbers::pi / 4, std::numbers::pi / 3, 0, 0};

struct equations {
  void operator()(const state& y, state& rate, double) const {
    // The sine and the cosine of q1 − q2 from those of q1 and q2.
    const double s1 = std::sin(y[0]), c1 = std::cos(y[0]), s2 = std::sin(y[1]), c2 = std::cos(y[1]);
    const double s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2, inverse = 1 / (2 - c * c);
    const double v1 = (y[2] - c * y[3]) * inverse, v2 = (2 * y[3] - c * y[2]) * inverse, coupling = v1 * v2 * s;
    rate = {v1, v2, -coupling - 2 * gravity * s1, coupling - gravity * s2};
  }
};

std::vector<competitor> actio_methods();
competitor hand_written_simpson();
std::vector<competitor> hand_written_gauss();  // none where the processor has no AVX-512
std::vector<competitor> odeint_methods();
std::vector<competitor> sundials_methods();

}  // namespace actio::bench::double_pendulum
