#include "problems/exact_start.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# The double pendulum for small angles: constant mass and stiffness, two normal modes.
name = "linear double pendulum"
coordinates = ["q1", "q2"]
lagrangian = """
  1/2*(m1 + m2)*l^2*q1'^2 + m2*l^2*q1'*q2' + 1/2*m2*l^2*q2'^2
  - 1/2*(m1 + m2)*g*l*q1^2 - 1/2*m2*g*l*q2^2
"""

[parameters]
m1 = 1
m2 = 1
g = 9.81
l = "g/(2*pi)^2"       # both rods; each alone would swing once a second

[initial.position]
q1 = 0
q2 = "pi/6"

[initial.momentum]
q1 = 0
q2 = 0

[view]
lines = [["pivot", "upper", "lower"]]
traces = ["lower"]
points.pivot = [0, 0]
points.upper = ["l*sin(q1)", "-l*cos(q1)"]
points.lower = ["l*(sin(q1) + sin(q2))", "-l*(cos(q1) + cos(q2))"]

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

// q = Σ x_i (a_i cos ω_i t + b_i sin ω_i t) with x = (1, ∓r), r² = (m1 + m2)/m2, ω² = (g/l) r/(r ∓ 1).
// [rojas2024, eqs. 49-51]
template <class S>
exact_answer<S> motion(const model& m) {
  using std::cos, std::sin, std::sqrt;
  const exact_start<S> start(m);
  const S m1 = start.parameter("m1"), m2 = start.parameter("m2"), l = start.parameter("l");
  if (!(m1 > 0 && m2 > 0 && start.parameter("g") / l > 0))
    return {.obstacle = "it is known for positive masses that hang"};
  const S w0 = sqrt(S(start.parameter("g") / l)), r = sqrt(S((m1 + m2) / m2));
  const S w1 = w0 * sqrt(S(r / (r - 1))), w2 = w0 * sqrt(S(r / (r + 1)));
  const S p1 = start.rates[0], p2 = start.rates[1];
  const S v1 = (p1 - p2) / (m1 * l * l), v2 = p2 / (m2 * l * l) - v1;
  const S a1 = (start.position[0] - start.position[1] / r) / 2, a2 = (start.position[0] + start.position[1] / r) / 2;
  const S b1 = (v1 - v2 / r) / (2 * w1), b2 = (v1 + v2 / r) / (2 * w2);
  const exact_motion<S> motion = [=](const S& t) {
    const S c1 = cos(S(w1 * t)), s1 = sin(S(w1 * t)), c2 = cos(S(w2 * t)), s2 = sin(S(w2 * t));
    const S mode1 = a1 * c1 + b1 * s1, mode2 = a2 * c2 + b2 * s2;
    const S rate1 = w1 * (b1 * c1 - a1 * s1), rate2 = w2 * (b2 * c2 - a2 * s2);
    const S u1 = rate1 + rate2, u2 = r * (rate2 - rate1);
    return exact_point<S>{{S(mode1 + mode2), S(r * (mode2 - mode1))},
                          {S(l * l * ((m1 + m2) * u1 + m2 * u2)), S(l * l * m2 * (u1 + u2))}};
  };
  return {.motion = motion};
}

}  // namespace

problem linear_double_pendulum() {
  return {"linear-double-pendulum", "the double pendulum for small angles, with its exact motion",
          "Rojas-Quintero, Dubois and Cabrera-Díaz (2024), Table 1", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
