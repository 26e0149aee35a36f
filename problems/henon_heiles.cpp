#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text = R"toml(# A star in the field of a galaxy: regular or chaotic, depending on its energy.
name = "Hénon-Heiles"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - 1/2*(x^2 + y^2) - x^2*y + 1/3*y^3"

[parameters]
energy = "1/8"      # below 1/6 the star cannot escape
y0 = 0.1

[initial.position]
x = 0
y = "y0"

[initial.momentum]  # chosen so that the motion has this energy
x = "sqrt(2*energy - y0^2 + 2/3*y0^3)"
y = 0

[view]
traces = ["star"]
points.star = ["x", "y"]

[run]
method = "simpson"
step = 0.05
until = 100
)toml";

}  // namespace

problem henon_heiles() {
  return {"henon-heiles",
          "a star in the field of a galaxy: regular and chaotic motion",
          "Hénon and Heiles, Astronomical Journal 69 (1964)",
          text,
          {}};
}

}  // namespace actio::problems
