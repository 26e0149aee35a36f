// The Pleiades: seven bodies in a plane, masses 1 … 7, to t = 3 [hairer1993, II.10].
#pragma once

#include <vector>

#include "common/contest.hpp"
#include "common/planar_bodies.hpp"

namespace actio::bench::pleiades {

constexpr double until = 3;

inline planar_bodies<7> bodies() {
  planar_bodies<7> b{{1, 2, 3, 4, 5, 6, 7}, {3, 3, 3, -3, -1, 2, -3, 0, 2, 0, -2, -4, 2, 4}};
  constexpr std::array<double, 14> velocity{0, 0, 0, 0, 0, 0, 0, -1.25, 0, 1, 1.75, 0, -1.5, 0};
  for (std::size_t i = 0; i < velocity.size(); ++i) b.start[14 + i] = b.mass[i / 2] * velocity[i];
  return b;
}
inline planar_bodies<7>::equations equations() { return {bodies().mass}; }

std::vector<competitor> odeint_methods();
std::vector<competitor> sundials_methods();

}  // namespace actio::bench::pleiades
