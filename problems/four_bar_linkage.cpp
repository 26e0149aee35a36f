#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Three uniform rods in a plane, joined to one another and to the ground: a closed loop. The crank turns all around.
name = "four-bar linkage"
coordinates = ["x1", "y1", "x2", "y2"]   # the ends of crank and rocker, which the coupler joins
lagrangian = "crank_energy + coupler_energy + rocker_energy - g*(m1*y1 + m2*(y1 + y2) + m3*y2)/2"

[parameters]
m1 = 1             # crank, coupler, rocker
m2 = 2
m3 = 1.5
l1 = 1
l2 = 2.5
l3 = 2
ground = 2.5       # between the pivots of crank and rocker
g = 9.81
angle = 1          # rad and rad/s: of the crank at the start
rate = 6
X1 = "l1*cos(angle)"
Y1 = "l1*sin(angle)"
squared = "(ground - X1)^2 + Y1^2"
along = "(l2^2 - l3^2 + squared)/(2*squared)"
across = "sqrt(l2^2/squared - along^2)"
X2 = "X1 + along*(ground - X1) + across*Y1"
Y2 = "Y1 - along*Y1 + across*(ground - X1)"
rocker_rate = "rate*(X1*(Y2 - Y1) - Y1*(X2 - X1))/((X2 - ground)*(Y2 - Y1) - Y2*(X2 - X1))"

[definitions]                            # a uniform rod whose ends have the velocities u and v: m*(u.u + u.v + v.v)/6
crank_energy = "m1*(x1'^2 + y1'^2)/6"
coupler_energy = "m2*(x1'^2 + y1'^2 + x1'*x2' + y1'*y2' + x2'^2 + y2'^2)/6"
rocker_energy = "m3*(x2'^2 + y2'^2)/6"

[constraints]
crank = "x1^2 + y1^2 - l1^2"
coupler = "(x2 - x1)^2 + (y2 - y1)^2 - l2^2"
rocker = "(x2 - ground)^2 + y2^2 - l3^2"

[initial.position]
x1 = "X1"
y1 = "Y1"
x2 = "X2"
y2 = "Y2"

[initial.velocity]
x1 = "-rate*Y1"
y1 = "rate*X1"
x2 = "-rocker_rate*Y2"
y2 = "rocker_rate*(X2 - ground)"

[view]
lines = [["crank_pivot", "crank_end", "rocker_end", "rocker_pivot"]]
traces = ["crank_end", "rocker_end", "coupler_middle"]
points.crank_pivot = [0, 0]
points.crank_end = ["x1", "y1"]
points.rocker_end = ["x2", "y2"]
points.rocker_pivot = ["ground", 0]
points.coupler_middle = ["(x1 + x2)/2", "(y1 + y2)/2"]

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

}  // namespace

problem four_bar_linkage() {
  return {"four-bar-linkage",
          "crank, coupler and rocker: a closed loop of uniform rods in a plane",
          "any textbook of mechanisms; the lengths satisfy Grashof's rule",
          text,
          {}};
}

}  // namespace actio::problems
