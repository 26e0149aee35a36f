#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A mass on a spring that swings and stretches: energy wanders between the two motions.
name = "spring pendulum"
coordinates = ["r", "theta"]              # length of the spring and its angle from the vertical
lagrangian = "1/2*m*(r'^2 + r^2*theta'^2) + m*g*r*cos(theta) - 1/2*k*(r - l)^2"

[parameters]
m = 1
g = 9.81
k = 40           # stiffness of the spring
l = 1            # its length at rest

[initial.position]
r = "l + m*g/k"  # where the mass hangs still
theta = 0.5

[initial.velocity]
r = 0
theta = 0

[view]
lines = [["pivot", "bob"]]
traces = ["bob"]
points.pivot = [0, 0]
points.bob = ["r*sin(theta)", "-r*cos(theta)"]

[run]
method = "simpson"
step = 0.01
until = 20
)toml";

}  // namespace

problem spring_pendulum() {
  return {"spring-pendulum", "a mass on a spring that swings and stretches", "any textbook of mechanics", text, {}};
}

}  // namespace actio::problems
