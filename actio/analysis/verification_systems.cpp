#include "actio/analysis/verification.hpp"

namespace actio {

namespace {

constexpr const char* double_pendulum = R"toml(
name = "double pendulum"
coordinates = ["q1", "q2"]
lagrangian = "1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2) - g*(m1*y1 + m2*y2)"
[parameters]
m1 = 1
m2 = 0.7
l1 = 1
l2 = 0.8
g = 2
[definitions]
x1 = "l1*sin(q1)"
y1 = "-l1*cos(q1)"
x2 = "x1 + l2*sin(q2)"
y2 = "y1 - l2*cos(q2)"
[initial.position]
q1 = 0.7
q2 = -0.4
[initial.momentum]
q1 = 0.3
q2 = 0.2
)toml";

constexpr const char* magnetic_well = R"toml(
name = "magnetic well"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) + 1/2*(1 + (x^2 + y^2)/5)*(x*y' - y*x') - (x^2 + y^2)^2/4"
[symmetries.angular_momentum]
x = "-y"
y = "x"
[initial.position]
x = 0.9
y = 0.1
[initial.velocity]
x = 0.2
y = 0.5
)toml";

constexpr const char* relativistic = R"toml(
name = "relativistic oscillator"
coordinates = ["x", "y"]
lagrangian = "-sqrt(1 - x'^2 - y'^2) - x^2/2 - y^2/3 - x^2*y/4"
[initial.position]
x = 0.5
y = 0.3
[initial.velocity]
x = 0.1
y = 0.4
)toml";

constexpr const char* spherical_pendulum = R"toml(
name = "spherical pendulum"
coordinates = ["theta", "phi"]
lagrangian = "1/2*(theta'^2 + sin(theta)^2*phi'^2) + cos(theta)"
[initial.position]
theta = 1
phi = 0
[initial.velocity]
theta = 0.1
phi = 1.2
)toml";

constexpr const char* central_field = R"toml(
name = "central field"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - (x^2 + y^2)/2 - (x^2 + y^2)^2/3"
[symmetries.angular_momentum]
x = "-y"
y = "x"
[initial.position]
x = 0.8
y = 0.2
[initial.velocity]
x = 0.1
y = 0.6
)toml";

}  // namespace

const std::vector<model>& verification_systems() {
  static const std::vector<model> systems = [] {
    std::vector<model> all;
    for (const char* text : {double_pendulum, magnetic_well, relativistic, spherical_pendulum, central_field}) {
      all.push_back(parse_model(text, "verification system"));
    }
    return all;
  }();
  return systems;
}

}  // namespace actio
