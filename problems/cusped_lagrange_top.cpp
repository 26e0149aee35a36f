#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# The heavy symmetric top, released with its axis at rest: it falls into cusps. Reduced to first order: reduced-lagrange-top.
name = "cusped Lagrange top"
coordinates = ["phi", "theta", "psi"]     # precession, nutation, spin
lagrangian = """
  1/2*I1*(theta'^2 + sin(theta)^2*phi'^2) + 1/2*I3*(psi' + phi'*cos(theta))^2
  - I1*A*cos(theta)
"""

[parameters]
I1 = 1             # kg m^2, across the axis, about the fixed point
I3 = 2             # kg m^2, about the axis
A  = "4*pi^2"      # s^-2: m*g*l/I1

[initial.position]
phi = 0
theta = "pi/6"
psi = 0

[initial.velocity]  # so that p_phi = 2*pi*sqrt(3) and p_psi = 4*pi
phi = 0
theta = 0
psi = "2*pi"

[view]
lines = [["tip", "axis"]]
traces = ["axis"]
points.tip = [0, 0, 0]
points.axis = ["sin(theta)*sin(phi)", "-sin(theta)*cos(phi)", "cos(theta)"]

[run]
method = "simpson"
step = 0.01
until = 5
)toml";

}  // namespace

problem cusped_lagrange_top() {
  return {"cusped-lagrange-top",
          "the heavy symmetric top in a motion with cusps",
          "Rojas-Quintero, Dubois and Jourdan (2025), Table 6",
          text,
          {}};
}

}  // namespace actio::problems
