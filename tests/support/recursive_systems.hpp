// Systems whose definitions go on from one another, with these kept whatever their number is.
#pragma once

#include <memory>
#include <string>

#include "actio/mechanics/lagrangian_system.hpp"
#include "actio/mechanics/model.hpp"
#include "actio/mechanics/recursions.hpp"

namespace actio::testing {

// A hanging chain of n rods in angles: x_i = x_(i−1) + l sin q_i, y_i = y_(i−1) − l cos q_i.
inline lagrangian_system rods_in_angles(int n) {
  lagrangian_system system;
  system.name = "rods";
  system.parameters = {
      {"m", expr(rational(11, 10)), {}}, {"l", expr(rational(3, 2)), {}}, {"g", expr(rational(981, 100)), {}}};
  const expr m = expr::symbol("m"), l = expr::symbol("l"), g = expr::symbol("g");
  recursive_definitions kept;
  expr last[2] = {0, 0};
  for (int i = 1; i <= n; ++i) {
    const expr q = expr::symbol("q[" + std::to_string(i) + "]");
    system.coordinates.push_back(q);
    const expr ends[2] = {last[0] + l * sin(q), last[1] - l * cos(q)};
    for (const int k : {0, 1}) {
      last[k] = expr::symbol((k == 0 ? "x[" : "y[") + std::to_string(i) + "]");
      kept.symbols.push_back(last[k]);
      kept.values.push_back(ends[k]);
      system.lagrangian += m / 2 * pow(velocity_symbol(last[k]), 2);
    }
    system.lagrangian += -(m * g * last[1]);
  }
  system.recursions = std::make_shared<const recursive_definitions>(std::move(kept));
  return system;
}

inline lagrangian_system written_out(lagrangian_system system) {
  write_out_recursions(system);
  return system;
}

// Several recursions at once, one through another; frames that turn; values by index; time; forces and observables.
inline const std::string entangled = R"toml(
coordinates = ["u", "q[1..n]"]
lagrangian = """sum(i = 1..n, m[i]/2*(x[i]'^2 + y[i]'^2) - m[i]*g*y[i]*(1 + 0.1*y[i]^2) + 0.05*q[i]'^2)
 + u'^2 - (x[n] - u)^2 + 0.3*x[3]'*sin(x[2])*u'"""
[sizes]
n = 14
[parameters]
g = 9.81
"m[i = 1..n]" = "1 + i/10"
"l[i = 1..n]" = "1 - i/50"
[definitions]
"x[0]" = "u + 0.2*sin(3*t)"
"y[0]" = 0
"th[0]" = 0
"th[i = 1..n]" = "th[i-1] + q[i]"
"x[i = 1..n]" = "x[i-1]*cos(0.1*q[i]) + l[i]*sin(th[i]) + 0.01*t*th[i]"
"y[i = 1..n]" = "y[i-1] - l[i]*cos(q[i])*(1 + 0.1*x[i-1])"
[forces]
"q[i = 1..n]" = "-0.1*q[i]'*(1 + x[i]^2) + x[i]'"
[observables]
tip = "x[n]^2"
speed = "x[n]'"
)toml";

// A tree given by a table.
inline const std::string tree = R"toml(
coordinates = ["q[1..n]"]
lagrangian = "sum(e in rods, 1/2*m[e.child]*(x[e.child]'^2 + y[e.child]'^2) - m[e.child]*g*y[e.child])"
[sizes]
n = 15
[parameters]
g = 9.81
"m[i = 1..n]" = "1 + i/10"
[tables.rods]
columns = ["child", "parent", "l"]
rows = [[1,0,1], [2,1,0.5], [3,1,0.7], [4,2,1], [5,2,1], [6,3,1], [7,3,1.1], [8,4,1], [9,4,1], [10,5,1], [11,5,1],
        [12,6,1], [13,6,1], [14,7,1], [15,7,1]]
[definitions]
"x[0]" = 0
"y[0]" = 0
"x[e in rods]" = "x[e.parent] + e.l*sin(q[e.child])"
"y[e in rods]" = "y[e.parent] - e.l*cos(q[e.child])"
)toml";

}  // namespace actio::testing
