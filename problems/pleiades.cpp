#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Seven bodies in a plane with near collisions: a test of methods that choose their steps.
name = "Pleiades"
coordinates = ["x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4", "x5", "y5", "x6", "y6", "x7", "y7"]
lagrangian = """
  1/2*(m1*(x1'^2 + y1'^2)
    + m2*(x2'^2 + y2'^2)
    + m3*(x3'^2 + y3'^2)
    + m4*(x4'^2 + y4'^2)
    + m5*(x5'^2 + y5'^2)
    + m6*(x6'^2 + y6'^2)
    + m7*(x7'^2 + y7'^2))
  + m1*m2/r12 + m1*m3/r13 + m1*m4/r14 + m1*m5/r15 + m1*m6/r16 + m1*m7/r17
  + m2*m3/r23 + m2*m4/r24 + m2*m5/r25 + m2*m6/r26 + m2*m7/r27
  + m3*m4/r34 + m3*m5/r35 + m3*m6/r36 + m3*m7/r37
  + m4*m5/r45 + m4*m6/r46 + m4*m7/r47
  + m5*m6/r56 + m5*m7/r57
  + m6*m7/r67
"""

[parameters]
m1 = 1
m2 = 2
m3 = 3
m4 = 4
m5 = 5
m6 = 6
m7 = 7

[definitions]
r12 = "sqrt((x1 - x2)^2 + (y1 - y2)^2)"
r13 = "sqrt((x1 - x3)^2 + (y1 - y3)^2)"
r14 = "sqrt((x1 - x4)^2 + (y1 - y4)^2)"
r15 = "sqrt((x1 - x5)^2 + (y1 - y5)^2)"
r16 = "sqrt((x1 - x6)^2 + (y1 - y6)^2)"
r17 = "sqrt((x1 - x7)^2 + (y1 - y7)^2)"
r23 = "sqrt((x2 - x3)^2 + (y2 - y3)^2)"
r24 = "sqrt((x2 - x4)^2 + (y2 - y4)^2)"
r25 = "sqrt((x2 - x5)^2 + (y2 - y5)^2)"
r26 = "sqrt((x2 - x6)^2 + (y2 - y6)^2)"
r27 = "sqrt((x2 - x7)^2 + (y2 - y7)^2)"
r34 = "sqrt((x3 - x4)^2 + (y3 - y4)^2)"
r35 = "sqrt((x3 - x5)^2 + (y3 - y5)^2)"
r36 = "sqrt((x3 - x6)^2 + (y3 - y6)^2)"
r37 = "sqrt((x3 - x7)^2 + (y3 - y7)^2)"
r45 = "sqrt((x4 - x5)^2 + (y4 - y5)^2)"
r46 = "sqrt((x4 - x6)^2 + (y4 - y6)^2)"
r47 = "sqrt((x4 - x7)^2 + (y4 - y7)^2)"
r56 = "sqrt((x5 - x6)^2 + (y5 - y6)^2)"
r57 = "sqrt((x5 - x7)^2 + (y5 - y7)^2)"
r67 = "sqrt((x6 - x7)^2 + (y6 - y7)^2)"

[initial.position]
x1 = 3
y1 = 3
x2 = 3
y2 = -3
x3 = -1
y3 = 2
x4 = -3
y4 = 0
x5 = 2
y5 = 0
x6 = -2
y6 = -4
x7 = 2
y7 = 4

[initial.velocity]
x1 = 0
y1 = 0
x2 = 0
y2 = 0
x3 = 0
y3 = 0
x4 = 0
y4 = -1.25
x5 = 0
y5 = 1
x6 = 1.75
y6 = 0
x7 = -1.5
y7 = 0

[view]
traces = ["body_1", "body_2", "body_3", "body_4", "body_5", "body_6", "body_7"]
points.body_1 = ["x1", "y1"]
points.body_2 = ["x2", "y2"]
points.body_3 = ["x3", "y3"]
points.body_4 = ["x4", "y4"]
points.body_5 = ["x5", "y5"]
points.body_6 = ["x6", "y6"]
points.body_7 = ["x7", "y7"]

[run]
method = "gauss-8"
step = 0.001
until = 3
)toml";

}  // namespace

problem pleiades() {
  return {"pleiades",
          "seven bodies in a plane with near collisions",
          "Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, Section II.10",
          text,
          {}};
}

}  // namespace actio::problems
