#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A room whose heating is switched on and off by a thermostat. Radiator and room follow one another with delays, so that
# the temperature goes on beyond the marks: in all an oscillator with much friction, whose rest position is switched.
name = "thermostat"
coordinates = ["T"]      # of the room
lagrangian = "1/2*T'^2 - 1/2*k1*k2*(T - outside - heating*power)^2"

[parameters]
k1 = 3              # rate at which the radiator warms up
k2 = 0.5            # rate at which the room follows
outside = 5
power = 30          # temperature that the heating adds in the long run
low = 19            # marks of the thermostat
high = 21
heating = 1         # the mode: 1 on, 0 off

[forces]
T = "-(k1 + k2)*T'"

[events.off]
when = "T - high"
direction = "up"
set = { heating = 0 }

[events.on]
when = "T - low"
direction = "down"
set = { heating = 1 }

[initial.position]
T = 15

[initial.velocity]
T = 0

[view]
traces = ["temperature"]
lines = [["low_mark", "high_mark"]]
points.low_mark = [0, "low"]
points.high_mark = [0, "high"]
points.temperature = ["t", "T"]

[run]
method = "gauss-4"
step = 0.02
until = 30
)toml";

}  // namespace

problem thermostat() {
  return {"thermostat",
          "a heating that is switched on and off: a limit cycle",
          "Andronov, Vitt and Khaikin, Theory of Oscillators (1966)",
          text,
          {}};
}

}  // namespace actio::problems
