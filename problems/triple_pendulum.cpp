#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Three masses on three rods in a plane, in Cartesian coordinates: the Lagrangian is one line, the rods are constraints.
name = "triple pendulum"
coordinates = ["x1", "y1", "x2", "y2", "x3", "y3"]
lagrangian = "1/2*(m1*(x1'^2 + y1'^2) + m2*(x2'^2 + y2'^2) + m3*(x3'^2 + y3'^2)) - g*(m1*y1 + m2*y2 + m3*y3)"

[parameters]
m1 = 1
m2 = 1
m3 = 1
l1 = 1
l2 = 1
l3 = 1
g = 9.81
angle1 = 1.2       # rad, from the lowest point; released at rest
angle2 = 1.8
angle3 = 2.4

[constraints]
rod1 = "x1^2 + y1^2 - l1^2"
rod2 = "(x2 - x1)^2 + (y2 - y1)^2 - l2^2"
rod3 = "(x3 - x2)^2 + (y3 - y2)^2 - l3^2"

[initial.position]
x1 = "l1*sin(angle1)"
y1 = "-l1*cos(angle1)"
x2 = "l1*sin(angle1) + l2*sin(angle2)"
y2 = "-l1*cos(angle1) - l2*cos(angle2)"
x3 = "l1*sin(angle1) + l2*sin(angle2) + l3*sin(angle3)"
y3 = "-l1*cos(angle1) - l2*cos(angle2) - l3*cos(angle3)"

[initial.velocity]
x1 = 0
y1 = 0
x2 = 0
y2 = 0
x3 = 0
y3 = 0

[view]
lines = [["pivot", "first", "second", "third"]]
traces = ["third"]
points.pivot = [0, 0]
points.first = ["x1", "y1"]
points.second = ["x2", "y2"]
points.third = ["x3", "y3"]

[run]
method = "simpson"
step = 0.002
until = 10
)toml";

}  // namespace

problem triple_pendulum() {
  return {"triple-pendulum",
          "three masses on rods in a plane, in Cartesian coordinates: chaotic",
          "any textbook of mechanics",
          text,
          {}};
}

}  // namespace actio::problems
