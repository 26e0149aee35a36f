// Constrained models that several tests use.
#pragma once

#include <string>

#include "actio/mechanics/model.hpp"
#include "problems/problem.hpp"

namespace actio::testing {

inline model hanging_chain(int rods) {
  model m = load_model("hanging-chain");
  set_parameter(m, {"n=" + std::to_string(rods), {}, ""});
  return m;
}

// A pendulum in the plane, moving fast enough to be nonlinear.
inline constexpr const char* rod_in_the_plane = R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*m*(x'^2 + y'^2) - m*g*y"
[parameters]
m = 1.5
l = 2
g = 9.81
[constraints]
rod = "x^2 + y^2 - l^2"
[initial.position]
x = "l*sin(1)"
y = "-l*cos(1)"
[initial.velocity]
x = "0.7*cos(1)"
y = "0.7*sin(1)"
[run]
step = 0.01
until = 1
)toml";

// A mass that depends on the position, a magnetic term, a force that dissipates, and a constraint that moves.
inline constexpr const char* driven_rod = R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "1/2*(1 + z^2/4)*(x'^2 + y'^2 + z'^2) + x*y'/3 + t*z'/5 - z"
[forces]
x = "-0.1*x'"
[constraints]
rod = "x^2 + y^2 + z^2 - (1 + sin(2*t)/10)^2"
[initial.position]
x = 0.6
y = 0
z = -0.8
[initial.velocity]
x = "0.4 + 0.6*0.2"
y = 0.7
z = "0.3 - 0.8*0.2"
)toml";

// The Lagrangian of a rigid body in unit quaternions: its mass matrix is singular along the constraint.
inline constexpr const char* rigid_body = R"toml(
name = "rigid body"
coordinates = ["a", "b", "c", "d"]
lagrangian = "1/2*(I1*w1^2 + I2*w2^2 + I3*w3^2)"
[parameters]
I1 = 1
I2 = 2
I3 = 3
[definitions]
w1 = "2*(a*b' - b*a' - c*d' + d*c')"
w2 = "2*(a*c' - c*a' - d*b' + b*d')"
w3 = "2*(a*d' - d*a' - b*c' + c*b')"
[constraints]
unit = "a^2 + b^2 + c^2 + d^2 - 1"
[observables]
omega1 = "w1"
omega2 = "w2"
omega3 = "w3"
[initial.position]
a = 1
b = 0
c = 0
d = 0
[initial.velocity]
a = 0
b = 0
c = 1.5
d = 2
[run]
step = 0.01
until = 1
)toml";

}  // namespace actio::testing
