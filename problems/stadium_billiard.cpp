#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A point in a stadium, two half circles joined by two straight walls: it moves freely and is reflected. Chaotic.
name = "stadium billiard"
coordinates = ["x", "y"]
lagrangian = "1/2*m*(x'^2 + y'^2)"

[parameters]
m = 1
a = 1                  # half the length of the straight walls
R = 1                  # radius of the half circles
x0 = 0.3
y0 = 0.2
angle = 0.7            # direction of the start

[definitions]
nearest = "min(max(x, -a), a)"              # of the middle line
nx = "(x - nearest)/R"                      # normal of the wall, of length 1 there
ny = "y/R"
into_wall = "x'*nx + y'*ny"

[events.wall]
when = "(x - nearest)^2 + y^2 - R^2"
direction = "up"
set = { "x'" = "x' - 2*into_wall*nx", "y'" = "y' - 2*into_wall*ny" }

[initial.position]
x = "x0"
y = "y0"

[initial.velocity]
x = "cos(angle)"
y = "sin(angle)"

[view]
lines = [["upper_left", "upper_right"], ["lower_left", "lower_right"]]
traces = ["point"]
points.upper_left = ["-a", "R"]
points.upper_right = ["a", "R"]
points.lower_left = ["-a", "-R"]
points.lower_right = ["a", "-R"]
points.point = ["x", "y"]

[run]
method = "verlet"
step = 0.1
until = 100
)toml";

}  // namespace

problem stadium_billiard() {
  return {"stadium-billiard",
          "a point that is reflected by a stadium: chaotic motion",
          "Bunimovich, Communications in Mathematical Physics 65 (1979)",
          text,
          {}};
}

}  // namespace actio::problems
