#include "problems/exact_start.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A planet around a fixed sun, on an ellipse. Its three conserved quantities are tracked.
name = "Kepler problem"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) + GM/r"

[parameters]
GM = 1
e  = 0.6                  # eccentricity; half the major axis is 1

[definitions]
r = "sqrt(x^2 + y^2)"
area_rate = "x*y' - y*x'"

[observables]             # the Laplace-Runge-Lenz vector points to the perihelion
perihelion_x = "y'*area_rate/GM - x/r"
perihelion_y = "-x'*area_rate/GM - y/r"

[symmetries.angular_momentum]   # a rotation moves (x, y) by a small multiple of (-y, x) and leaves L as it is
x = "-y"
y = "x"

[initial.position]        # start at the perihelion
x = "1 - e"
y = 0

[initial.velocity]
x = 0
y = "sqrt(GM*(1 + e)/(1 - e))"

[run]
method = "simpson"
step = "2*pi/sqrt(GM)/200"      # two hundred steps a period
until = "20*pi/sqrt(GM)"
)toml";

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

// x = cos E − e, y = √(1 − e²) sin E.
template <class S>
exact_motion<S> motion(const model& m) {
  using std::cos, std::floor, std::sin, std::sqrt;
  const exact_start<S> start(m);
  const S e = start.parameter("e"), n = sqrt(start.parameter("GM")), b = sqrt(S((1 - e) * (1 + e)));
  return [=](const S& t) {
    const S turn = 2 * pi_value<S>(), turns = n * t / turn;
    const S E = eccentric_anomaly<S>(S((turns - floor(turns)) * turn), e);
    const S c = cos(E), s = sin(E), rate = n / (1 - e * c);
    return exact_point<S>{{S(c - e), S(b * s)}, {S(-s * rate), S(b * c * rate)}};
  };
}

}  // namespace

problem kepler() {
  return {"kepler", "a planet on an ellipse, with its exact motion", "Kepler, Astronomia nova (1609)", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
