// Six bodies that attract each other, written by hand: 18 positions, then 18 velocities.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "common/contest.hpp"

namespace actio::bench::outer_solar_system {

constexpr std::size_t bodies = 6;
constexpr double until = 20000;  // days

using half_state = std::array<double, 3 * bodies>;
using state = std::array<double, 6 * bodies>;

// What the model gives.
struct planets {
  std::array<double, bodies> attraction;  // G m
  half_state position, velocity;
};

inline void accelerate(const std::array<double, bodies>& attraction, const double* q, double* rate) {
  for (std::size_t i = 0; i < 3 * bodies; ++i) rate[i] = 0;
  for (std::size_t i = 0; i < bodies; ++i) {
    for (std::size_t j = i + 1; j < bodies; ++j) {
      const double x = q[3 * j] - q[3 * i], y = q[3 * j + 1] - q[3 * i + 1], z = q[3 * j + 2] - q[3 * i + 2];
      const double r2 = x * x + y * y + z * z, per_r3 = 1 / (r2 * std::sqrt(r2));
      const double on_i = attraction[j] * per_r3, on_j = -attraction[i] * per_r3;
      rate[3 * i] += on_i * x, rate[3 * i + 1] += on_i * y, rate[3 * i + 2] += on_i * z;
      rate[3 * j] += on_j * x, rate[3 * j + 1] += on_j * y, rate[3 * j + 2] += on_j * z;
    }
  }
}

struct drift {
  void operator()(const half_state& v, half_state& rate) const { rate = v; }
};
struct acceleration {
  std::array<double, bodies> attraction;
  void operator()(const half_state& q, half_state& rate) const { accelerate(attraction, q.data(), rate.data()); }
};
struct equations {
  std::array<double, bodies> attraction;
  void operator()(const state& y, state& rate, double) const {
    for (std::size_t i = 0; i < 3 * bodies; ++i) rate[i] = y[3 * bodies + i];
    accelerate(attraction, y.data(), rate.data() + 3 * bodies);
  }
};

inline state start(const planets& p) {
  state y;
  for (std::size_t i = 0; i < 3 * bodies; ++i) {
    y[i] = p.position[i];
    y[3 * bodies + i] = p.velocity[i];
  }
  return y;
}

std::vector<competitor> actio_methods();
std::vector<competitor> odeint_methods(const planets& p);
std::vector<competitor> sundials_methods(const planets& p);

}  // namespace actio::bench::outer_solar_system
