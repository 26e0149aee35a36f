#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# u_tt = u_xx + u_yy + u - u^3 on a square lattice whose edges are free.
name = "phi-four field in two dimensions"
coordinates = ["u[1..n, 1..n]"]
lagrangian = """
  sum(i = 1..n, j = 1..n, 1/2*u[i,j]'^2 - (1 - u[i,j]^2)^2/4)
  - sum(i = 1..n, j = 1..n-1, (u[i,j+1]-u[i,j])^2/(2*a^2))
  - sum(i = 1..n-1, j = 1..n, (u[i+1,j]-u[i,j])^2/(2*a^2))
"""

[sizes]
n = 20

[parameters]
a = 0.5                   # the spacing of the lattice

[initial.position]        # a bubble of one ground in the other
"u[i = 1..n, j = 1..n]" = "tanh((a*sqrt((i - (n+1)/2)^2 + (j - (n+1)/2)^2) - n*a/4)/sqrt(2))"

[run]
method = "strang"
step = 0.05
until = 40
)toml";

}  // namespace

problem phi_four_field() {
  return {"phi-four-field",
          "the field with the potential (1 - u^2)^2/4 on a lattice in two dimensions: walls between its two grounds",
          "Campbell, Schonfeld and Wingate, Physica D 9 (1983)",
          text,
          {}};
}

}  // namespace actio::problems
