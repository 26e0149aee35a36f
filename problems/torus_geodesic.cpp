#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A free particle on a torus moves along a geodesic. Its momentum around the axis is Clairaut's constant.
name = "geodesic on a torus"
coordinates = ["x", "y", "z"]
lagrangian = "1/2*(x'^2 + y'^2 + z'^2)"

[parameters]
R = 2              # from the axis to the middle of the tube
r = 0.8            # of the tube
turn = 1           # rad: the direction of the start on the outer equator, from the equator; the speed is one

[constraints]
surface = "(sqrt(x^2 + y^2) - R)^2 + z^2 - r^2"

[symmetries.clairaut]
x = "-y"
y = "x"

[initial.position]
x = "R + r"
y = 0
z = 0

[initial.velocity]
x = 0
y = "cos(turn)"
z = "sin(turn)"

[view]
traces = ["particle"]
points.particle = ["x", "y", "z"]

[view.shapes.torus]
around = [0, "2*pi"]
tube = [0, "2*pi"]
point = ["(R + r*cos(tube))*cos(around)", "(R + r*cos(tube))*sin(around)", "r*sin(tube)"]

[run]
method = "lobatto-4"
step = 0.05
until = 50
)toml";

}  // namespace

problem torus_geodesic() {
  return {"torus-geodesic",
          "a geodesic on a torus, with Clairaut's constant as its momentum",
          "any textbook of differential geometry",
          text,
          {}};
}

}  // namespace actio::problems
