#include "actio/mechanics/model_language.hpp"

#include <algorithm>

namespace actio {

namespace {

std::string_view first_part(std::string_view name) { return name.substr(0, name.find('.')); }

// Beside those of [run], which are options.
std::vector<model_table> tables_of_systems() {
  return {
      {"",
       "What stands above the first table.",
       {{"name", "The name of the model; that of its file where it is left out."},
        {"coordinates", "The names of the coordinates, in their order."},
        {"lagrangian", "The Lagrangian: an expression in coordinates, velocities x', parameters, definitions and t."},
        {"hamiltonian", "The Hamiltonian in its place: an expression in coordinates, momenta p_x, parameters and t."}},
       R"toml(
name = "oscillator"
coordinates = ["x"]
lagrangian = "1/2*x'^2 - 1/2*x^2"
[initial.position]
x = 1
[initial.velocity]
x = 0
[run]
step = 0.01
until = 1
)toml"},
      {"parameters",
       "Numbers with names, or expressions in parameters above them; a run can give them other values.",
       {{"NAME", "The value: a number or an expression in quotes."}},
       R"toml(
coordinates = ["q"]
lagrangian = "1/2*m*l^2*q'^2 + m*g*l*cos(q)"
[parameters]
m = 1
g = 9.81
l = "g/(2*pi)^2"
[initial.position]
q = "45 deg"
[initial.momentum]
q = 0
[run]
step = 0.01
until = 1
)toml"},
      {"definitions",
       "Expressions with names: scalars, vectors or quaternions, each in the terms of those above it. A prime gives "
       "the total time derivative. Members may go on from those before, as x[i] = x[i-1] + l*sin(q[i]): of many "
       "coordinates they are kept as they are, and steps of Galerkin methods cost as much as there are members.",
       {{"NAME", "What it stands for."}},
       R"toml(
coordinates = ["q"]
lagrangian = "1/2*(x'^2 + y'^2) - 9.81*y"
[definitions]
x = "sin(q)"
y = "-cos(q)"
[initial.position]
q = 1
[initial.velocity]
q = 0
[run]
step = 0.01
until = 1
)toml"},
      {"sizes",
       "Whole numbers that indices are made of; they are set as parameters are. Coordinates \"q[1..n]\", "
       "keys such as \"m[i = 1..n]\" and sum(i = 1..n, ...) run over them; q[i] is a member.",
       {{"NAME", "A whole number, or an expression in sizes above."}},
       R"toml(
coordinates = ["q[1..n]"]
lagrangian = "sum(i = 1..n, 1/2*m[i]*q[i]'^2) - sum(i = 0..n, 1/2*(q[i+1] - q[i])^2)"
[sizes]
n = 8
[parameters]
"m[i = 1..n]" = "1 + i/10"
[definitions]
"q[0]" = 0
"q[n+1]" = 0
[initial.position]
"q[i = 1..n]" = "sin(pi*i/(n + 1))"
[run]
step = 0.05
until = 1
)toml"},
      {"tables.NAME",
       "Rows of numbers that sums and keys run over: sum(e in NAME, ...), where e.a is the value in column a.",
       {{"columns", "The names of the columns; those of the file where they are left out."},
        {"rows", "The rows themselves, [[1, 2, 0.5], ...]."},
        {"file", "A CSV file in the folder of the model or below it, whose first line names the columns."}},
       R"toml(
coordinates = ["q[1..3]"]
lagrangian = "sum(i = 1..3, 1/2*q[i]'^2) - sum(e in bonds, 1/2*e.k*(q[e.b] - q[e.a] - e.length)^2)"
[tables.bonds]
columns = ["a", "b", "k", "length"]
rows = [[1, 2, 4, 1], [2, 3, 9, 1.5]]
[initial.position]
q = [0, 1.2, 2.5]
[run]
step = 0.05
until = 1
)toml"},
      {"signals.NAME",
       "Samples of a function of time, used as NAME(t), and NAME'(t) for its derivative. The power that they bring is "
       "in "
       "the energy balance of a run.",
       {{"file",
         "A CSV file in the folder of the model or below it, whose first line names the columns time and value."},
        {"samples", "The samples themselves, [[time, value], ...], instead of a file."},
        {"interpolation",
         "\"linear\", straight lines with kinks at the samples (the default), or \"cubic\", the not-a-knot spline."}},
       R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2 - 1/2*x^2 + u(t)*x"
[signals.u]
samples = [[0, 0], [0.5, 1], [1, 0.25], [2, 0]]
interpolation = "cubic"
[initial.position]
x = 1
[initial.velocity]
x = 0
[run]
step = 0.01
until = 1
)toml"},
      {"forces",
       "Forces that no Lagrangian has.",
       {{"NAME", "The generalised force on the coordinate of this name, or on a vector of coordinates."}},
       R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2 - 1/2*x^2"
[forces]
x = "-0.1*x' + if(x < -1/2, -10*(x + 1/2), 0)"
[initial.position]
x = 1
[initial.velocity]
x = 0
[run]
step = 0.01
until = 1
)toml"},
      {"constraints",
       "What is held at zero.",
       {{"NAME", "An expression in coordinates, parameters and t."}},
       R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - 9.81*y"
[constraints]
rod = "x^2 + y^2 - 1"
[initial.position]
x = 1
y = 0
[initial.velocity]
x = 0
y = 0
[run]
method = "simpson"
step = 0.01
until = 1
)toml"},
      {"observables",
       "Further columns of a trajectory.",
       {{"NAME", "An expression in coordinates, velocities, momenta p_x, parameters and t."}},
       R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2 - 1/2*x^2"
[observables]
speed = "abs(x')"
[initial.position]
x = 1
[initial.velocity]
x = 0
[run]
step = 0.01
until = 1
)toml"},
      {"invariants",
       "What the motion keeps, by the word of the model: a run measures it.",
       {{"NAME", "An expression as that of an observable."}},
       R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2 - 1/2*x^2"
[invariants]
amplitude = "hypot(x, x')"
[initial.position]
x = 1
[initial.velocity]
x = 0
[run]
step = 0.01
until = 1
)toml"},
      {"symmetries.NAME",
       "An infinitesimal symmetry, whose Noether momentum is tracked. Many are found without being declared.",
       {{"NAME", "How the coordinate of this name moves; coordinates that are left out do not."}},
       R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) + 1/hypot(x, y)"
[symmetries.rotation]
x = "-y"
y = "x"
[initial.position]
x = 1
y = 0
[initial.velocity]
x = 0
y = 1
[run]
step = 0.01
until = 1
)toml"},
  };
}

std::vector<model_table> other_tables() {
  return {
      {"events.NAME",
       "Something that happens where an expression goes through zero.",
       {{"when", "The expression, in coordinates, velocities, momenta p_x, parameters and t."},
        {"direction", "up, down or both, which is usual."},
        {"action", "stop ends the run there; record, which is usual, notes time and state."},
        {"set",
         "New values, all at once: { \"x'\" = \"-x'\" }, of coordinates, velocities, momenta p_x or parameters."}},
       R"toml(
coordinates = ["y"]
lagrangian = "1/2*y'^2 - 9.81*y"
[parameters]
e = 0.9
[events.bounce]
when = "y"
direction = "down"
action = "record"
set = { "y'" = "-e*y'" }
[initial.position]
y = 1
[initial.velocity]
y = 0
[run]
step = 0.01
until = 1
)toml"},
      {"control.NAME",
       "A parameter that gets a new value from the state at the start and again after equal times, and keeps it "
       "between.",
       {{"value", "The value, an expression in coordinates, velocities, momenta p_x, parameters and t."},
        {"every", "The time between two samples."}},
       R"toml(
coordinates = ["x"]
lagrangian = "1/2*x'^2 + u*x"
[control.u]
value = "-4*x - 2*x'"
every = 0.05
[initial.position]
x = 1
[initial.velocity]
x = 0
[run]
step = 0.01
until = 1
)toml"},
      {"time",
       "Steps of equal length in a time that runs with the motion: dt = scale dtau.",
       {{"scale", "The scale, an expression in coordinates, velocities, momenta p_x and t, or auto."}},
       R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) + 1/r"
[definitions]
r = "hypot(x, y)"
[time]
scale = "r^(3/2)"
[initial.position]
x = 1
y = 0
[initial.velocity]
x = 0
y = 0.2
[run]
step = 0.01
until = 1
)toml"},
      {"linear",
       "A linear system instead of a Lagrangian: L = 1/2 v.Mv - 1/2 q.Kq + f.q.",
       {{"mass", "The symmetric matrix M, by rows."},
        {"stiffness", "The symmetric matrix K, by rows."},
        {"load", "The force f, one value a coordinate, in parameters and t; none where it is left out."},
        {"damping", "The symmetric matrix C of forces -Cv, by rows."},
        {"rayleigh", "[a, b] in its place: C = a M + b K."}},
       R"toml(
coordinates = ["a", "b"]
[linear]
mass = [[1, 0], [0, 2]]
stiffness = [[3, -1], [-1, 3]]
load = [0, "sin(t)"]
rayleigh = [0.1, 0.01]  # in the place of damping = [[…], […]]
[initial.position]
a = 1
b = 0
[initial.velocity]
a = 0
b = 0
[run]
step = 0.01
until = 1
)toml"},
      {"equations",
       "Ordinary differential equations y' = f(t, y) instead of a Lagrangian.",
       {{"NAME", "The right-hand side of the equation of this coordinate."}},
       R"toml(
coordinates = ["x", "y"]
[equations]
x = "y"
y = "-sign(x)*min(abs(x), 1)"
[initial.position]
x = 2
y = 0
[run]
method = "rk4"
step = 0.01
until = 1
)toml"},
      {"chart",
       "Coordinates that satisfy the constraints by themselves, for the intrinsic formulation.",
       {{"coordinates", "The names of the coordinates of the chart."},
        {"NAME", "Where the ambient coordinate of this name is."}},
       R"toml(
coordinates = ["x", "y"]
lagrangian = "1/2*(x'^2 + y'^2) - 9.81*y"
[constraints]
rod = "x^2 + y^2 - 1"
[chart]
coordinates = ["theta"]
x = "sin(theta)"
y = "-cos(theta)"
[initial.position]
x = 1
y = 0
[initial.velocity]
x = 0
y = 0
[initial.chart]
theta = "90 deg"
[run]
method = "simpson"
step = 0.01
until = 1
)toml"},
      {"initial",
       "Where the motion starts. Values are numbers or expressions in parameters.",
       {{"position", "The table [initial.position]: one value a coordinate."},
        {"velocity", "The table [initial.velocity]: one value a coordinate."},
        {"momentum", "The table [initial.momentum], instead of velocities."},
        {"next", "The table [initial.next], instead: positions after the first step."},
        {"body_rate", "The table [initial.body_rate]: angular velocities of quaternions, in body axes."},
        {"space_rate", "The table [initial.space_rate]: the same in space axes."},
        {"chart", "The table [initial.chart]: where the coordinates of a chart start."}},
       R"toml(
coordinates = ["q"]
lagrangian = "1/2*q'^2 + cos(q)"
[initial.position]
q = "30 deg"
[initial.velocity]
q = "-2 deg"
[run]
step = 0.01
until = 1
)toml"},
      {"view",
       "What the report of a run animates.",
       {{"points", "The table [view.points]: components of points, two in a plane and three in space."},
        {"lines", "Chains of points."},
        {"traces", "Points whose path is drawn."},
        {"bodies", "The tables [view.bodies.NAME]: a box or a disc, its centre, and its axes, orientation or angle."},
        {"shapes", "The tables [view.shapes.NAME]: curves that stand still."}},
       R"toml(
coordinates = ["q"]
lagrangian = "1/2*q'^2 + cos(q)"
[view]
lines = [["hook", "bob"]]
traces = ["bob"]
[view.points]
hook = [0, 0]
bob = ["sin(q)", "-cos(q)"]
[initial.position]
q = 1
[initial.velocity]
q = 0
[run]
step = 0.01
until = 1
)toml"},
      {"run",
       "Defaults of a run: every key is one of its options.",
       {{"NAME", "The value of the option of this name."}},
       R"toml(
coordinates = ["q"]
lagrangian = "1/2*q'^2 + cos(q)"
[initial.position]
q = 1
[initial.velocity]
q = 0
[run]
method = "gauss-4"
step = "pi/100"
until = "2*pi"
)toml"},
  };
}

}  // namespace

const std::vector<model_table>& model_tables() {
  static const std::vector<model_table> all = [] {
    std::vector<model_table> tables = tables_of_systems();
    for (const model_table& t : other_tables()) tables.push_back(t);
    return tables;
  }();
  return all;
}

const model_table* find_model_table(std::string_view name) {
  if (name.empty()) return &model_tables().front();
  const auto found =
      std::ranges::find(model_tables(), first_part(name), [](const model_table& t) { return first_part(t.name); });
  return found == model_tables().end() ? nullptr : &*found;
}

std::vector<std::string> keys_of_table(std::string_view name) {
  std::vector<std::string> keys;
  const model_table* table = find_model_table(name);
  if (table == nullptr) return keys;
  for (const model_key& key : table->keys) {
    if (key.name != "NAME") keys.emplace_back(key.name);
  }
  for (const model_table& t : model_tables()) {
    if (name.empty() && !t.name.empty()) keys.emplace_back(first_part(t.name));
  }
  return keys;
}

}  // namespace actio
