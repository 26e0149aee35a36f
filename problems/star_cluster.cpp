#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Stars that attract one another, with a softening that keeps close encounters finite.
name = "star cluster"
coordinates = ["x[1..n]", "y[1..n]", "z[1..n]"]
lagrangian = """
  sum(i = 1..n, m/2*(x[i]'^2 + y[i]'^2 + z[i]'^2))
  + sum(i = 1..n, j = i+1..n, m^2/sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2 + eps^2))
"""

[sizes]
n = 30

[parameters]              # a total mass of one
m = "1/n"
eps = 0.1

[initial.position]        # somewhere in a cube
"x[i = 1..n]" = "sin(12.9898*i)"
"y[i = 1..n]" = "sin(78.233*i)"
"z[i = 1..n]" = "sin(37.719*i)"

[initial.velocity]
"x[i = 1..n]" = "-0.3*sin(78.233*i)"
"y[i = 1..n]" = "0.3*sin(12.9898*i)"

[run]
method = "strang"
step = 0.01
until = 10
)toml";

}  // namespace

problem star_cluster() {
  return {"star-cluster",
          "bodies of equal mass that attract one another, a sum over all pairs",
          "Aarseth, Gravitational N-Body Simulations (2003); softening after Plummer (1911)",
          text,
          {}};
}

}  // namespace actio::problems
