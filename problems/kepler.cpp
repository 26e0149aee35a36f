#include <fmt/format.h>

#include <string>

#include "problems/exact_start.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

// What both orbits are made of: the law, the symmetry, starts that may be set, and how they are drawn.
constexpr std::string_view law = R"toml(coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) + GM/r"
)toml";

constexpr std::string_view start_and_view = R"toml(
[initial.position]
x = "x0"
y = "y0"

[initial.velocity]
x = "vx0"
y = "vy0"

[view]
traces = ["planet"]
points.sun = [0, 0]
points.planet = ["x", "y"]
)toml";

const std::string& kepler_text() {
  static const std::string text =
      fmt::format(R"toml(# A planet around a fixed sun, on an ellipse. Its three conserved quantities are tracked.
name = "Kepler problem"
{}
[parameters]
GM = 1
e  = 0.6                  # eccentricity; half the major axis is 1
x0 = "1 - e"              # the start at the perihelion; any other may be set
y0 = 0
vx0 = 0
vy0 = "sqrt(GM*(1 + e)/(1 - e))"

[definitions]
r = "sqrt(x^2 + y^2)"
area_rate = "x*y' - y*x'"

[observables]             # the Laplace-Runge-Lenz vector points to the perihelion
perihelion_x = "y'*area_rate/GM - x/r"
perihelion_y = "-x'*area_rate/GM - y/r"

[symmetries.angular_momentum]   # a rotation moves (x, y) by a small multiple of (-y, x) and leaves L as it is
x = "-y"
y = "x"
{}
[run]
method = "simpson"
step = "2*pi/sqrt(GM)/200"      # two hundred steps a period
until = "20*pi/sqrt(GM)"
)toml",
                  law, start_and_view);
  return text;
}

const std::string& eccentric_text() {
  static const std::string text = fmt::format(
      R"toml(# An eccentric orbit with steps that follow the motion: equal steps of a time that runs slower near the sun.
name = "eccentric Kepler orbit"
{}
[parameters]
GM = 1
e  = 0.99                 # eccentricity; half the major axis is 1
x0 = "1 + e"              # the start at the aphelion; any other may be set
y0 = 0
vx0 = 0
vy0 = "sqrt(GM*(1 - e)/(1 + e))"

[definitions]
r = "sqrt(x^2 + y^2)"

[symmetries.angular_momentum]
x = "-y"
y = "x"

[time]
scale = "auto"
{}
[run]
method = "gauss-8"
step = 0.25
until = "20*pi/sqrt(GM)"
)toml",
      law, start_and_view);
  return text;
}

// E − e sin E = M by Newton's method, for 0 <= M < 2π. Starting beyond the root in the direction of convexity it
// converges from one side; it stops when rounding lets it turn.
template <class S>
S eccentric_anomaly(const S& M, const S& e) {
  using std::abs, std::cos, std::sin;
  const S pi = pi_value<S>();
  S E = M < pi ? S(M + e) : S(M - e);
  S last_change = 4 * pi;
  for (int i = 0; i < 200; ++i) {
    const S change = (E - e * sin(E) - M) / (1 - e * cos(E));
    if (change == 0 || abs(change) >= last_change) break;
    E -= change;
    last_change = abs(change);
  }
  return E;
}

// Position and velocity are combinations of those at the start, q = f q0 + g v0 and v = f' q0 + g' v0, with
// coefficients in D = E − E0; half the major axis a, mean motion n, ec = e cos E0 and es = e sin E0 follow from the
// start.
template <class S>
exact_answer<S> motion(const model& m) {
  using std::abs, std::atan2, std::cos, std::floor, std::sin, std::sqrt;
  const exact_start<S> start(m);
  const S GM = start.parameter("GM"), x = start.position[0], y = start.position[1], vx = start.rates[0],
          vy = start.rates[1];
  const S r0 = sqrt(S(x * x + y * y)), potential = GM / r0, kinetic = (vx * vx + vy * vy) / 2;
  if (!(GM > 0)) return {.obstacle = "it is known where GM is positive"};
  if (!(potential - kinetic > 4 * epsilon<S>() * potential))
    return {.obstacle = "the orbit is not an ellipse but open"};
  if (!(abs(S(x * vy - y * vx)) > 4 * epsilon<S>() * r0 * sqrt(potential))) {
    return {.obstacle = "the orbit is not an ellipse: it falls into the centre"};
  }
  const S a = GM / (2 * (potential - kinetic)), n = sqrt(S(GM / a)) / a, turn = 2 * pi_value<S>();
  const S ec = 1 - r0 / a, es = (x * vx + y * vy) / (n * a * a), e = sqrt(S(ec * ec + es * es)), E0 = atan2(es, ec);
  const exact_motion<S> motion = [=](const S& t) {
    const S turns = (n * t + E0 - es) / turn;
    const S D = eccentric_anomaly<S>(S((turns - floor(turns)) * turn), e) - E0, c = cos(D), s = sin(D),
            sine = sin(S(D / 2));
    const S versine = 2 * sine * sine;       // 1 − cos D
    const S distance = 1 - ec * c + es * s;  // over a
    const S f = 1 - a * versine / r0, g = ((1 - ec) * s + es * versine) / n;
    const S f_rate = -n * a * s / (distance * r0), g_rate = 1 - versine / distance;
    return exact_point<S>{{S(f * x + g * vx), S(f * y + g * vy)},
                          {S(f_rate * x + g_rate * vx), S(f_rate * y + g_rate * vy)}};
  };
  return {.motion = motion, .period = S(turn / n), .repeats = "orbit"};
}

}  // namespace

problem kepler() {
  return {"kepler", "a planet on an ellipse, with its exact motion", "Kepler, Astronomia nova (1609)", kepler_text(),
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

problem eccentric_kepler() {
  return {"eccentric-kepler", "an orbit of eccentricity 0.99 with steps that follow the motion",
          "Hairer, Lubich and Wanner, Geometric Numerical Integration (2006), VIII", eccentric_text(),
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
