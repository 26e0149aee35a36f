#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A tennis racket thrown up so that it turns about its middle axis: it cannot do so without flipping over.
name = "tennis racket"
coordinates = ["a", "b", "c", "d"]       # the unit quaternion that turns body axes into space axes
lagrangian = "1/2*(I1*w.x^2 + I2*w.y^2 + I3*w.z^2)"

[parameters]
I1 = 0.0015        # kg m^2: about the handle
I2 = 0.0164        # across the handle, in the plane of the strings
I3 = 0.0179        # across the plane of the strings: the sum, as for every flat body
rate = 12          # rad/s, about the middle axis
slip = 0.02        # rad/s, about the two others: no hand throws better

[definitions]
Q = "quaternion(a, b, c, d)"
w = "body_rate(Q)"
handle = "rotate(Q, vector(1, 0, 0))"    # its direction in space

[constraints]
unit = "dot(Q, Q) - 1"

[observables]
body_rate = "w"
handle = "handle"
middle_axis = "rotate(Q, vector(0, 1, 0))"

[symmetries.momentum_x]
Q = "quaternion(0, 1, 0, 0)*Q/2"
[symmetries.momentum_y]
Q = "quaternion(0, 0, 1, 0)*Q/2"
[symmetries.momentum_z]
Q = "quaternion(0, 0, 0, 1)*Q/2"

[initial.position]
Q = "quaternion(1, 0, 0, 0)"

[initial.body_rate]
Q = "vector(slip, rate, slip)"

[view]                                   # the strings, and the end of the handle
lines = [["centre", "grip"]]
traces = ["grip"]
points.centre = [0, 0, 0]
points.grip = ["-0.35*handle.x", "-0.35*handle.y", "-0.35*handle.z"]

[view.bodies.strings]
centre = ["0.15*handle.x", "0.15*handle.y", "0.15*handle.z"]
box = [0.34, 0.26, 0.02]
orientation = ["Q.w", "Q.x", "Q.y", "Q.z"]

[run]
method = "simpson"
step = 0.005
until = 5
)toml";

}  // namespace

problem tennis_racket() {
  return {"tennis-racket",
          "a racket that turns about its middle axis, and flips over",
          "Ashbaugh, Chicone and Cushman (1991); moments of inertia as of a usual racket",
          text,
          {}};
}

}  // namespace actio::problems
