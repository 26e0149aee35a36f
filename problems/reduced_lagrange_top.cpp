#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# The motion of cusped-lagrange-top as three equations of first order: its conserved momenta are numbers here.
name = "reduced Lagrange top"
coordinates = ["phi", "theta", "xi"]      # precession, nutation, rate of nutation

[definitions]
rate = "2*pi*(sqrt(3) - 2*cos(theta))/sin(theta)^2"     # of precession, from p_phi = 2*pi*sqrt(3) and p_psi = 4*pi

[equations]
phi = "rate"
theta = "xi"
xi = "(4*pi^2 + rate^2*cos(theta) - 4*pi*rate)*sin(theta)"

[observables]
# What remains of the energy of the complete top but a constant, with I1 = 1: conserved.
nutation_energy = "xi^2/2 + 2*pi^2*(sqrt(3) - 2*cos(theta))^2/sin(theta)^2 + 4*pi^2*cos(theta)"

[initial.position]
phi = 0
theta = "pi/6"
xi = 0

[view]
lines = [["tip", "axis"]]
traces = ["axis"]
points.tip = [0, 0, 0]
points.axis = ["sin(theta)*sin(phi)", "-sin(theta)*cos(phi)", "cos(theta)"]

[run]
method = "rk4"
step = 0.01
until = 5
)toml";

}  // namespace

problem reduced_lagrange_top() {
  return {"reduced-lagrange-top",
          "the cusped top reduced by its momenta: equations y' = f(y), no Lagrangian",
          "Rojas-Quintero, Dubois and Jourdan (2025), equations (26) and Table 6",
          text,
          {}};
}

}  // namespace actio::problems
