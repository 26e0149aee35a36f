#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A rigid body that nothing acts on, in unit quaternions: its angular momentum stands still in space.
name = "free rigid body"
coordinates = ["a", "b", "c", "d"]       # the unit quaternion that turns body axes into space axes
lagrangian = "1/2*(I1*w.x^2 + I2*w.y^2 + I3*w.z^2)"

[parameters]
I1 = 1             # about the body axes
I2 = 2
I3 = 3
w1 = 0             # rad/s: the angular velocity at the start, in body axes
w2 = 3
w3 = 4

[definitions]
Q = "quaternion(a, b, c, d)"
w = "body_rate(Q)"
tip = "rotate(Q, vector(0, 0, 1.5))"   # of the third axis

[constraints]
unit = "dot(Q, Q) - 1"

[observables]
body_rate = "w"
body_momentum = "vector(I1*w.x, I2*w.y, I3*w.z)"
space_rate = "space_rate(Q)"

[symmetries.momentum_x]                  # space turns about its axes: the momentum in space axes
Q = "quaternion(0, 1, 0, 0)*Q/2"
[symmetries.momentum_y]
Q = "quaternion(0, 0, 1, 0)*Q/2"
[symmetries.momentum_z]
Q = "quaternion(0, 0, 0, 1)*Q/2"

[initial.position]
Q = "quaternion(1, 0, 0, 0)"

[initial.body_rate]
Q = "vector(w1, w2, w3)"

[view]                                   # a thin plate has these moments
lines = [["centre", "tip"]]
traces = ["tip"]
points.centre = [0, 0, 0]
points.tip = ["tip.x", "tip.y", "tip.z"]
bodies.plate = {box = [2, 1.4, 0.1], orientation = ["Q.w", "Q.x", "Q.y", "Q.z"]}

[run]
method = "simpson"
step = 0.01
until = 30
)toml";

}  // namespace

problem free_rigid_body() {
  return {"free-rigid-body",
          "a rigid body in unit quaternions on which nothing acts",
          "Marsden and Wendlandt (1997)",
          text,
          {}};
}

}  // namespace actio::problems
