#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Two pendulums, one hanging from the other: chaotic, and its mass matrix depends on the position.
name = "double pendulum"
coordinates = ["q1", "q2"]                # angles from the vertical
lagrangian = "1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2) - m1*g*y1 - m2*g*y2"

[parameters]
m1 = 1.0
m2 = 0.5
l1 = 1.0
l2 = 0.7
g  = 9.81

[definitions]          # Cartesian positions of the masses; x1' is their velocity, by the chain rule
x1 = "l1*sin(q1)"
y1 = "-l1*cos(q1)"
x2 = "x1 + l2*sin(q2)"
y2 = "y1 - l2*cos(q2)"

[initial.position]
q1 = "pi/2"
q2 = "pi/3"

[initial.momentum]     # released at rest
q1 = 0
q2 = 0

[view]
lines = [["pivot", "upper", "lower"]]
traces = ["lower"]
points.pivot = [0, 0]
points.upper = ["x1", "y1"]
points.lower = ["x2", "y2"]

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

}  // namespace

problem double_pendulum() {
  return {
      "double-pendulum", "two pendulums, one hanging from the other: chaotic", "any textbook of mechanics", text, {}};
}

}  // namespace actio::problems
