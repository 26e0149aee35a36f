#include <cmath>

#include "problems/exact_start.hpp"
#include "problems/lagrange_top_solution.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# The heavy symmetric top on a fixed point in unit quaternions: where it stands upright, angles fail and this does not.
name = "heavy top in quaternions"
coordinates = ["a", "b", "c", "d"]       # the unit quaternion that turns body axes into space axes
lagrangian = "1/2*(I1*(w.x^2 + w.y^2) + I3*w.z^2) - m*g*l*axis.z"

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

[definitions]
Q = "quaternion(a, b, c, d)"
w = "body_rate(Q)"
axis = "rotate(Q, vector(0, 0, 1))"      # where the top points

[constraints]
unit = "dot(Q, Q) - 1"

[observables]
axis = "axis"
body_momentum = "vector(I1*w.x, I1*w.y, I3*w.z)"

[symmetries.p_phi]                       # about the vertical of space, and about the axis of the body
Q = "quaternion(0, 0, 0, 1)*Q/2"
[symmetries.p_psi]
Q = "Q*quaternion(0, 0, 0, 1)/2"

[initial.position]
Q = "rotation(vector(1, 0, 0), theta0)"

[initial.body_rate]
Q = "vector(theta_rate, phi_rate*sin(theta0), phi_rate*cos(theta0) + psi_rate)"

[view]
lines = [["tip", "end"]]
traces = ["end"]
points.tip = [0, 0, 0]
points.end = ["2*l*axis.x", "2*l*axis.y", "2*l*axis.z"]

[view.bodies.top]
disc = ["0.6*l", "0.2*l"]
centre = ["l*axis.x", "l*axis.y", "l*axis.z"]
orientation = ["Q.w", "Q.x", "Q.y", "Q.z"]

[run]
method = "simpson"
step = 0.002
until = 10
)toml";

// The motion of the angles, as in lagrange_top.cpp, as a quaternion.
template <class S>
exact_answer<S> motion(const model& m) {
  using std::cos;
  using std::sin;
  const exact_start<S> start(m);
  const S I1 = start.parameter("I1"), I3 = start.parameter("I3");
  const S weight = start.parameter("m") * start.parameter("g") * start.parameter("l");
  const lagrange_top_solution<S> solution({I1, I3, weight, S(0), start.parameter("theta0"), S(0),
                                           start.parameter("phi_rate"), start.parameter("theta_rate"),
                                           start.parameter("psi_rate")});
  if (!solution.obstacle().empty()) return {.obstacle = solution.obstacle()};
  const exact_motion<S> motion = [=](const S& t) {
    const auto now = solution.at(t);
    const S half = now.nutation / 2, sum = (now.precession + now.spin) / 2, gap = (now.precession - now.spin) / 2;
    const S a = cos(half) * cos(sum), b = sin(half) * cos(gap), c = sin(half) * sin(gap), d = cos(half) * sin(sum);
    // The momentum in body axes: that along the line of nodes and that across it, turned back by the spin.
    const S along = now.nutation_momentum;
    const S across =
        (solution.precession_momentum() - solution.spin_momentum() * cos(now.nutation)) / sin(now.nutation);
    const S x = along * cos(now.spin) + across * sin(now.spin), y = across * cos(now.spin) - along * sin(now.spin),
            z = solution.spin_momentum();
    // p = 2 Q (0, momentum)
    return exact_point<S>{{a, b, c, d},
                          {S(-2 * (b * x + c * y + d * z)), S(2 * (a * x + c * z - d * y)),
                           S(2 * (a * y + d * x - b * z)), S(2 * (a * z + b * y - c * x))}};
  };
  return {.motion = motion, .period = solution.nutation_period(), .repeats = "nutation"};
}

}  // namespace

problem heavy_top() {
  return {"heavy-top", "the heavy symmetric top in unit quaternions, which may stand upright, with its exact motion",
          "Rojas-Quintero, Dubois and Jourdan (2025), Table 3; exact motion by Weierstrass' elliptic function", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
