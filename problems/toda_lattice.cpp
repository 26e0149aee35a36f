#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Particles on a ring, neighbours joined by exponential springs: nonlinear, and yet integrable.
name = "Toda lattice"
coordinates = ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"]
lagrangian = "1/2*(q1'^2 + q2'^2 + q3'^2 + q4'^2 + q5'^2 + q6'^2 + q7'^2 + q8'^2) - energy"

[definitions]
bond1 = "exp(q1 - q2)"
bond2 = "exp(q2 - q3)"
bond3 = "exp(q3 - q4)"
bond4 = "exp(q4 - q5)"
bond5 = "exp(q5 - q6)"
bond6 = "exp(q6 - q7)"
bond7 = "exp(q7 - q8)"
bond8 = "exp(q8 - q1)"
energy = "bond1 + bond2 + bond3 + bond4 + bond5 + bond6 + bond7 + bond8"          # of the springs

[observables]             # one more of the integrals that make the lattice solvable
third_integral = """
  (q1'^3 + q2'^3 + q3'^3 + q4'^3 + q5'^3 + q6'^3 + q7'^3 + q8'^3)/3 +
  (q1' + q2')*bond1
  + (q2' + q3')*bond2
  + (q3' + q4')*bond3
  + (q4' + q5')*bond4
  + (q5' + q6')*bond5
  + (q6' + q7')*bond6
  + (q7' + q8')*bond7
  + (q8' + q1')*bond8
"""

[symmetries.total_momentum]   # all move together
q1 = 1
q2 = 1
q3 = 1
q4 = 1
q5 = 1
q6 = 1
q7 = 1
q8 = 1

[initial.position]
q1 = 0
q2 = 0.3
q3 = -0.2
q4 = 0.5
q5 = 0
q6 = -0.4
q7 = 0.1
q8 = -0.3

[initial.momentum]
q1 = 0.5
q2 = -0.2
q3 = 0.3
q4 = 0
q5 = -0.6
q6 = 0.4
q7 = -0.1
q8 = 0.2

[run]
method = "simpson"
step = 0.05
until = 100
)toml";

}  // namespace

problem toda_lattice() {
  return {"toda-lattice",
          "eight particles on a ring with exponential springs: integrable",
          "Toda, Journal of the Physical Society of Japan 22 (1967); Flaschka (1974)",
          text,
          {}};
}

}  // namespace actio::problems
