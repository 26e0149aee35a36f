#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text =
    R"toml(# A woodpecker toy: a bird on a spring whose sleeve slides down a pole, jams when it tilts, and lets go again.
# While it slides, bird and sleeve fall freely; while it jams, the bird swings on the spring, and its beak hits the pole.
# Units: gram, centimetre, second. The sleeve has no mass; angles are small.
name = "woodpecker toy"
coordinates = ["z", "phi"]     # height of the sleeve, angle of the bird
lagrangian = "1/2*m*z'^2 + (1 - jammed)*m*l*z'*phi' + 1/2*(J + m*l^2)*phi'^2 - m*g*(z + l*phi) - jammed*1/2*c*(phi - side*tilt)^2"

[parameters]
m = 4.5              # of the bird
J = 7                # its moment of inertia
l = 1.5              # from the sleeve to its centre
c = 56000            # of the spring
g = 981
tilt = 0.1034        # angle at which the sleeve jams
beak = 0.12          # angle at which the beak touches the pole
restitution = 0.5    # of the beak
jammed = 1           # the modes: 1 jams, 0 slides
side = -1            # on which it jams

[forces]             # the pole holds a sleeve that jams
z = "jammed*m*g"

[events.jam]         # stops the sleeve; the angular momentum about it is kept
when = "abs(phi) - tilt"
direction = "up"
set = { jammed = 1, side = "sign(phi)", "z'" = 0, "phi'" = "phi' + m*l*z'/(J + m*l^2)" }

[events.slide]
when = "abs(phi) - tilt"
direction = "down"
set = { jammed = 0 }

[events.peck]
when = "phi - beak"
direction = "up"
set = { "phi'" = "-restitution*phi'" }

[initial.position]
z = 0
phi = -0.45

[initial.velocity]
z = 0
phi = 0

[view]
lines = [["top", "bottom"], ["sleeve", "bird"]]
traces = ["bird"]
points.top = [0, 2]
points.bottom = [0, -12]
points.sleeve = [0, "z"]
points.bird = ["l*cos(phi)", "z + l*sin(phi)"]

[run]
method = "simpson"
step = 0.0005
until = 2
)toml";

}  // namespace

problem woodpecker() {
  return {"woodpecker",
          "a toy that slides down a pole, jams and pecks",
          "Leine, van Campen and Glocker, Journal of Vibration and Control 9 (2003), with a sleeve without mass",
          text,
          {}};
}

}  // namespace actio::problems
