#include "problems/exact_start.hpp"
#include "problems/jacobi_elliptic.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text = R"toml(# The plane pendulum, released at rest from a large angle.
name = "pendulum"
coordinates = ["q"]                       # the angle from the lowest point
lagrangian = "1/2*m*q'^2 - m*w^2*(1 - cos(q))"

[parameters]
m = 1
w = "2*pi"              # small oscillations take one second
amplitude = "pi/2"      # less than pi: the pendulum swings

[initial.position]
q = "amplitude"

[initial.momentum]
q = 0

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

// sin(q/2) = k cd(ωt, k) and q' = −2ωkk' sd(ωt, k) with k = sin(q0/2).   [dubois2023]
template <class S>
exact_motion<S> motion(const model& m) {
  using std::asin, std::floor, std::sin, std::sqrt;
  const exact_start<S> start(m);
  const S mass = start.parameter("m"), w = start.parameter("w");
  const S k = sin(S(start.position[0] / 2)), k1 = sqrt(S((1 - k) * (1 + k)));
  const S modulus = k < 0 ? S(-k) : k;
  const S period = 4 * complete_elliptic_integral<S>(modulus);
  return [=](const S& t) {
    const S phase = w * t / period;
    const auto e = jacobi_elliptic<S>(S((phase - floor(phase)) * period), modulus);
    return exact_point<S>{{S(2 * asin(S(k * e.cn / e.dn)))}, {S(-2 * mass * w * k * k1 * e.sn / e.dn)}};
  };
}

}  // namespace

problem pendulum() {
  return {"pendulum", "the plane pendulum from rest at a large angle, with its exact motion",
          "Dubois and Rojas-Quintero (2023), Table 1; exact motion by Jacobi's elliptic functions", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
