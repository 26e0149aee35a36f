#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# An eccentric orbit with steps that follow the motion: equal steps of a time that runs slower near the sun.
name = "eccentric Kepler orbit"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) + GM/r"

[parameters]
GM = 1
e  = 0.99                 # eccentricity; half the major axis is 1
x0 = "1 + e"              # the start at the aphelion; any other may be set
y0 = 0
vx0 = 0
vy0 = "sqrt(GM*(1 - e)/(1 + e))"

[definitions]
r = "sqrt(x^2 + y^2)"

[symmetries.angular_momentum]
x = "-y"
y = "x"

[time]
scale = "auto"

[initial.position]
x = "x0"
y = "y0"

[initial.velocity]
x = "vx0"
y = "vy0"

[view]
traces = ["planet"]
points.sun = [0, 0]
points.planet = ["x", "y"]

[run]
method = "gauss-8"
step = 0.25
until = "20*pi/sqrt(GM)"
)toml";

}  // namespace

problem eccentric_kepler() {
  return {"eccentric-kepler",
          "an orbit of eccentricity 0.99 with steps that follow the motion",
          "Hairer, Lubich and Wanner, Geometric Numerical Integration (2006), VIII",
          text,
          {}};
}

}  // namespace actio::problems
