#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Rods on ball joints in space: a spine of n of them hangs from the origin, and where one ends is a branch.
name = "tree of rods"
coordinates = ["x[1..2*n]", "y[1..2*n]", "z[1..2*n]", "a[1..2*n]", "b[1..2*n]", "c[1..2*n]", "d[1..2*n]"]
lagrangian = """
  sum(i = 1..2*n, m/2*(x[i]'^2 + y[i]'^2 + z[i]'^2) - m*g*z[i]
    + 1/2*(J*(w[i].x^2 + w[i].y^2) + I*w[i].z^2))
"""

[sizes]
n = 4                     # rods of the spine

[parameters]
m = 1
g = 9.81
l = 0.5                   # half a rod
J = "m*l^2/3"             # across a rod, and about its axis
I = "J/20"
lean = 0.4                # of the spine at the start, and of the branches
spread = 1

[definitions]             # rods stand with their upper end at r + arm
"r[i = 1..2*n]" = "vector(x[i], y[i], z[i])"
"Q[i = 1..2*n]" = "quaternion(a[i], b[i], c[i], d[i])"
"w[i = 1..2*n]" = "body_rate(Q[i])"
"arm[i = 1..2*n]" = "rotate(Q[i], vector(0, 0, l))"

[constraints]
"unit[i = 1..2*n]" = "dot(Q[i], Q[i]) - 1"
root = "r[1] + arm[1]"
"joint[i = 2..n]" = "r[i] + arm[i] - r[i-1] + arm[i-1]"
"branch[i = 1..n]" = "r[n+i] + arm[n+i] - r[i] + arm[i]"

[initial.position]
"y[i = 1..n]" = "(2*i - 1)*l*sin(lean)"
"z[i = 1..n]" = "-(2*i - 1)*l*cos(lean)"
"a[i = 1..n]" = "cos(lean/2)"
"b[i = 1..n]" = "sin(lean/2)"
"x[i = n+1..2*n]" = "-l*sin(spread)"
"y[i = n+1..2*n]" = "2*(i - n)*l*sin(lean)"
"z[i = n+1..2*n]" = "-2*(i - n)*l*cos(lean) - l*cos(spread)"
"a[i = n+1..2*n]" = "cos(spread/2)"
"c[i = n+1..2*n]" = "sin(spread/2)"

[run]
method = "simpson"
step = 0.005
until = 2
)toml";

}  // namespace

problem rod_tree() {
  return {"rod-tree",
          "rods on ball joints in space, in quaternions: a spine that hangs and swings, with branches",
          "any textbook of multibody dynamics",
          text,
          {}};
}

}  // namespace actio::problems
