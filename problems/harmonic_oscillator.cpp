#include "problems/exact_start.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text = R"toml(# A mass on a spring: the simplest system that oscillates.
name = "harmonic oscillator"
coordinates = ["x"]
lagrangian = "1/2*m*x'^2 - 1/2*k*x^2"     # kinetic energy minus potential energy; x' is the velocity

[parameters]
m = 1              # mass
k = 1              # stiffness of the spring

[initial.position]
x = 1

[initial.velocity]
x = 0

[run]
method = "simpson"
step = "2*pi/50*sqrt(m/k)"      # fifty steps a period; values may be expressions in the parameters
until = "20*pi*sqrt(m/k)"       # ten periods
)toml";

// x = x0 cos ωt + (v0/ω) sin ωt with ω = √(k/m).
template <class S>
exact_answer<S> motion(const model& m) {
  using std::cos, std::sin, std::sqrt;
  const exact_start<S> start(m);
  const S mass = start.parameter("m"), square = start.parameter("k") / mass;
  if (!(square > 0)) return {.obstacle = "it is known where k/m is positive"};
  const S w = sqrt(square);
  const S x0 = start.position[0], v0 = start.rates[0];
  const exact_motion<S> motion = [=](const S& t) {
    const S c = cos(S(w * t)), s = sin(S(w * t));
    return exact_point<S>{{S(x0 * c + v0 / w * s)}, {S(mass * (v0 * c - x0 * w * s))}};
  };
  return {.motion = motion, .period = S(2 * pi_value<S>() / w), .repeats = "oscillation"};
}

}  // namespace

problem harmonic_oscillator() {
  return {"harmonic-oscillator", "a mass on a spring, with its exact motion", "any textbook of mechanics", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
