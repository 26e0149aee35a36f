#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A string that does not stretch, between two supports: rods between masses, one more of them than masses.
name = "inextensible string"
coordinates = ["x[1..n]", "y[1..n]"]
lagrangian = "sum(i = 1..n, m/2*(x[i]'^2 + y[i]'^2) - m*g*y[i])"

[sizes]
n = 20

[parameters]
arc = 1.2                 # it starts as an arc of a circle of radius one, twice this angle
l = "2*sin(arc/(n+1))"
m = "1/n"
g = 9.81

[definitions]             # the supports
"x[0]" = 0
"y[0]" = 0
"x[n+1]" = "2*sin(arc)"
"y[n+1]" = 0

[constraints]
"piece[i = 1..n+1]" = "(x[i]-x[i-1])^2 + (y[i]-y[i-1])^2 - l^2"

[initial.position]
"x[i = 1..n]" = "sin(arc) + sin(arc*(2*i/(n+1) - 1))"
"y[i = 1..n]" = "cos(arc) - cos(arc*(2*i/(n+1) - 1))"

[run]
method = "simpson"
step = 0.001
until = 2
)toml";

}  // namespace

problem inextensible_string() {
  return {"inextensible-string",
          "a string that does not stretch swings between two supports",
          "Reeken, Mathematische Zeitschrift 155 (1977)",
          text,
          {}};
}

}  // namespace actio::problems
