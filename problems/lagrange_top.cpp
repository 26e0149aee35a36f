#include "problems/exact_start.hpp"
#include "problems/lagrange_top_solution.hpp"
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
theta0 = "pi/3"    # rad, at the start
phi_rate = 9.2     # rad/s, at the start
theta_rate = 0
psi_rate = 252
# s, of the motion from these numbers; only the step is measured by it
nutation_period = 1.84670847708163817360196453163648371293844839364858491346819894308420342

[initial.position]
phi = 0
theta = "theta0"
psi = 0

[initial.velocity]
phi = "phi_rate"
theta = "theta_rate"
psi = "psi_rate"

[view]
lines = [["tip", "axis"]]
traces = ["axis"]
points.tip = [0, 0, 0]
points.axis = ["2*l*sin(theta)*sin(phi)", "-2*l*sin(theta)*cos(phi)", "2*l*cos(theta)"]

[view.bodies.top]                         # without its spin: nobody could see it
disc = ["0.6*l", "0.2*l"]
centre = ["l*sin(theta)*sin(phi)", "-l*sin(theta)*cos(phi)", "l*cos(theta)"]
axes = [
  ["cos(phi)", "sin(phi)", 0],
  ["-cos(theta)*sin(phi)", "cos(theta)*cos(phi)", "sin(theta)"],
  ["sin(theta)*sin(phi)", "-sin(theta)*cos(phi)", "cos(theta)"],
]

[run]
method = "simpson"
step = "0.01*nutation_period"
until = "10*nutation_period"
)toml";

template <class S>
exact_answer<S> motion(const model& m) {
  const exact_start<S> start(m);
  const std::vector<S>&q = start.position, &v = start.rates;
  const S weight = start.parameter("m") * start.parameter("g") * start.parameter("l");
  const lagrange_top_solution<S> solution(
      {start.parameter("I1"), start.parameter("I3"), weight, q[0], q[1], q[2], v[0], v[1], v[2]});
  if (!solution.obstacle().empty()) return {.obstacle = solution.obstacle()};
  const exact_motion<S> motion = [=](const S& t) {
    const auto now = solution.at(t);
    return exact_point<S>{{now.precession, now.nutation, now.spin},
                          {solution.precession_momentum(), now.nutation_momentum, solution.spin_momentum()}};
  };
  return {.motion = motion, .period = solution.nutation_period(), .repeats = "nutation"};
}

}  // namespace

problem lagrange_top() {
  return {"lagrange-top", "the heavy symmetric top in a looping motion, with two cyclic angles and its exact motion",
          "Rojas-Quintero, Dubois and Jourdan (2025), Table 3; exact motion by Weierstrass' elliptic function", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
