#include "problems/exact_start.hpp"
#include "problems/lagrange_top_solution.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A pendulum that swings in space. phi does not occur in the Lagrangian: its momentum p_phi is conserved.
name = "spherical pendulum"
coordinates = ["theta", "phi"]            # angle from the lowest point, and around the vertical
lagrangian = "1/2*m*l^2*(theta'^2 + sin(theta)^2*phi'^2) + m*g*l*cos(theta)"

[parameters]
m = 1
l = 1
g = 9.81
theta0 = 1         # rad and rad/s, at the start
theta_rate = 0
phi_rate = 2

[observables]
height = "-l*cos(theta)"

[initial.position]
theta = "theta0"
phi = 0

[initial.velocity]
theta = "theta_rate"
phi = "phi_rate"

[view]
lines = [["pivot", "bob"]]
traces = ["bob"]
points.pivot = [0, 0, 0]
points.bob = ["l*sin(theta)*cos(phi)", "l*sin(theta)*sin(phi)", "-l*cos(theta)"]

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

// A top that hangs and does not turn about its axis: ψ' = −φ' cos θ, so that p_ψ = 0 whatever I3 is.
template <class S>
exact_answer<S> motion(const model& m) {
  using std::cos;
  const exact_start<S> start(m);
  const std::vector<S>&q = start.position, &v = start.rates;
  const S l = start.parameter("l"), moment = start.parameter("m") * l * l;
  const S weight = -start.parameter("m") * start.parameter("g") * l;
  const lagrange_top_solution<S> solution({moment, S(1), weight, q[1], q[0], S(0), v[1], v[0], S(-v[1] * cos(q[0]))});
  if (!solution.obstacle().empty()) return {.obstacle = solution.obstacle()};
  const exact_motion<S> motion = [=](const S& t) {
    const auto now = solution.at(t);
    return exact_point<S>{{now.nutation, now.precession}, {now.nutation_momentum, solution.precession_momentum()}};
  };
  return {.motion = motion, .period = solution.nutation_period(), .repeats = "swing of theta"};
}

}  // namespace

problem spherical_pendulum() {
  return {"spherical-pendulum", "a pendulum in space, with a cyclic angle and its exact motion",
          "any textbook of mechanics; exact motion as that of a top that does not spin", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
