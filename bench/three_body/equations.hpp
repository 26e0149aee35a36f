// The Pythagorean three-body problem: masses 3, 4, 5 at rest at the corners of a triangle; to t = 30.
#pragma once

#include <vector>

#include "common/contest.hpp"
#include "common/planar_bodies.hpp"

namespace actio::bench::three_body {

constexpr double until = 30;

inline planar_bodies<3> bodies() { return {{3, 4, 5}, {1, 3, -2, -1, 1, -1}}; }
inline planar_bodies<3>::equations equations() { return {bodies().mass}; }

std::vector<competitor> odeint_methods();
std::vector<competitor> sundials_methods();

}  // namespace actio::bench::three_body
