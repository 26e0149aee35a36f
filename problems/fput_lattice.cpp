#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Masses in a row between walls, joined by springs that are not quite linear.
name = "Fermi-Pasta-Ulam-Tsingou lattice"
coordinates = ["q[1..n]"]
lagrangian = "sum(i = 1..n, 1/2*q[i]'^2) - sum(i = 0..n, 1/2*(q[i+1]-q[i])^2 + beta/4*(q[i+1]-q[i])^4)"

[sizes]
n = 32

[parameters]
beta = 0.3

[definitions]             # the walls
"q[0]" = 0
"q[n+1]" = 0

[initial.position]        # the lowest mode alone
"q[i = 1..n]" = "sqrt(2/(n+1))*4*sin(pi*i/(n+1))"

[run]
method = "strang"
step = 0.1
until = 500
)toml";

}  // namespace

problem fput_lattice() {
  return {"fput-lattice",
          "springs with a quartic term between masses in a row: the energy of one mode comes back",
          "Fermi, Pasta, Ulam and Tsingou, Los Alamos report LA-1940 (1955)",
          text,
          {}};
}

}  // namespace actio::problems
