#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A point in a circle: it moves freely and is reflected at the wall. The angle of reflection is the same each time.
name = "circular billiard"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2)"

[parameters]
R = 1                # radius of the wall
x0 = 0.6
angle = 1.2          # direction of the start

[definitions]
into_wall = "(x*x' + y*y')/R^2"

[observables]        # the same at each reflection
angular_momentum = "x*y' - y*x'"

[events.wall]
when = "x^2 + y^2 - R^2"
direction = "up"
set = { "x'" = "x' - 2*into_wall*x", "y'" = "y' - 2*into_wall*y" }

[initial.position]
x = "x0"
y = 0

[initial.velocity]
x = "cos(angle)"
y = "sin(angle)"

[view]
traces = ["point"]
points.point = ["x", "y"]

[run]
method = "verlet"
step = 0.1
until = 50
)toml";

}  // namespace

problem circle_billiard() {
  return {"circle-billiard",
          "a point that is reflected by a circle: regular motion",
          "Chernov and Markarian, Chaotic Billiards (2006)",
          text,
          {}};
}

}  // namespace actio::problems
