#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Two masses in space, the second hanging from the first: two constraints, chaotic motion.
name = "double spherical pendulum"
coordinates = ["x1", "y1", "z1", "x2", "y2", "z2"]
lagrangian = "1/2*m1*(x1'^2 + y1'^2 + z1'^2) + 1/2*m2*(x2'^2 + y2'^2 + z2'^2) - g*(m1*z1 + m2*z2)"

[parameters]
m1 = 2
m2 = 3.5
l1 = 4
l2 = 3
g = 9.81
X1 = 2.820         # at the start, as printed; heights and vertical velocities follow from the constraints
Y1 = 0.025
X2 = 5.085
Y2 = 0.105
U1 = 3.381
V1 = 2.506
U2 = 2.497
V2 = 10.495
Z1 = "-sqrt(l1^2 - X1^2 - Y1^2)"
Z21 = "-sqrt(l2^2 - (X2 - X1)^2 - (Y2 - Y1)^2)"
W1 = "-(X1*U1 + Y1*V1)/Z1"
W21 = "-((X2 - X1)*(U2 - U1) + (Y2 - Y1)*(V2 - V1))/Z21"

[constraints]
upper_rod = "x1^2 + y1^2 + z1^2 - l1^2"
lower_rod = "(x2 - x1)^2 + (y2 - y1)^2 + (z2 - z1)^2 - l2^2"

[symmetries.vertical_momentum]
x1 = "-y1"
y1 = "x1"
x2 = "-y2"
y2 = "x2"

[chart]             # two angles for each rod, for the intrinsic formulation
coordinates = ["theta1", "phi1", "theta2", "phi2"]
x1 = "l1*sin(theta1)*cos(phi1)"
y1 = "l1*sin(theta1)*sin(phi1)"
z1 = "-l1*cos(theta1)"
x2 = "l1*sin(theta1)*cos(phi1) + l2*sin(theta2)*cos(phi2)"
y2 = "l1*sin(theta1)*sin(phi1) + l2*sin(theta2)*sin(phi2)"
z2 = "-l1*cos(theta1) - l2*cos(theta2)"

[initial.position]
x1 = "X1"
y1 = "Y1"
z1 = "Z1"
x2 = "X2"
y2 = "Y2"
z2 = "Z1 + Z21"

[initial.velocity]
x1 = "U1"
y1 = "V1"
z1 = "W1"
x2 = "U2"
y2 = "V2"
z2 = "W1 + W21"

[initial.chart]
theta1 = "acos(-Z1/l1)"
phi1 = "atan2(Y1, X1)"
theta2 = "acos(-Z21/l2)"
phi2 = "atan2(Y2 - Y1, X2 - X1)"

[view]
lines = [["pivot", "upper", "lower"]]
traces = ["upper", "lower"]
points.pivot = [0, 0, 0]
points.upper = ["x1", "y1", "z1"]
points.lower = ["x2", "y2", "z2"]

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

}  // namespace

problem double_spherical_pendulum() {
  return {"double-spherical-pendulum",
          "two masses on two rods in space, with the data of marsden1997",
          "marsden1997, Section 7, initial data as printed",
          text,
          {}};
}

}  // namespace actio::problems
