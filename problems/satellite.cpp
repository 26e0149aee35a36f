#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A large satellite whose long axis points to the planet, where the gradient of gravity holds it: it librates. Orbit and
# attitude act on one another, so that only the total angular momentum is constant.
name = "satellite in a gravity gradient"
coordinates = ["x", "y", "z", "a", "b", "c", "d"]
lagrangian = """
  1/2*m*dot(r', r') + 1/2*(I1*w.x^2 + I2*w.y^2 + I3*w.z^2)
  + G*m/norm(r) + G*(I1 + I2 + I3)/(2*norm(r)^3) - 3*G*(I1*n.x^2 + I2*n.y^2 + I3*n.z^2)/(2*norm(r)^5)
"""

[parameters]                             # the radius of the orbit, its time/(2*pi) and the mass are 1
G = 1              # of the planet
m = 1
I1 = 0.002         # about the body axes: towards the planet, along the orbit, across it
I2 = 0.008
I3 = 0.009
tilt = 0.2         # rad, about (1, 2, 2), at the start

[definitions]
r = "vector(x, y, z)"
Q = "quaternion(a, b, c, d)"
w = "body_rate(Q)"
n = "rotate(conjugate(Q), r)"            # where the planet is, in body axes

[constraints]
unit = "dot(Q, Q) - 1"

[observables]
distance = "norm(r)"
pointing = "dot(rotate(Q, vector(1, 0, 0)), r)/norm(r)"

[symmetries.momentum_x]
r = "cross(vector(1, 0, 0), r)"
Q = "quaternion(0, 1, 0, 0)*Q/2"
[symmetries.momentum_y]
r = "cross(vector(0, 1, 0), r)"
Q = "quaternion(0, 0, 1, 0)*Q/2"
[symmetries.momentum_z]
r = "cross(vector(0, 0, 1), r)"
Q = "quaternion(0, 0, 0, 1)*Q/2"

[initial.position]
r = "vector(1, 0, 0)"
Q = "rotation(vector(1, 2, 2), tilt)"

[initial.velocity]
r = "vector(0, sqrt(G), 0)"
[initial.space_rate]
Q = "vector(0, 0, sqrt(G))"

[view]
lines = [["planet", "satellite"]]
traces = ["satellite"]
points.planet = [0, 0, 0]
points.satellite = ["x", "y", "z"]
bodies.satellite = {centre = "satellite", box = [0.3, 0.09, 0.06], orientation = ["a", "b", "c", "d"]}

[run]
method = "simpson"
step = 0.05
until = 100
)toml";

}  // namespace

problem satellite() {
  return {"satellite",
          "a rigid satellite in orbit, which the gradient of gravity turns, in seven coordinates",
          "any textbook of spacecraft attitude; potential by MacCullagh's formula",
          text,
          {}};
}

}  // namespace actio::problems
