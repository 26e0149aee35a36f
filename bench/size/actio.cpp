// What a coordinate costs where there are many: beside loops written by hand.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "common/sized.hpp"
#include "common/studies.hpp"
#include "size/lattice.hpp"

namespace actio::bench {

namespace {

constexpr double step = 0.1;

// Both must move alike before they are timed; `advance` moves what was written by hand.
template <class Lattice, class Advance>
double of_hand(const model& m, const char* method, Lattice lattice, bool quick, Advance&& advance) {
  const integrator<double> flow(m.system, {.method = method, .step = step});
  phase_state<double> state = flow.at_start(m);
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < 10; ++k) {
    if (!workspace->advance(state)) throw std::runtime_error("a step failed");
    advance(lattice);
  }
  for (std::size_t i = 0; i < m.system.size(); ++i) {
    if (!(std::abs(lattice.position()[i] - state.position.value[i]) < 1e-10)) {
      throw std::runtime_error("the lattice by hand moves otherwise");
    }
  }
  return nanoseconds(quick, [&] { advance(lattice); });
}

double explicit_by_hand(const model& m, bool quick) {
  hand_written_lattice lattice(m.initial.position.values<double>(m.system), 0.3);
  return of_hand(m, "strang", std::move(lattice), quick, [](auto& l) { l.advance(step); });
}

double gauss_by_hand(const model& m, bool quick) {
  hand_written_gauss_lattice lattice(m.initial.position.values<double>(m.system), 0.3, step);
  return of_hand(m, "gauss-4", std::move(lattice), quick, [](auto& l) { l.advance(); });
}

// Masses on springs, each term written out, and the same in indices.
std::string springs_written_out(std::size_t n) {
  std::string names, kinetic, potential, positions;
  for (std::size_t i = 1; i <= n; ++i) {
    names += fmt::format("{}\"x{}\"", i > 1 ? ", " : "", i);
    kinetic += fmt::format("{}m/2*x{}'^2", i > 1 ? " + " : "", i);
    if (i < n) potential += fmt::format(" - k/2*(x{1} - x{0})^2 - beta/4*(x{1} - x{0})^4", i, i + 1);
    positions += fmt::format("x{0} = \"sin({0})\"\n", i);
  }
  return fmt::format(
      "coordinates = [{}]\nlagrangian = \"{}{}\"\n[parameters]\nm = 1\nk = 1\nbeta = 0.3\n"
      "[initial.position]\n{}",
      names, kinetic, potential, positions);
}
std::string springs_in_indices(std::size_t n) {
  return fmt::format(
      "coordinates = [\"x[1..n]\"]\nlagrangian = \"sum(i = 1..n, m/2*x[i]'^2) - sum(i = 1..n-1, "
      "k/2*(x[i+1] - x[i])^2 + beta/4*(x[i+1] - x[i])^4)\"\n[sizes]\nn = {}\n[parameters]\nm = 1\n"
      "k = 1\nbeta = 0.3\n[initial.position]\n\"x[i = 1..n]\" = \"sin(i)\"\n",
      n);
}

// From a text to its first step.
double milliseconds_to_first_step(const std::string& text, bool quick) {
  double least = 1e300;
  for (int k = 0; k < (quick ? 1 : 5); ++k) {
    const double before = cpu_seconds();
    const model m = parse_model(text, "springs");
    const integrator<double> flow(m.system, {.method = "strang", .step = step});
    phase_state<double> state = flow.at_start(m);
    if (!flow.make_workspace()->advance(state)) throw std::runtime_error("a step failed");
    least = std::min(least, cpu_seconds() - before);
  }
  return 1000 * least;
}

}  // namespace

