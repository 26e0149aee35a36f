// What a link costs where they are many: beside a loop written by hand.
#include <cmath>
#include <stdexcept>
#include <string>

#include "chains/chain.hpp"
#include "common/sized.hpp"

namespace actio::bench {

namespace {

constexpr double step = 0.001;

// Both must move alike before they are timed.
double of_hand(const model& m, std::size_t n, bool quick) {
  const integrator<double> flow(m.system, {.method = "verlet", .step = step});
  phase_state<double> state = flow.at_start(m);
  hand_written_chain chain(state.position.value, 9.81);
  const auto workspace = flow.make_workspace();
  for (int k = 0; k < 10; ++k) {
    if (!workspace->advance(state)) throw std::runtime_error("a step failed");
    chain.advance(step);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!(std::abs(chain.x()[i] - state.position.value[i]) < 1e-10) ||
        !(std::abs(chain.y()[i] - state.position.value[n + i]) < 1e-10)) {
      throw std::runtime_error("the chain by hand moves otherwise");
    }
  }
  return nanoseconds(quick, [&] { chain.advance(step); });
}

}  // namespace

study cost_of_links(bool quick) {
  study s{.id = "cost_of_links",
          .title = "Nanoseconds a link and step of a chain of rods in the plane, h = 0.001, against their number",
          .columns = {"links", "verlet by hand", "verlet", "simpson"},
          .rows = {}};
  for (const std::size_t n : {10, 100, 1000, 10'000}) {
    const model m = sized("hanging-chain", n);
    const auto size = static_cast<double>(n);
    s.rows.push_back({size, of_hand(m, n, quick) / size, of_actio(m, "verlet", step, quick) / size,
                      of_actio(m, "simpson", step, quick) / size});
  }
  return s;
}

study cost_of_recursions(bool quick) {
  study s{.id = "cost_of_recursions",
          .title = "Microseconds a rod and step of a chain in angles, x[i] = x[i-1] + l*sin(q[i]), h = 0.005",
          .columns = {"rods", "simpson", "gauss-4"},
          .rows = {}};
  for (const std::size_t n : {8, 12, 16, 64, 250, 1000}) {
    const model m = sized("chain-in-angles", n);
    const double rods = 1e3 * static_cast<double>(n);
    s.rows.push_back({static_cast<double>(n), of_actio(m, "simpson", 0.005, quick) / rods,
                      of_actio(m, "gauss-4", 0.005, quick) / rods});
  }
  return s;
}

study cost_of_bodies(bool quick) {
  study s{.id = "cost_of_bodies",
          .title = "Nanoseconds a body and step of a tree of rods on ball joints, h = 0.005, against their number",
          .columns = {"bodies", "simpson"},
          .rows = {}};
  for (const std::size_t n : {8, 20, 200}) {
    s.rows.push_back(
        {static_cast<double>(n), of_actio(sized("rod-tree", n / 2), "simpson", 0.005, quick) / static_cast<double>(n)});
  }
  return s;
}

}  // namespace actio::bench
