#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A pendulum with friction that is driven periodically: forces that no Lagrangian contains. Chaotic for these values.
name = "damped driven pendulum"
coordinates = ["q"]
lagrangian = "1/2*q'^2 + cos(q)"

[parameters]
quality = 2      # large: little friction
drive = 1.5
w = "2/3"        # frequency of the drive

[forces]         # generalised force on a coordinate: friction and drive
q = "-q'/quality + drive*cos(w*t)"

[initial.position]
q = 0.2

[initial.velocity]
q = 0

[view]
lines = [["pivot", "bob"]]
traces = ["bob"]
points.pivot = [0, 0]
points.bob = ["sin(q)", "-cos(q)"]

[run]
method = "simpson"
step = 0.05
until = 100
)toml";

}  // namespace

problem damped_driven_pendulum() {
  return {"damped-driven-pendulum",
          "a pendulum with friction and a periodic force: chaotic",
          "Baker and Gollub, Chaotic Dynamics (1996)",
          text,
          {}};
}

}  // namespace actio::problems
