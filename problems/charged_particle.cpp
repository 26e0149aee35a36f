#include "problems/exact_start.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A charged particle in a uniform magnetic field runs along a helix. Its Lagrangian has terms linear in the velocity.
name = "charged particle in a magnetic field"
coordinates = ["x", "y", "z"]
lagrangian = "1/2*m*(x'^2 + y'^2 + z'^2) + charge*(Ax*x' + Ay*y')"

[parameters]
m = 1
charge = 1
B = 2            # field along z

[definitions]    # vector potential: B is its curl
Ax = "-B*y/2"
Ay = "B*x/2"

[symmetries.rotation]
x = "-y"
y = "x"

[initial.position]
x = 0.5
y = 0
z = 0

[initial.velocity]
x = 0.3
y = 1
z = 0.2

[view]
traces = ["particle"]
points.particle = ["x", "y", "z"]

[run]
method = "simpson"
step = 0.05
until = 50
)toml";

// sin(wt)/w and (1 − cos wt)/w, also for w = 0.
template <class S>
std::pair<S, S> turning(const S& w, const S& t) {
  using std::sin;
  if (w == 0) return {t, S(0)};
  const S half = sin(S(w * t / 2));
  return {S(sin(S(w * t)) / w), S(2 * half * half / w)};
}

// The velocity turns with the frequency charge·B/m; p = m v + charge·A.
template <class S>
exact_answer<S> motion(const model& m) {
  using std::abs, std::cos, std::sin;
  const exact_start<S> start(m);
  const S mass = start.parameter("m"), qB = start.parameter("charge") * start.parameter("B"), w = qB / mass;
  const std::vector<S> q = start.position, v = start.rates;
  const exact_motion<S> motion = [=](const S& t) {
    const S c = cos(S(w * t)), s = sin(S(w * t));
    const auto [along, across] = turning<S>(w, t);
    const S x = q[0] + v[0] * along + v[1] * across, y = q[1] + v[1] * along - v[0] * across;
    const S vx = v[0] * c + v[1] * s, vy = v[1] * c - v[0] * s;
    return exact_point<S>{{x, y, S(q[2] + v[2] * t)},
                          {S(mass * vx - qB * y / 2), S(mass * vy + qB * x / 2), S(mass * v[2])}};
  };
  if (w == 0) return {.motion = motion};
  return {.motion = motion, .period = S(2 * pi_value<S>() / abs(w)), .repeats = "gyration"};
}

}  // namespace

problem charged_particle() {
  return {"charged-particle", "a helix in a uniform magnetic field, with its exact motion",
          "any textbook of electrodynamics", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
