#include "problems/exact_start.hpp"
#include "problems/pendulum_solution.hpp"
#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# The plane pendulum: released at rest from a large angle, or pushed so that it turns over.
name = "pendulum"
coordinates = ["q"]                       # the angle from the lowest point
lagrangian = "1/2*m*q'^2 - m*w^2*(1 - cos(q))"

[parameters]
m = 1
w = "2*pi"              # small oscillations take one second
amplitude = "pi/2"      # the angle at the start
rate = 0                # the angular velocity at the start; beyond 2*w*cos(amplitude/2) the pendulum turns over

[initial.position]
q = "amplitude"

[initial.momentum]
q = "m*rate"

[view]                                    # the report animates it; only here the rod has a length
lines = [["pivot", "bob"]]
traces = ["bob"]
points.pivot = [0, 0]
points.bob = ["sin(q)", "-cos(q)"]

[run]
method = "simpson"
step = 0.01
until = 10
)toml";

template <class S>
exact_answer<S> motion(const model& m) {
  const exact_start<S> start(m);
  const pendulum_solution<S> solution(start.parameter("m"), start.parameter("w"), start.position[0], start.rates[0]);
  const exact_motion<S> motion = [=](const S& t) {
    const auto [position, momentum] = solution.at(t);
    return exact_point<S>{{position}, {momentum}};
  };
  return {.motion = motion,
          .period = solution.period(),
          .repeats = solution.kind() == pendulum_kind::rotation ? "turn" : "swing"};
}

}  // namespace

problem pendulum() {
  return {"pendulum", "the plane pendulum, swinging far or turning over, with its exact motion",
          "Dubois and Rojas-Quintero (2023), Table 1; exact motion by Jacobi's elliptic functions", text,
          exact_for_every_scalar([]<class S>(const model& m) { return motion<S>(m); })};
}

}  // namespace actio::problems
