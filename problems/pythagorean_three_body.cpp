#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Three bodies at rest at the corners of a triangle with sides 3, 4 and 5: close encounters, then one escapes.
name = "Pythagorean three-body problem"
coordinates = ["x1", "y1", "x2", "y2", "x3", "y3"]
lagrangian = """
  1/2*(m1*(x1'^2 + y1'^2) + m2*(x2'^2 + y2'^2) + m3*(x3'^2 + y3'^2))
  + G*(m1*m2/r12 + m1*m3/r13 + m2*m3/r23)
"""

[parameters]
G  = 1
m1 = 3                     # as heavy as the opposite side is long
m2 = 4
m3 = 5

[definitions]
r12 = "sqrt((x1 - x2)^2 + (y1 - y2)^2)"
r13 = "sqrt((x1 - x3)^2 + (y1 - y3)^2)"
r23 = "sqrt((x2 - x3)^2 + (y2 - y3)^2)"

[observables]
distance_12 = "r12"
distance_13 = "r13"
distance_23 = "r23"

[initial.position]
x1 = 1
y1 = 3
x2 = -2
y2 = -1
x3 = 1
y3 = -1

[initial.velocity]
x1 = 0
y1 = 0
x2 = 0
y2 = 0
x3 = 0
y3 = 0

[view]
traces = ["body_1", "body_2", "body_3"]
points.body_1 = ["x1", "y1"]
points.body_2 = ["x2", "y2"]
points.body_3 = ["x3", "y3"]

[run]
method = "gauss-8"
step = 0.0001              # equal steps must follow the closest encounter
until = 10
)toml";

}  // namespace

problem pythagorean_three_body() {
  return {"pythagorean-three-body",
          "three bodies that fall together from rest: uneven motion with close encounters",
          "Burrau, Astronomische Nachrichten 195 (1913); Szebehely and Peters, Astronomical Journal 72 (1967)",
          text,
          {}};
}

}  // namespace actio::problems
