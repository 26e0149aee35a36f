#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A rod that bends and stretches, clamped at one end, in the plane: points of mass, springs between and across.
name = "elastic rod"
coordinates = ["x[2..n]", "y[2..n]"]
lagrangian = """
  sum(i = 2..n, density*a/2*(x[i]'^2 + y[i]'^2) - density*a*g*(y[i] + 1))
  - sum(i = 1..n-1, stretching*a/2*(length[i]/a - 1)^2 + bending/(2*a)*turn[i]^2)
"""

[sizes]
n = 40

[parameters]
a = "1/n"                 # of a piece; the rod has length one
density = 1
stretching = 400          # E A
bending = 0.5             # E I
g = 9.81

[definitions]             # the clamp; lengths of pieces, and twice the tangents of half the angles between them
"x[0]" = 0
"y[0]" = 0
"x[1]" = "a"
"y[1]" = 0
"length[i = 0..n-1]" = "sqrt((x[i+1]-x[i])^2 + (y[i+1]-y[i])^2)"
"across[i = 1..n-1]" = "(x[i]-x[i-1])*(y[i+1]-y[i]) - (y[i]-y[i-1])*(x[i+1]-x[i])"
"along[i = 1..n-1]" = "(x[i]-x[i-1])*(x[i+1]-x[i]) + (y[i]-y[i-1])*(y[i+1]-y[i])"
"turn[i = 1..n-1]" = "2*across[i]/(length[i-1]*length[i] + along[i])"

[initial.position]        # level
"x[i = 2..n]" = "i*a"

[run]
method = "strang"
step = 0.0002
until = 1
)toml";

}  // namespace

problem elastic_rod() {
  return {"elastic-rod",
          "a clamped rod falls and swings: bending and stretching of a discrete elastic rod",
          "Bergou, Wardetzky, Robinson, Audoly and Grinspun, ACM Transactions on Graphics 27 (2008)",
          text,
          {}};
}

}  // namespace actio::problems
