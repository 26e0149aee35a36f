#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A satellite of earth and moon in the frame that turns with them: a closed orbit with four loops.
name = "Arenstorf orbit"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) + x*y' - y*x' + 1/2*(x^2 + y^2) + (1 - mu)/r_earth + mu/r_moon"

[parameters]
mu = 0.012277471           # mass of the moon over that of both
vy0 = -2.00158510637908252240537862224
period = 17.0652165601579625588917206249

[definitions]
r_earth = "sqrt((x + mu)^2 + y^2)"
r_moon = "sqrt((x - 1 + mu)^2 + y^2)"

[observables]
distance_to_moon = "r_moon"

[initial.position]
x = 0.994
y = 0

[initial.velocity]
x = 0
y = "vy0"

[view]
traces = ["satellite"]
points.earth = ["-mu", 0]
points.moon = ["1 - mu", 0]
points.satellite = ["x", "y"]

[run]
method = "gauss-8"
step = "period/50000"
until = "period"
)toml";

}  // namespace

problem arenstorf() {
  return {"arenstorf",
          "a closed orbit of the restricted three-body problem, in the turning frame",
          "Arenstorf (1963); initial values: Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, "
          "Section II.0",
          text,
          {}};
}

}  // namespace actio::problems
