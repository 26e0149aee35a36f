// Double pendulums from the angles of a grid, released at rest: what an ensemble costs at what error. Times are those
// of a trajectory on average.
//
// Nothing of actio is included here; see common/contest.hpp.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "double_pendulum/equations.hpp"

namespace actio::bench::pendulum_grid {

constexpr std::size_t side = 64;
constexpr double first_angles[] = {0.3, std::numbers::pi / 6}, last_angles[] = {1.2, std::numbers::pi / 3};

// Other programs move every eighth trajectory of both sides.
constexpr std::size_t stride = 8;

std::vector<competitor> odeint_from(const double_pendulum::state& start);
std::vector<competitor> sundials_from(const double_pendulum::state& start);
competitor actio_ensemble();

}  // namespace actio::bench::pendulum_grid
