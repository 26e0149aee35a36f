// A planet around a fixed sun with GM = 1, eccentricity 0.9, from the perihelion; ten orbits.
#pragma once

#include <numbers>

#include "kepler/equations.hpp"

namespace actio::bench::eccentric_kepler {

constexpr double eccentricity = 0.9, until = 20 * std::numbers::pi;

using kepler::equations;
inline kepler::state start() { return {1 - eccentricity, 0, 0, std::sqrt((1 + eccentricity) / (1 - eccentricity))}; }

std::vector<competitor> odeint_methods();
std::vector<competitor> sundials_methods();

}  // namespace actio::bench::eccentric_kepler
