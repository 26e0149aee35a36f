// Bodies in a plane that attract one another, with G = 1: positions (x1, y1, x2, …), then momenta in the same order, as
// actio has them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace actio::bench {

template <std::size_t Bodies>
struct planar_bodies {
  using state = std::array<double, 4 * Bodies>;
  std::array<double, Bodies> mass;
  state start;

  struct equations {
    std::array<double, Bodies> mass;
    void operator()(const state& y, state& rate, double) const {
      constexpr std::size_t p = 2 * Bodies;
      for (std::size_t i = 0; i < Bodies; ++i) {
        rate[2 * i] = y[p + 2 * i] / mass[i];
        rate[2 * i + 1] = y[p + 2 * i + 1] / mass[i];
        rate[p + 2 * i] = rate[p + 2 * i + 1] = 0;
      }
      for (std::size_t i = 0; i < Bodies; ++i) {
        for (std::size_t j = i + 1; j < Bodies; ++j) {
          const double dx = y[2 * j] - y[2 * i], dy = y[2 * j + 1] - y[2 * i + 1], r2 = dx * dx + dy * dy;
          const double pull = mass[i] * mass[j] / (r2 * std::sqrt(r2));
          rate[p + 2 * i] += pull * dx;
          rate[p + 2 * i + 1] += pull * dy;
          rate[p + 2 * j] -= pull * dx;
          rate[p + 2 * j + 1] -= pull * dy;
        }
      }
    }
  };
};

}  // namespace actio::bench
