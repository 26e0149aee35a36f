// Models that several tests use.
#pragma once

#include "actio/integrate/catalogue.hpp"
#include "actio/mechanics/model.hpp"

namespace actio::testing {

// The double pendulum of rojas2025, Table 1, with its Lagrangian in angles.
inline constexpr const char* double_pendulum_in_angles = R"toml(
coordinates = ["q1", "q2"]
lagrangian = "(m1+m2)/2*l^2*q1'^2 + m2/2*l^2*q2'^2 + m2*l^2*q1'*q2'*cos(q1-q2) + (m1+m2)*g*l*cos(q1) + m2*g*l*cos(q2)"
[parameters]
m1 = 1
m2 = 1
g = 9.81
l = "g/(2*pi)^2"
[initial.position]
q1 = "pi/4"
q2 = "pi/3"
[initial.momentum]
q1 = 0
q2 = 0
)toml";

// The same system in Cartesian definitions.
inline constexpr const char* double_pendulum_in_cartesian = R"toml(
coordinates = ["q1", "q2"]
lagrangian = "1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2) - m1*g*y1 - m2*g*y2"
[parameters]
m1 = 1
m2 = 1
g = 9.81
l = "g/(2*pi)^2"
[definitions]
x1 = "l*sin(q1)"
y1 = "-l*cos(q1)"
x2 = "x1 + l*sin(q2)"
y2 = "y1 - l*cos(q2)"
[initial.position]
q1 = "pi/4"
q2 = "pi/3"
[initial.momentum]
q1 = 0
q2 = 0
)toml";

// Velocity-dependent force, drive and a position-dependent mass in one.
inline constexpr const char* forced_system = R"toml(
coordinates = ["x", "y"]
lagrangian = "(1 + x^2)/2*x'^2 + y'^2/2 + x*y'/3 - x^2*y - y^2/2 + x*sin(2*t)"
[forces]
x = "-0.1*x' + 0.2*y"
y = "-0.05*y'^3"
[initial.position]
x = 0.4
y = 0.2
[initial.velocity]
x = 0.1
y = -0.3
)toml";

// A force that does not come from a potential, a drive, and kinetic energy that is coupled but of the velocities alone.
inline constexpr const char* forced_separable_system = R"toml(
coordinates = ["x", "y"]
lagrangian = "x'^2/2 + y'^2/2 + x'*y'/5 + y'/3 - x^2*y - x^4 - y^2 + x*sin(2*t)"
[forces]
x = "0.2*y"
y = "-0.1*x^3*cos(t)"
[initial.position]
x = 0.4
y = 0.2
[initial.velocity]
x = 0.1
y = -0.3
)toml";

inline constexpr const char* henon_heiles = R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - 1/2*(x^2 + y^2) - x^2*y + y^3/3"
[initial.position]
x = 0.1
y = -0.2
[initial.velocity]
x = 0.3
y = 0.2
)toml";

// For methods that take linear systems only.
inline constexpr const char* coupled_oscillators = R"toml(
coordinates = ["x", "y"]
lagrangian = "x'^2/2 + y'^2 + x'*y'/5 - 2*x^2 - 3*y^2/2 - x*y/3 + x/4 - y/7"
[initial.position]
x = 0.1
y = -0.2
[initial.velocity]
x = 0.3
y = 0.2
)toml";

// Predators and prey: equations without a Lagrangian, with an invariant.
inline constexpr const char* lotka_volterra = R"toml(
name = "predators and prey"
coordinates = ["prey", "predators"]
[parameters]
growth = 1.1
hunting = 0.4
feeding = 0.1
death = 0.4
[equations]
prey = "prey*(growth - hunting*predators)"
predators = "predators*(feeding*prey - death)"
[observables]
invariant = "feeding*prey - death*log(prey) + hunting*predators - growth*log(predators)"
relative_growth = "prey'/prey"
[initial.position]
prey = 10
predators = 5
[run]
step = 0.01
until = 10
)toml";

inline model read(const char* text) { return parse_model(text, "test.toml"); }

// The first of the models that a method takes, a linear one after all others.
inline model read_suited(std::string_view method, std::initializer_list<const char*> texts) {
  for (const char* text : texts) {
    model m = read(text);
    if (suits(*find_method(method), m.system)) return m;
  }
  model linear = read(coupled_oscillators);
  if (suits(*find_method(method), linear.system)) return linear;
  throw std::invalid_argument("no model suits " + std::string(method));
}

}  // namespace actio::testing
