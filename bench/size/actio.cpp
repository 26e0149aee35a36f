// What a coordinate costs where there are many: beside loops written by hand.
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

}  // namespace

study cost_of_size(bool quick) {
  study s{.id = "cost_of_size",
          .title =
              "Nanoseconds a coordinate and step of a lattice with quartic springs, h = 0.1, against the number n "
              "of coordinates",
          .columns = {"n", "strang by hand", "strang", "gauss-4 by hand", "gauss-4"},
          .rows = {}};
  for (const std::size_t n : {100, 1000, 10'000, 100'000}) {
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

}  // namespace actio::bench
