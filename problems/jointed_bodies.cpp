#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Two rigid bodies on a ball joint, floating: a constraint for each quaternion, and a vector of three for the joint.
name = "two bodies on a ball joint"
coordinates = ["x1", "y1", "z1", "a1", "b1", "c1", "d1", "x2", "y2", "z2", "a2", "b2", "c2", "d2"]
lagrangian = """
  1/2*m1*dot(r1', r1') + 1/2*(A1*w1.x^2 + B1*w1.y^2 + C1*w1.z^2)
  + 1/2*m2*dot(r2', r2') + 1/2*(A2*w2.x^2 + B2*w2.y^2 + C2*w2.z^2)
"""

[parameters]
m1 = 2             # masses, and moments of inertia about the body axes
A1 = 0.3
B1 = 0.4
C1 = 0.2
m2 = 1
A2 = 0.12
B2 = 0.1
C2 = 0.04
l1 = 0.6           # from the centres of mass to the joint, along the third axes
l2 = 0.5
bend = 1           # rad, at the start
spin1 = 3          # rad/s, at the start, in space axes
spin2 = 8

[definitions]
r1 = "vector(x1, y1, z1)"
r2 = "vector(x2, y2, z2)"
Q1 = "quaternion(a1, b1, c1, d1)"
Q2 = "quaternion(a2, b2, c2, d2)"
w1 = "body_rate(Q1)"
w2 = "body_rate(Q2)"
joint = "r1 + rotate(Q1, vector(0, 0, l1))"

[constraints]
unit1 = "dot(Q1, Q1) - 1"
unit2 = "dot(Q2, Q2) - 1"
joint = "joint - r2 + rotate(Q2, vector(0, 0, l2))"

[observables]
bend_cosine = "dot(rotate(Q1, vector(0, 0, 1)), rotate(Q2, vector(0, 0, 1)))"

[symmetries.momentum_x]
r1 = "vector(1, 0, 0)"
r2 = "vector(1, 0, 0)"
[symmetries.momentum_y]
r1 = "vector(0, 1, 0)"
r2 = "vector(0, 1, 0)"
[symmetries.momentum_z]
r1 = "vector(0, 0, 1)"
r2 = "vector(0, 0, 1)"
[symmetries.rotation_x]
r1 = "cross(vector(1, 0, 0), r1)"
r2 = "cross(vector(1, 0, 0), r2)"
Q1 = "quaternion(0, 1, 0, 0)*Q1/2"
Q2 = "quaternion(0, 1, 0, 0)*Q2/2"
[symmetries.rotation_y]
r1 = "cross(vector(0, 1, 0), r1)"
r2 = "cross(vector(0, 1, 0), r2)"
Q1 = "quaternion(0, 0, 1, 0)*Q1/2"
Q2 = "quaternion(0, 0, 1, 0)*Q2/2"
[symmetries.rotation_z]
r1 = "cross(vector(0, 0, 1), r1)"
r2 = "cross(vector(0, 0, 1), r2)"
Q1 = "quaternion(0, 0, 0, 1)*Q1/2"
Q2 = "quaternion(0, 0, 0, 1)*Q2/2"

[initial.position]                       # the joint in the origin
r1 = "vector(0, 0, -l1)"
Q1 = "quaternion(1, 0, 0, 0)"
r2 = "rotate(rotation(vector(1, 0, 0), bend), vector(0, 0, l2))"
Q2 = "rotation(vector(1, 0, 0), bend)"

[initial.velocity]
r1 = "cross(vector(spin1, 0, 1), vector(0, 0, -l1))"
r2 = "cross(vector(0, 1, spin2), rotate(rotation(vector(1, 0, 0), bend), vector(0, 0, l2)))"
[initial.space_rate]
Q1 = "vector(spin1, 0, 1)"
Q2 = "vector(0, 1, spin2)"

[view]
lines = [["first", "joint", "second"]]
traces = ["first", "second"]
points.first = ["x1", "y1", "z1"]
points.joint = ["joint.x", "joint.y", "joint.z"]
points.second = ["x2", "y2", "z2"]
bodies.first = {centre = "first", box = [0.4, 0.3, 1], orientation = ["a1", "b1", "c1", "d1"]}
bodies.second = {centre = "second", box = [0.2, 0.3, 0.8], orientation = ["a2", "b2", "c2", "d2"]}

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

}  // namespace

problem jointed_bodies() {
  return {"jointed-bodies",
          "two rigid bodies that a ball joint holds together: fourteen coordinates, five constraints",
          "any textbook of multibody dynamics",
          text,
          {}};
}

}  // namespace actio::problems
