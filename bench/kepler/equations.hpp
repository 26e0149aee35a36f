// A planet around a fixed sun with GM = 1, eccentricity 0.6, from the perihelion; hundred orbits.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "common/contest.hpp"

namespace actio::bench::kepler {

constexpr double eccentricity = 0.6, until = 200 * std::numbers::pi;

using half_state = std::array<double, 2>;
using state = std::array<double, 4>;

inline half_state start_position() { return {1 - eccentricity, 0}; }
inline half_state start_momentum() { return {0, std::sqrt((1 + eccentricity) / (1 - eccentricity))}; }
inline state start() { return {start_position()[0], 0, 0, start_momentum()[1]}; }

struct kinetic {
  void operator()(const half_state& p, half_state& rate) const { rate = p; }
};
struct force {
  void operator()(const half_state& q, half_state& rate) const {
    const double r2 = q[0] * q[0] + q[1] * q[1], pull = -1 / (r2 * std::sqrt(r2));
    rate = {pull * q[0], pull * q[1]};
  }
};
struct equations {
  void operator()(const state& y, state& rate, double) const {
    const double r2 = y[0] * y[0] + y[1] * y[1], pull = -1 / (r2 * std::sqrt(r2));
    rate = {y[2], y[3], pull * y[0], pull * y[1]};
  }
};

std::vector<competitor> actio_methods();
std::vector<competitor> odeint_methods();
std::vector<competitor> sundials_methods();

}  // namespace actio::bench::kepler
