#include "problems/problems.hpp"

namespace actio::problems {

namespace {

constexpr std::string_view text = R"toml(# The sun and the outer planets: astronomical units, days, solar masses.
name = "outer solar system"
coordinates = [
  "x_sun", "y_sun", "z_sun",
  "x_jupiter", "y_jupiter", "z_jupiter",
  "x_saturn", "y_saturn", "z_saturn",
  "x_uranus", "y_uranus", "z_uranus",
  "x_neptune", "y_neptune", "z_neptune",
  "x_pluto", "y_pluto", "z_pluto",
]
lagrangian = """
  1/2*(m_sun*speed2_sun
    + m_jupiter*speed2_jupiter
    + m_saturn*speed2_saturn
    + m_uranus*speed2_uranus
    + m_neptune*speed2_neptune
    + m_pluto*speed2_pluto)
  + G*(
      m_sun*m_jupiter/r_sun_jupiter + m_sun*m_saturn/r_sun_saturn + m_sun*m_uranus/r_sun_uranus + m_sun*m_neptune/r_sun_neptune + m_sun*m_pluto/r_sun_pluto
    + m_jupiter*m_saturn/r_jupiter_saturn + m_jupiter*m_uranus/r_jupiter_uranus + m_jupiter*m_neptune/r_jupiter_neptune + m_jupiter*m_pluto/r_jupiter_pluto
    + m_saturn*m_uranus/r_saturn_uranus + m_saturn*m_neptune/r_saturn_neptune + m_saturn*m_pluto/r_saturn_pluto
    + m_uranus*m_neptune/r_uranus_neptune + m_uranus*m_pluto/r_uranus_pluto
    + m_neptune*m_pluto/r_neptune_pluto
  )
"""

[parameters]
G = 2.95912208286e-4
m_sun = 1.00000597682           # with the inner planets in it
m_jupiter = 0.000954786104043
m_saturn = 0.000285583733151
m_uranus = 0.0000437273164546
m_neptune = 0.0000517759138449
m_pluto = "1/1.3e8"

[definitions]
speed2_sun = "x_sun'^2 + y_sun'^2 + z_sun'^2"
speed2_jupiter = "x_jupiter'^2 + y_jupiter'^2 + z_jupiter'^2"
speed2_saturn = "x_saturn'^2 + y_saturn'^2 + z_saturn'^2"
speed2_uranus = "x_uranus'^2 + y_uranus'^2 + z_uranus'^2"
speed2_neptune = "x_neptune'^2 + y_neptune'^2 + z_neptune'^2"
speed2_pluto = "x_pluto'^2 + y_pluto'^2 + z_pluto'^2"
r_sun_jupiter = "sqrt((x_sun - x_jupiter)^2 + (y_sun - y_jupiter)^2 + (z_sun - z_jupiter)^2)"
r_sun_saturn = "sqrt((x_sun - x_saturn)^2 + (y_sun - y_saturn)^2 + (z_sun - z_saturn)^2)"
r_sun_uranus = "sqrt((x_sun - x_uranus)^2 + (y_sun - y_uranus)^2 + (z_sun - z_uranus)^2)"
r_sun_neptune = "sqrt((x_sun - x_neptune)^2 + (y_sun - y_neptune)^2 + (z_sun - z_neptune)^2)"
r_sun_pluto = "sqrt((x_sun - x_pluto)^2 + (y_sun - y_pluto)^2 + (z_sun - z_pluto)^2)"
r_jupiter_saturn = "sqrt((x_jupiter - x_saturn)^2 + (y_jupiter - y_saturn)^2 + (z_jupiter - z_saturn)^2)"
r_jupiter_uranus = "sqrt((x_jupiter - x_uranus)^2 + (y_jupiter - y_uranus)^2 + (z_jupiter - z_uranus)^2)"
r_jupiter_neptune = "sqrt((x_jupiter - x_neptune)^2 + (y_jupiter - y_neptune)^2 + (z_jupiter - z_neptune)^2)"
r_jupiter_pluto = "sqrt((x_jupiter - x_pluto)^2 + (y_jupiter - y_pluto)^2 + (z_jupiter - z_pluto)^2)"
r_saturn_uranus = "sqrt((x_saturn - x_uranus)^2 + (y_saturn - y_uranus)^2 + (z_saturn - z_uranus)^2)"
r_saturn_neptune = "sqrt((x_saturn - x_neptune)^2 + (y_saturn - y_neptune)^2 + (z_saturn - z_neptune)^2)"
r_saturn_pluto = "sqrt((x_saturn - x_pluto)^2 + (y_saturn - y_pluto)^2 + (z_saturn - z_pluto)^2)"
r_uranus_neptune = "sqrt((x_uranus - x_neptune)^2 + (y_uranus - y_neptune)^2 + (z_uranus - z_neptune)^2)"
r_uranus_pluto = "sqrt((x_uranus - x_pluto)^2 + (y_uranus - y_pluto)^2 + (z_uranus - z_pluto)^2)"
r_neptune_pluto = "sqrt((x_neptune - x_pluto)^2 + (y_neptune - y_pluto)^2 + (z_neptune - z_pluto)^2)"

[symmetries.linear_momentum_x]
x_sun = 1
x_jupiter = 1
x_saturn = 1
x_uranus = 1
x_neptune = 1
x_pluto = 1

[symmetries.linear_momentum_y]
y_sun = 1
y_jupiter = 1
y_saturn = 1
y_uranus = 1
y_neptune = 1
y_pluto = 1

[symmetries.linear_momentum_z]
z_sun = 1
z_jupiter = 1
z_saturn = 1
z_uranus = 1
z_neptune = 1
z_pluto = 1

[symmetries.angular_momentum_x]
y_sun = "-z_sun"
z_sun = "y_sun"
y_jupiter = "-z_jupiter"
z_jupiter = "y_jupiter"
y_saturn = "-z_saturn"
z_saturn = "y_saturn"
y_uranus = "-z_uranus"
z_uranus = "y_uranus"
y_neptune = "-z_neptune"
z_neptune = "y_neptune"
y_pluto = "-z_pluto"
z_pluto = "y_pluto"

[symmetries.angular_momentum_y]
z_sun = "-x_sun"
x_sun = "z_sun"
z_jupiter = "-x_jupiter"
x_jupiter = "z_jupiter"
z_saturn = "-x_saturn"
x_saturn = "z_saturn"
z_uranus = "-x_uranus"
x_uranus = "z_uranus"
z_neptune = "-x_neptune"
x_neptune = "z_neptune"
z_pluto = "-x_pluto"
x_pluto = "z_pluto"

[symmetries.angular_momentum_z]
x_sun = "-y_sun"
y_sun = "x_sun"
x_jupiter = "-y_jupiter"
y_jupiter = "x_jupiter"
x_saturn = "-y_saturn"
y_saturn = "x_saturn"
x_uranus = "-y_uranus"
y_uranus = "x_uranus"
x_neptune = "-y_neptune"
y_neptune = "x_neptune"
x_pluto = "-y_pluto"
y_pluto = "x_pluto"

[initial.position]              # September 5, 1994
x_sun = 0
y_sun = 0
z_sun = 0
x_jupiter = -3.5023653
y_jupiter = -3.8169847
z_jupiter = -1.5507963
x_saturn = 9.0755314
y_saturn = -3.0458353
z_saturn = -1.6483708
x_uranus = 8.3101420
y_uranus = -16.2901086
z_uranus = -7.2521278
x_neptune = 11.4707666
y_neptune = -25.7294829
z_neptune = -10.8169456
x_pluto = -15.5387357
y_pluto = -25.2225594
z_pluto = -3.1902382

[initial.velocity]
x_sun = 0
y_sun = 0
z_sun = 0
x_jupiter = 0.00565429
y_jupiter = -0.00412490
z_jupiter = -0.00190589
x_saturn = 0.00168318
y_saturn = 0.00483525
z_saturn = 0.00192462
x_uranus = 0.00354178
y_uranus = 0.00137102
z_uranus = 0.00055029
x_neptune = 0.00288930
y_neptune = 0.00114527
z_neptune = 0.00039677
x_pluto = 0.00276725
y_pluto = -0.00170702
z_pluto = -0.00136504

[view]
traces = ["sun", "jupiter", "saturn", "uranus", "neptune", "pluto"]
points.sun = ["x_sun", "y_sun", "z_sun"]
points.jupiter = ["x_jupiter", "y_jupiter", "z_jupiter"]
points.saturn = ["x_saturn", "y_saturn", "z_saturn"]
points.uranus = ["x_uranus", "y_uranus", "z_uranus"]
points.neptune = ["x_neptune", "y_neptune", "z_neptune"]
points.pluto = ["x_pluto", "y_pluto", "z_pluto"]

[run]
method = "gauss-8"
step = 50
until = 200000
)toml";

}  // namespace

problem outer_solar_system() {
  return {"outer-solar-system",
          "the sun and five outer planets, 18 coordinates, six conserved momenta",
          "Hairer, Lubich and Wanner, Geometric Numerical Integration (2006), Section I.2.4",
          text,
          {}};
}

}  // namespace actio::problems
