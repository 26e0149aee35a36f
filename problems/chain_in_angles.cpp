#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# The same chain in the angles of its rods: definitions that begin where the one before ends.
name = "chain in angles"
coordinates = ["q[1..n]"]
lagrangian = "sum(i = 1..n, m/2*(x[i]'^2 + y[i]'^2) - m*g*y[i])"

[sizes]
n = 6

[parameters]
l = 1                     # of a rod
m = 1
g = 9.81

[definitions]
"x[0]" = 0
"y[0]" = 0
"x[i = 1..n]" = "x[i-1] + l*sin(q[i])"
"y[i = 1..n]" = "y[i-1] - l*cos(q[i])"

[initial.position]
"q[i = 1..n]" = "pi/2 - 0.5"

[run]
method = "simpson"
step = 0.005
until = 10
)toml";

}  // namespace

problem chain_in_angles() {
  return {"chain-in-angles",
          "a hanging chain in the angles of its rods, whose ends are found one after the other",
          "Bernoulli, Commentarii Academiae Petropolitanae 6 (1733)",
          text,
          {}};
}

}  // namespace actio::problems
