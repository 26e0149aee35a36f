#include "actio/analysis/verification.hpp"
#include "actio/mechanics/affine_symmetries.hpp"

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

constexpr const char* damped_well = R"toml(
name = "damped well with a swirl"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - (x^2 + y^2)^2/4 - x*y/5"
[forces]
x = "-x'/4 - y'^2*x/5 - y/3 + cos(2*t)/4"
y = "-y'/3 + x/3"
[initial.position]
x = 0.9
y = 0.1
[initial.velocity]
x = 0.2
y = 0.5
)toml";

constexpr const char* driven_mass = R"toml(
name = "mass and potential that change in time"
coordinates = ["x", "y"]
lagrangian = "1/2*(1 + x^2/4 + sin(t)/3)*x'^2 + 1/2*(1 + y^2/5)*y'^2 + x*y'*cos(t)/5 - (1 + cos(2*t)/3)*x^4/4 - y^2/2 - x*y/3"
[initial.position]
x = 0.7
y = -0.3
[initial.velocity]
x = 0.2
y = 0.4
)toml";

constexpr const char* driven_field = R"toml(
name = "potential that changes in time"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - (1 + cos(2*t)/3)*(x^4 + y^4)/4 - x*y*sin(t)/3 - y^2/2"
[initial.position]
x = 0.7
y = -0.3
[initial.velocity]
x = 0.2
y = 0.4
)toml";

constexpr const char* rod_pendulum = R"toml(
name = "pendulum on a rod"
coordinates = ["x", "y", "z"]
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) - z - (x^2 + y^2)/5"
[constraints]
rod = "x^2 + y^2 + z^2 - 1"
[symmetries.angular_momentum]
x = "-y"
y = "x"
[initial.position]
x = 0.6
y = 0
z = -0.8
[initial.velocity]
x = 0.4
y = 0.7
z = 0.3
)toml";

constexpr const char* heavy_shell = R"toml(
name = "varying mass on an ellipsoid"
coordinates = ["x", "y", "z"]
lagrangian = "1/2*(1 + (x^2 + y^2)/4)*(x'^2 + y'^2) + 1/2*(1 + z^2/3)*z'^2 + x*y'/5 - y*x'/5 - z"
[constraints]
shell = "x^2 + y^2 + 2*z^2 - 1"
[symmetries.angular_momentum]
x = "-y"
y = "x"
[initial.position]
x = 0.6
y = 0
z = "-sqrt(0.32)"
[initial.velocity]
x = "2*sqrt(0.32)/3"
y = 0.5
z = 0.2
)toml";

constexpr const char* quaternion_top = R"toml(
name = "top in quaternions"
coordinates = ["a", "b", "c", "d"]
lagrangian = "1/2*(w1^2 + 3/2*w2^2 + 2*w3^2) - (a^2 - b^2 - c^2 + d^2)"
[definitions]
w1 = "2*(a*b' - b*a' - c*d' + d*c')"
w2 = "2*(a*c' - c*a' - d*b' + b*d')"
w3 = "2*(a*d' - d*a' - b*c' + c*b')"
[constraints]
unit = "a^2 + b^2 + c^2 + d^2 - 1"
[symmetries.vertical_momentum]
a = "-d"
b = "-c"
c = "b"
d = "a"
[initial.position]
a = 0.8
b = 0.6
c = 0
d = 0
[initial.velocity]
a = -0.12
b = 0.16
c = 0.15
d = 0.4
)toml";

constexpr const char* coupled_hamiltonian = R"toml(
name = "Hamiltonian that does not separate"
coordinates = ["x", "y"]
hamiltonian = "(1 + x^2)*(1 + p_x^2)/2 + (p_y - x^2/3)^2/2 + p_y^4/20 + p_x*p_y*sin(x)/4"
[initial.position]
x = 0.3
y = 0.1
[initial.momentum]
x = 0.4
y = 0.5
)toml";

constexpr const char* free_chain = R"toml(
name = "free chain with loads"
coordinates = ["x", "y", "z"]
lagrangian = "1/2*(x'^2 + 2*y'^2 + 3/2*z'^2) - 3/2*(y - x)^2 - (z - y)^2 + x/5 - z/5"
[initial.position]
x = 0
y = 0.3
z = -0.2
[initial.velocity]
x = 0.4
y = -0.1
z = 0.2
)toml";

constexpr const char* plane_oscillator = R"toml(
name = "oscillator in the plane"
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - 2*(x^2 + y^2)"
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

}  // namespace

const std::vector<model>& verification_systems() {
  static const std::vector<model> systems = [] {
    std::vector<model> all;
    for (const char* text :
         {double_pendulum, magnetic_well, relativistic, spherical_pendulum, central_field, damped_well, driven_mass,
          driven_field, coupled_hamiltonian, rod_pendulum, heavy_shell, quaternion_top, free_chain, plane_oscillator}) {
      all.push_back(parse_model(text, "verification system"));
      // Proofs change the digits of the process: none may be needed while methods are verified in many threads.
      lagrangian_system& system = all.back().system;
      system.found = find_affine_symmetries(system).found;
    }
    return all;
  }();
  return systems;
}

}  // namespace actio
