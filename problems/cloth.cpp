#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A net of masses with springs along its threads and across, held at two corners by stiff springs.
name = "cloth"
coordinates = ["x[1..n, 1..n]", "y[1..n, 1..n]", "z[1..n, 1..n]"]
lagrangian = """
  sum(i = 1..n, j = 1..n, m/2*(x[i,j]'^2 + y[i,j]'^2 + z[i,j]'^2) - m*g*z[i,j])
  - sum(i = 1..n, j = 1..n-1, k/2*(sqrt((x[i,j+1]-x[i,j])^2 + (y[i,j+1]-y[i,j])^2 + (z[i,j+1]-z[i,j])^2) - a)^2)
  - sum(i = 1..n-1, j = 1..n, k/2*(sqrt((x[i+1,j]-x[i,j])^2 + (y[i+1,j]-y[i,j])^2 + (z[i+1,j]-z[i,j])^2) - a)^2)
  - sum(i = 1..n-1, j = 1..n-1, k/8*((x[i+1,j+1]-x[i,j])^2 + (y[i+1,j+1]-y[i,j])^2 + (z[i+1,j+1]-z[i,j])^2))
  - 10*k*(x[1,1]^2 + y[1,1]^2 + z[1,1]^2) - 10*k*(x[1,n]^2 + (y[1,n] - 1)^2 + z[1,n]^2)
"""

[sizes]
n = 8

[parameters]
a = "1/(n-1)"             # the spacing of the threads
m = "1/n^2"
k = 20
g = 9.81

[initial.position]        # flat
"x[i = 1..n, j = 1..n]" = "a*(i-1)"
"y[i = 1..n, j = 1..n]" = "a*(j-1)"

[run]
method = "strang"
step = 0.002
until = 2
)toml";

}  // namespace

problem cloth() {
  return {"cloth",
          "a square of springs that hangs from two corners and falls into its shape",
          "Provot, Graphics Interface (1995)",
          text,
          {}};
}

}  // namespace actio::problems
