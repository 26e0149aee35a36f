#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A cantilever of bars: joints 1 and 2 are the wall, bars come from a table.
name = "planar truss"
coordinates = ["x[3..8]", "y[3..8]"]
lagrangian = """
  sum(i = 3..8, m/2*(x[i]'^2 + y[i]'^2) - m*g*y[i])
  - sum(e in bars, k/(2*e.length)*(sqrt((x[e.a]-x[e.b])^2 + (y[e.a]-y[e.b])^2) - e.length)^2)
"""

[parameters]
m = 1
g = 9.81
k = 5000                  # stiffness of a bar of length one

[definitions]             # the wall
"x[1]" = 0
"y[1]" = 0
"x[2]" = 0
"y[2]" = 1

[tables.bars]
columns = ["a", "b", "length"]
rows = [[1, 3, 1], [2, 4, 1], [3, 4, 1], [3, 5, 1], [4, 6, 1], [5, 6, 1], [5, 7, 1], [6, 8, 1], [7, 8, 1],
        [2, 3, 1.4142135623730951], [4, 5, 1.4142135623730951], [6, 7, 1.4142135623730951]]

[initial.position]
x = [1, 1, 2, 2, 3, 3]
y = [0, 1, 0, 1, 0, 1]

[run]
method = "strang"
step = 0.002
until = 5
)toml";

}  // namespace

problem planar_truss() {
  return {"planar-truss",
          "joints in a plane joined by elastic bars from a table, swinging under their weight",
          "Bathe, Finite Element Procedures (1996), section 4.2",
          text,
          {}};
}

}  // namespace actio::problems
