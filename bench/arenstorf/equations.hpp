// A satellite of earth and moon in the turning frame; one period of a closed orbit [hairer1993, II.0]. The state is
// (x, y, p_x, p_y) with p = (x' − y, y' + x), as actio has it.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "common/contest.hpp"

namespace actio::bench::arenstorf {

constexpr double mu = 0.012277471, until = 17.0652165601579625588917206249;

using state = std::array<double, 4>;
inline state start() { return {0.994, 0, 0, 0.994 - 2.00158510637908252240537862224}; }

struct equations {
  void operator()(const state& y, state& rate, double) const {
    const double earth = y[0] + mu, moon = y[0] - 1 + mu, y2 = y[1] * y[1];
    const double r1 = earth * earth + y2, r2 = moon * moon + y2;
    const double f1 = (1 - mu) / (r1 * std::sqrt(r1)), f2 = mu / (r2 * std::sqrt(r2));
    rate[0] = y[2] + y[1];
    rate[1] = y[3] - y[0];
    rate[2] = rate[1] + y[0] - f1 * earth - f2 * moon;
    rate[3] = y[1] - rate[0] - (f1 + f2) * y[1];
  }
};

std::vector<competitor> odeint_methods();
std::vector<competitor> sundials_methods();

}  // namespace actio::bench::arenstorf
