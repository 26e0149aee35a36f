// The energy that a symplectic method conserves, from consecutive states and the values of L_d between them:
// docs/theory/shadow_energy.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/discrete_lagrangian.hpp"

namespace actio {
namespace {

using testing::quads;

struct recorded_motion {
  std::vector<quads> position, momentum;
  quads action;  // S at each state
  quad step;
};

recorded_motion motion_of(std::string_view method, const quad& h, int steps) {
  const auto system = lagrangian_system::from("magnetic", {"x", "y"}, testing::magnetic_lagrangian);
  const testing::discrete_lagrangian action(
      method, [](const quads& q, const quads& v) { return quad(testing::magnetic_lagrangian(q, v)); }, 2, h);
  const integrator<quad> flow(system, {.method = std::string(method), .step = h});
  const auto workspace = flow.make_workspace();
  phase_state<quad> state = flow.at_momentum({quad(0.4), quad(-0.3)}, {quad(0.7), quad(0.5)});
  recorded_motion motion{{state.position.value}, {state.momentum.value}, {quad(0)}, h};
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(workspace->advance(state));
    motion.action.push_back(motion.action.back() +
                            action(action.points_between(motion.position.back(), state.position.value)));
    motion.position.push_back(state.position.value);
    motion.momentum.push_back(state.momentum.value);
  }
  return motion;
}

int binomial(int n, int k) { return k == 0 ? 1 : binomial(n - 1, k - 1) * n / k; }

// Ẽ_m from the states first … first + m.
quad shadow_energy(const recorded_motion& motion, std::size_t first, int m) {
  quad sum(0);
  for (int i = 0; i < m; ++i) {
    for (int j = i + 1; j <= m; ++j) {
      const std::size_t a = first + static_cast<std::size_t>(i), b = first + static_cast<std::size_t>(j);
      quad B = -2 * (motion.action[b] - motion.action[a]);
      for (std::size_t k = 0; k < motion.position[a].size(); ++k) {
        B += (motion.momentum[a][k] + motion.momentum[b][k]) * (motion.position[b][k] - motion.position[a][k]);
      }
      sum += ((j - i) % 2 == 1 ? 1 : -1) * binomial(m, i) * binomial(m, j) * B / (j - i);
    }
  }
  return sum / (motion.step * binomial(2 * m, m));
}

// How far it varies along the motion.
double variation(const recorded_motion& motion, int m) {
  double low = 1e300, high = -1e300;
  for (std::size_t k = 0; k + static_cast<std::size_t>(m) < motion.position.size(); ++k) {
    const double value =
        to_double(quad(m == 0 ? testing::magnetic_hamiltonian(motion.position[k], motion.momentum[k]) -
                                    testing::magnetic_hamiltonian(motion.position[0], motion.momentum[0])
                              : shadow_energy(motion, k, m) - shadow_energy(motion, 0, m)));
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high - low;
}

TEST(shadow_formula, of_m_and_one_states_has_order_2m_for_every_method) {
  for (const char* method : {"euler-b", "midpoint", "verlet", "simpson"}) {
    const recorded_motion coarse = motion_of(method, quad(0.05), 60), fine = motion_of(method, quad(0.025), 120);
    for (int m = 1; m <= 4; ++m) {
      EXPECT_NEAR(std::log2(variation(coarse, m) / variation(fine, m)), 2 * m, 0.3) << method << " " << m;
    }
    EXPECT_LT(variation(fine, 4), 1e-3 * variation(fine, 0)) << method;
  }
}

}  // namespace
}  // namespace actio
