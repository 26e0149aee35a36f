#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# The field u(x, t) with u_tt = u_xx - sin u on a lattice of spacing a, held at both ends.
name = "sine-Gordon field"
coordinates = ["u[1..n]"]
lagrangian = "sum(i = 1..n, a/2*u[i]'^2 - a*(1 - cos(u[i]))) - sum(i = 0..n, (u[i+1]-u[i])^2/(2*a))"

[sizes]
n = 200

[parameters]
a = 0.1                   # of the lattice
c = 0.5                   # the speed of a kink

[definitions]             # far from the kinks
"u[0]" = 0
"u[n+1]" = 0

[initial.position]        # a kink and an antikink, in the middle of either half
"u[i = 1..n]" = "4*atan(exp((a*(i - n/4))/sqrt(1-c^2))) - 4*atan(exp((a*(i - 3*n/4))/sqrt(1-c^2)))"

[initial.velocity]
"u[i = 1..n]" = """
  -2*c/sqrt(1-c^2)/cosh(a*(i - n/4)/sqrt(1-c^2)) - 2*c/sqrt(1-c^2)/cosh(a*(i - 3*n/4)/sqrt(1-c^2))
"""

[run]
method = "strang"
step = 0.05
until = 40
)toml";

}  // namespace

problem sine_gordon() {
  return {
      "sine-gordon",
      "a chain of pendulums, the sine-Gordon field on a lattice: a kink and its mirror image pass through each other",
      "Frenkel and Kontorova (1938); Perring and Skyrme, Nuclear Physics 31 (1962)",
      text,
      {}};
}

}  // namespace actio::problems
