#include "problems/exact_start.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# Foucault's pendulum in the Panthéon, small swings, seen from the turning earth: its plane turns slowly.
name = "Foucault pendulum"
coordinates = ["x", "y"]                  # east and north, in metres
lagrangian = "1/2*(x'^2 + y'^2) + W*(x*y' - y*x') - 1/2*g/l*(x^2 + y^2)"

[parameters]
g = 9.81
l = 67
latitude = "48.846*pi/180"
earth = 7.2921159e-5                      # rad/s
W = "earth*sin(latitude)"                 # the earth's rotation about the local vertical

[symmetries.angular_momentum]
x = "-y"
y = "x"

[initial.position]
x = 3
y = 0

[initial.velocity]
x = 0
y = 0

[view]                                    # from above
traces = ["bob"]
points.rest = [0, 0]
points.bob = ["x", "y"]

[run]
method = "simpson"
step = 0.1
until = 3600
)toml";

// With z = x + iy: z = exp(−iWt)(z0 cos wt + B sin wt), w² = g/l + W², B = (z0' + iWz0)/w.
template <class S>
exact_answer<S> motion(const model& m) {
  using std::cos, std::sin, std::sqrt;
  const exact_start<S> start(m);
  const S W = start.parameter("W"), square = start.parameter("g") / start.parameter("l") + W * W;
  if (!(square > 0)) return {.obstacle = "it is known where the bob is pulled towards the centre"};
  const S w = sqrt(square);
  const S x0 = start.position[0], y0 = start.position[1];
  const S Bx = (start.rates[0] - W * y0) / w, By = (start.rates[1] + W * x0) / w;
  const exact_motion<S> motion = [=](const S& t) {
    const S c = cos(S(w * t)), s = sin(S(w * t)), C = cos(S(W * t)), D = sin(S(W * t));
    const S ux = x0 * c + Bx * s, uy = y0 * c + By * s;  // in the frame that turns with the plane
    const S rx = w * (Bx * c - x0 * s), ry = w * (By * c - y0 * s);
    // p = z' + iWz = exp(−iWt) u'.
    return exact_point<S>{{S(C * ux + D * uy), S(C * uy - D * ux)}, {S(C * rx + D * ry), S(C * ry - D * rx)}};
  };
  return {.motion = motion, .period = S(2 * pi_value<S>() / w), .repeats = "swing, in the plane that turns"};
}

}  // namespace

problem foucault_pendulum() {
  return {"foucault-pendulum", "Foucault's pendulum on the turning earth, with its exact motion",
          "Foucault (1851); data of the Panthéon in Paris", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
