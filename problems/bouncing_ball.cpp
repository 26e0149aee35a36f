#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A ball that bounces on the ground: at each bounce it keeps a part of its speed. The bounces end at a time that is known.
name = "bouncing ball"
coordinates = ["y"]
lagrangian = "1/2*m*y'^2 - m*g*y"

[parameters]
m = 1
g = 9.81
restitution = 0.9     # of the speed, at each bounce
height = 1            # from which the ball falls

[events.bounce]       # where y goes down through 0, the velocity turns and becomes smaller
when = "y"
direction = "down"
set = { "y'" = "-restitution*y'" }

[initial.position]
y = "height"

[initial.velocity]
y = 0

[view]
lines = [["left", "right"]]
traces = ["ball"]
points.left = [-1, 0]
points.right = [1, 0]
points.ball = [0, "y"]

[run]
method = "verlet"
step = 0.01
until = 8
)toml";

}  // namespace

problem bouncing_ball() {
  return {"bouncing-ball",
          "a ball that keeps a part of its speed at each bounce",
          "Brogliato, Nonsmooth Mechanics (2016)",
          text,
          {}};
}

}  // namespace actio::problems
