#include <cmath>

#include "problems/exact_start.hpp"
#include "problems/lagrange_top_solution.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# The spherical pendulum without angles: a mass in space, held by a rod. It passes through the poles unharmed.
name = "spherical pendulum on a rod"
coordinates = ["x", "y", "z"]
lagrangian = "1/2*m*(x'^2 + y'^2 + z'^2) - m*g*z"

[parameters]
m = 1
l = 1
g = 9.81
theta0 = 1         # rad and rad/s, at the start: from the lowest point, and around the vertical
theta_rate = 0
phi_rate = 2

[constraints]
rod = "x^2 + y^2 + z^2 - l^2"

[symmetries.vertical_momentum]
x = "-y"
y = "x"

[chart]            # for the intrinsic formulation
coordinates = ["theta", "phi"]
x = "l*sin(theta)*cos(phi)"
y = "l*sin(theta)*sin(phi)"
z = "-l*cos(theta)"

[observables]
height = "z"

[initial.position]
x = "l*sin(theta0)"
y = 0
z = "-l*cos(theta0)"

[initial.velocity]
x = "l*cos(theta0)*theta_rate"
y = "l*sin(theta0)*phi_rate"
z = "l*sin(theta0)*theta_rate"

[initial.chart]
theta = "theta0"
phi = 0

[view]
lines = [["pivot", "bob"]]
traces = ["bob"]
points.pivot = [0, 0, 0]
points.bob = ["x", "y", "z"]

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

// The motion of the angles, as in spherical_pendulum.cpp, carried into space.
template <class S>
exact_answer<S> motion(const model& m) {
  using std::cos;
  using std::sin;
  const exact_start<S> start(m);
  const S l = start.parameter("l"), mass = start.parameter("m"), moment = mass * l * l;
  const S theta = start.parameter("theta0"), phi_rate = start.parameter("phi_rate");
  const lagrange_top_solution<S> solution({moment, S(1), S(-mass * start.parameter("g") * l), S(0), theta, S(0),
                                           phi_rate, start.parameter("theta_rate"), S(-phi_rate * cos(theta))});
  if (!solution.obstacle().empty()) return {.obstacle = solution.obstacle()};
  const exact_motion<S> motion = [=](const S& t) {
    const auto now = solution.at(t);
    const S c = cos(now.nutation), s = sin(now.nutation), cf = cos(now.precession), sf = sin(now.precession);
    const S along = now.nutation_momentum / l,
            around = solution.precession_momentum() / (l * s);  // p in these directions
    return exact_point<S>{{S(l * s * cf), S(l * s * sf), S(-l * c)},
                          {S(along * c * cf - around * sf), S(along * c * sf + around * cf), S(along * s)}};
  };
  return {.motion = motion, .period = solution.nutation_period(), .repeats = "swing of the height"};
}

}  // namespace

problem spherical_pendulum_rod() {
  return {"spherical-pendulum-rod", "a mass in space on a rod: the spherical pendulum with a constraint and no angles",
          "any textbook of mechanics; exact motion as that of a top that does not spin", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
