#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Masses on a chain of rigid rods in the plane: Cartesian coordinates, a constraint a rod.
name = "hanging chain"
coordinates = ["x[1..n]", "y[1..n]"]
lagrangian = "sum(i = 1..n, m/2*(x[i]'^2 + y[i]'^2) - m*g*y[i])"

[sizes]
n = 20

[parameters]
l = 1                     # of a rod
m = 1
g = 9.81
tilt = 0.5                # of the straight chain at the start, below the horizontal

[definitions]             # where it hangs
"x[0]" = 0
"y[0]" = 0

[constraints]
"rod[i = 1..n]" = "(x[i]-x[i-1])^2 + (y[i]-y[i-1])^2 - l^2"

[initial.position]
"x[i = 1..n]" = "i*l*cos(tilt)"
"y[i = 1..n]" = "-i*l*sin(tilt)"

[run]
method = "simpson"
step = 0.005
until = 10
)toml";

}  // namespace

problem hanging_chain() {
  return {"hanging-chain",
          "rigid rods in the plane that hold masses together: as many constraints as rods",
          "Bernoulli, Commentarii Academiae Petropolitanae 6 (1733)",
          text,
          {}};
}

}  // namespace actio::problems