study cost_of_size(bool quick) {
  study s{.id = "cost_of_size",
          .title =
              "Nanoseconds a coordinate and step of a lattice with quartic springs, h = 0.1, against the number n "
              "of coordinates",
          .columns = {"n", "strang by hand", "strang", "gauss-4 by hand", "gauss-4"},
          .rows = {}};
  for (const std::size_t n : {100, 1000, 10'000, 100'000, 1'000'000}) {
    if (quick && n > 10'000) break;
    const model m = sized("fput-lattice", n);
    const auto size = static_cast<double>(n);
    s.rows.push_back({size, explicit_by_hand(m, quick) / size, of_actio(m, "strang", step, quick) / size,
                      gauss_by_hand(m, quick) / size, of_actio(m, "gauss-4", step, quick) / size});
  }
  return s;
}

study cost_of_pairs(bool quick) {
  study s{.id = "cost_of_pairs",
          .title = "Nanoseconds an ordered pair of attracting bodies and step of strang, against the number of bodies",
          .columns = {"bodies", "a force by hand", "strang"},
          .rows = {}};
  for (const std::size_t n : {100, 300, 1000}) {
    const model m = sized("star-cluster", n);
    const auto pairs = static_cast<double>(n * (n - 1));
    std::vector<double> x, y, z, force(3 * n, 0.0);
    for (std::size_t i = 1; i <= n; ++i) {
      x.push_back(std::sin(12.9898 * static_cast<double>(i)));
      y.push_back(std::sin(78.233 * static_cast<double>(i)));
      z.push_back(std::sin(37.719 * static_cast<double>(i)));
    }
    const double by_hand =
        nanoseconds(quick, [&] { hand_written_attraction(x, y, z, 1.0 / static_cast<double>(n), 0.1, force); });
    s.rows.push_back({static_cast<double>(n), by_hand / pairs, of_actio(m, "strang", 0.01, quick) / pairs});
  }
  return s;
}

study cost_of_texts(bool quick) {
  study s{
      .id = "cost_of_texts",
      .title =
          "Springs between n masses, each written out, beside the same in indices: milliseconds from the text to the "
          "first step, and nanoseconds a coordinate and step of strang",
      .columns = {"n", "written out, ms", "in indices, ms", "written out, ns", "in indices, ns"},
      .rows = {}};
  for (const std::size_t n : {100, 501, 2000}) {
    const std::string text = springs_written_out(n), indices = springs_in_indices(n);
    const auto size = static_cast<double>(n);
    s.rows.push_back({size, milliseconds_to_first_step(text, quick), milliseconds_to_first_step(indices, quick),
                      of_actio(parse_model(text, "springs"), "strang", step, quick) / size,
                      of_actio(parse_model(indices, "springs"), "strang", step, quick) / size});
  }
  return s;
}

study energy_of_size(bool quick) {
  study s{.id = "energy_of_size",
          .title =
              "Largest relative energy error of a lattice of 1000 masses with quartic springs, h = 0.1, over the last "
              "half of so many steps",
          .columns = {"steps", "strang", "gauss-4"},
          .rows = {}};
  for (std::size_t steps = 1000; steps <= (quick ? 1000 : 100'000); steps *= 10) s.rows.push_back({double(steps)});
  for (const char* method : {"strang", "gauss-4"}) {
    const model m = sized("fput-lattice", 1000);
    const integrator<double> flow(m.system, {.method = method, .step = step});
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    phase_point<double> point(flow.space());
    point.measure(state.time, state.position.value, state.momentum.value);
    const double start = point.energy();
    for (std::vector<double>& row : s.rows) {
      double largest = 0;
      while (static_cast<double>(state.index) < row[0]) {
        if (!workspace->advance(state)) throw std::runtime_error("the lattice cannot be integrated");
        if (state.index % 10 != 0 || 2 * static_cast<double>(state.index) < row[0]) continue;
        point.measure(state.time, state.position.value, state.momentum.value);
        largest = std::max(largest, std::abs(point.energy() / start - 1));
      }
      row.push_back(largest);
    }
  }
  return s;
}

}  // namespace actio::bench
