#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A fast mass on a spring: the Lagrangian is not quadratic in the velocity, which stays below that of light.
name = "relativistic oscillator"
coordinates = ["x"]
lagrangian = "-m*c^2*sqrt(1 - x'^2/c^2) - 1/2*k*x^2"

[parameters]
m = 1
k = 1
c = 1            # speed of light

[observables]
speed = "abs(x')"

[initial.position]
x = 2

[initial.momentum]
x = 0

[run]
method = "simpson"
step = 0.02
until = 50
)toml";

}  // namespace

problem relativistic_oscillator() {
  return {
      "relativistic-oscillator", "a mass on a spring near the speed of light", "any textbook of relativity", text, {}};
}

}  // namespace actio::problems
