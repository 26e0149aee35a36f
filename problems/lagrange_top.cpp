#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# The heavy symmetric top on a fixed point. phi and psi do not occur in the Lagrangian: two conserved momenta.
name = "Lagrange top"
coordinates = ["phi", "theta", "psi"]     # precession, nutation, spin
lagrangian = """
  1/2*I1*(theta'^2 + sin(theta)^2*phi'^2) + 1/2*I3*(psi' + phi'*cos(theta))^2
  - m*g*l*cos(theta)
"""

[parameters]
m  = 0.1           # kg
I1 = 2.33e-3       # kg m^2, across the axis, about the fixed point
I3 = 1.25e-4       # kg m^2, about the axis
l  = 0.15          # m, from the fixed point to the centre of mass
g  = 9.81          # m/s^2
nutation_period = 1.846708477081638       # s, of the motion below; only the step is measured by it

[initial.position]
phi = 0
theta = "pi/3"
psi = 0

[initial.velocity]  # rad/s
phi = 9.2
theta = 0
psi = 252

[run]
method = "simpson"
step = "0.01*nutation_period"
until = "10*nutation_period"
)toml";

}  // namespace

problem lagrange_top() {
  return {"lagrange-top",
          "the heavy symmetric top in a looping motion, with two cyclic angles",
          "Rojas-Quintero, Dubois and Jourdan (2025), Table 3",
          text,
          {}};
}

}  // namespace actio::problems
