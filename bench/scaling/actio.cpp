// What a step costs: with the number of coordinates, and with the order.
#include <fmt/format.h>

#include "common/sized.hpp"
#include "common/studies.hpp"

namespace actio::bench {

namespace {

// Masses in a row between walls, with springs that harden: every coordinate feels its neighbours alone.
model row_of_masses(std::size_t n) {
  std::string names, kinetic, potential, position, momentum;
  for (std::size_t i = 1; i <= n; ++i) {
    names += fmt::format("{}\"x{}\"", i > 1 ? ", " : "", i);
    kinetic += fmt::format("{}1/2*x{}'^2", i > 1 ? " + " : "", i);
    const std::string left = i > 1 ? fmt::format(" - x{}", i - 1) : "";
    potential += fmt::format(" - 1/2*(x{0}{1})^2 - 1/4*(x{0}{1})^4", i, left);
    position += fmt::format("x{} = \"sin({})\"\n", i, i);
    momentum += fmt::format("x{} = 0\n", i);
  }
  potential += fmt::format(" - 1/2*x{0}^2 - 1/4*x{0}^4", n);
  return parse_model(
      fmt::format("coordinates = [{}]\nlagrangian = \"{}{}\"\n[initial.position]\n{}[initial.momentum]\n{}", names,
                  kinetic, potential, position, momentum),
      "row of masses");
}

// Rods that hang one from the other: every coordinate feels all others.
model hanging_rods(std::size_t n) {
  std::string names, definitions, kinetic, potential, position, momentum;
  for (std::size_t i = 1; i <= n; ++i) {
    names += fmt::format("{}\"q{}\"", i > 1 ? ", " : "", i);
    const std::string x = i > 1 ? fmt::format("x{} + ", i - 1) : "", y = i > 1 ? fmt::format("y{} - ", i - 1) : "-";
    definitions += fmt::format("x{0} = \"{1}sin(q{0})\"\ny{0} = \"{2}cos(q{0})\"\n", i, x, y);
    kinetic += fmt::format("{0}1/2*(x{1}'^2 + y{1}'^2)", i > 1 ? " + " : "", i);
    potential += fmt::format(" - g*y{}", i);
    position += fmt::format("q{} = {}\n", i, 0.1 * static_cast<double>(i % 3));
    momentum += fmt::format("q{} = 0\n", i);
  }
  return parse_model(fmt::format("coordinates = [{}]\nlagrangian = \"{}{}\"\n[parameters]\ng = 9.81\n[definitions]\n{}"
                                 "[initial.position]\n{}[initial.momentum]\n{}",
                                 names, kinetic, potential, definitions, position, momentum),
                     "hanging rods");
}

double microseconds_a_step(const model& m, const std::string& method, bool quick) {
  return of_actio(m, method, 0.01, quick) / 1000;
}

}  // namespace

study cost_of_coordinates(bool quick) {
  study s{.id = "cost_of_coordinates",
          .title =
              "Microseconds a step, h = 0.01, against the number n of coordinates: masses in a row (neighbours "
              "interact) and hanging rods (all interact)",
          .columns = {"n", "row, simpson", "row, gauss-4", "row, gauss-8", "rods, simpson", "rods, gauss-4",
                      "rods, gauss-8"},
          .rows = {}};
  for (const std::size_t n : {1, 2, 4, 8, 16, 32, 64}) {
    std::vector<double> row{static_cast<double>(n)};
    for (const char* method : {"simpson", "gauss-4", "gauss-8"}) {
      row.push_back(microseconds_a_step(row_of_masses(n), method, quick));
    }
    for (const char* method : {"simpson", "gauss-4", "gauss-8"}) {
      row.push_back(n <= 16 ? microseconds_a_step(hanging_rods(n), method, quick) : 0);
    }
    s.rows.push_back(std::move(row));
  }
  return s;
}

study cost_of_order(bool quick) {
  study s{.id = "cost_of_order",
          .title = "Microseconds a step of the double pendulum, h = 0.01, against the order",
          .columns = {"order", "lobatto", "gauss"},
          .rows = {}};
  const model m = load_model("double-pendulum");
  for (std::size_t points = 1; points <= 10; ++points) {
    const double lobatto = points < 9 ? microseconds_a_step(m, fmt::format("lobatto-{}", points + 1), quick) : 0;
    s.rows.push_back(
        {2.0 * static_cast<double>(points), lobatto, microseconds_a_step(m, fmt::format("gauss-{}", points), quick)});
  }
  return s;
}

}  // namespace actio::bench
