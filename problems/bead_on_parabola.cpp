#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text = R"toml(# A bead that slides on a wire of the shape of a parabola, without friction.
name = "bead on a parabola"
coordinates = ["x", "y"]
lagrangian = "1/2*m*(x'^2 + y'^2) - m*g*y"

[parameters]
m = 1
g = 9.81
bend = 1           # 1/m: the wire is y = bend*x^2
x0 = 0.8           # m, at rest

[constraints]
wire = "y - bend*x^2"

[initial.position]
x = "x0"
y = "bend*x0^2"

[initial.velocity]
x = 0
y = 0

[view]
traces = ["bead"]
points.bead = ["x", "y"]

[view.shapes.wire]
s = ["-1.2*x0", "1.2*x0"]
point = ["s", "bend*s^2"]

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

}  // namespace

problem bead_on_parabola() {
  return {"bead-on-parabola", "a bead that slides on a parabolic wire", "any textbook of mechanics", text, {}};
}

}  // namespace actio::problems
