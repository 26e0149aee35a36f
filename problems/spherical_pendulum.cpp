#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A pendulum that swings in space. phi does not occur in the Lagrangian: its momentum p_phi is conserved.
name = "spherical pendulum"
coordinates = ["theta", "phi"]            # angle from the lowest point, and around the vertical
lagrangian = "1/2*m*l^2*(theta'^2 + sin(theta)^2*phi'^2) + m*g*l*cos(theta)"

[parameters]
m = 1
l = 1
g = 9.81

[observables]
height = "-l*cos(theta)"

[initial.position]
theta = 1
phi = 0

[initial.velocity]
theta = 0
phi = 2

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

}  // namespace

problem spherical_pendulum() {
  return {"spherical-pendulum", "a pendulum in space, with a cyclic angle", "any textbook of mechanics", text, {}};
}

}  // namespace actio::problems
