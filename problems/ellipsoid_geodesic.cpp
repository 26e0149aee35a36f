#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A free particle on an ellipsoid with three different axes moves along a geodesic; Jacobi integrated it in 1839.
name = "geodesic on an ellipsoid"
coordinates = ["x", "y", "z"]
lagrangian = "1/2*(x'^2 + y'^2 + z'^2)"

[parameters]
a = 3
b = 2
c = 1
height = 0.5       # of the start, as a part of c, above the point of the longest axis
turn = 0.7         # rad: the direction of the start, from the circle of latitude; the speed is one

[constraints]
surface = "x^2/a^2 + y^2/b^2 + z^2/c^2 - 1"

[observables]      # Joachimsthal's integral: constant along a geodesic
joachimsthal = "(x^2/a^4 + y^2/b^4 + z^2/c^4)*(x'^2/a^2 + y'^2/b^2 + z'^2/c^2)"

[initial.position]
x = "a*sqrt(1 - height^2)"
y = 0
z = "c*height"

[initial.velocity]
x = "-sin(turn)*a*height/sqrt(a^2*height^2 + c^2*(1 - height^2))"
y = "cos(turn)"
z = "sin(turn)*c*sqrt(1 - height^2)/sqrt(a^2*height^2 + c^2*(1 - height^2))"

[view]
traces = ["particle"]
points.particle = ["x", "y", "z"]

[view.shapes.ellipsoid]
longitude = [0, "2*pi"]
latitude = ["-pi/2", "pi/2"]
point = ["a*cos(longitude)*cos(latitude)", "b*sin(longitude)*cos(latitude)", "c*sin(latitude)"]

[run]
method = "lobatto-4"
step = 0.05
until = 50
)toml";

}  // namespace

problem ellipsoid_geodesic() {
  return {"ellipsoid-geodesic",
          "a geodesic on an ellipsoid with three different axes, and Joachimsthal's integral",
          "Jacobi, Journal für die reine und angewandte Mathematik 19 (1839)",
          text,
          {}};
}

}  // namespace actio::problems
