// Kernels of trajectories: the bits of the text carried out with numbers, in rows of any length; lanes that know
// nothing of each other.
#include "actio/backend/trajectory_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "problems/problem.hpp"
#include "tests/support/kernel_bench.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/systems.hpp"

namespace actio {
namespace {

using testing::kernel_bench;

class trajectory_kernel_of : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ACTIO_NEEDS(machine_code); }
};

TEST_P(trajectory_kernel_of, has_the_bits_of_its_text_in_rows_of_any_length) {
  constexpr std::size_t steps = 40;
  const model m = load_model(GetParam());
  for (const std::size_t points : {1U, 3U, 8U}) {
    const kernel_bench bench(m, points);
    std::vector<std::vector<double>> starts;
    // Some with steps of their own, one that ends earlier.
    for (std::size_t k = 0; k < 11; ++k)
      starts.push_back(bench.start(m, k, k % 3 == 1 ? 0.03 : 0.02, k == 4 ? 17 : steps));
    const auto eight = bench.in_lanes(starts, 8, steps, steps), one = bench.in_lanes(starts, 1, steps, steps),
               four = bench.in_lanes(starts, 4, steps, 7);
    const auto meant = [&](const std::vector<double>& rows) { return bench.meant(rows); };
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const std::vector<double> expected = meant(bench.with_numbers(starts[k], steps));
      EXPECT_EQ(expected[bench.code.rows.lives()], 1) << points << " " << k;
      EXPECT_EQ(meant(eight[k]), expected) << points << " " << k;
      EXPECT_EQ(meant(four[k]), expected) << points << " " << k;
      EXPECT_EQ(meant(one[k]), expected) << points << " " << k;
    }
  }
}

TEST_P(trajectory_kernel_of, follows_the_single_step) {
  constexpr std::size_t steps = 50;
  constexpr double h = 0.02;
  const model m = load_model(GetParam());
  for (const std::size_t points : {2U, 5U}) {
    const kernel_bench bench(m, points);
    const integrator<double> flow(m.system, {.method = "gauss-" + std::to_string(points), .step = h});
    phase_state<double> state = flow.at_start(m);
    const auto workspace = flow.make_workspace();
    while (state.index < steps) ASSERT_TRUE(workspace->advance(state));
    const std::vector<double> end = bench.in_lanes({bench.start(m, 0, h, steps)}, 4, steps, steps)[0];
    for (std::size_t a = 0; a < m.system.size(); ++a) {
      EXPECT_NEAR(end[bench.code.rows.state(a)], state.position[a], 1e-12 * (1 + std::abs(state.position[a])));
      EXPECT_NEAR(end[bench.code.rows.state(m.system.size() + a)], state.momentum[a],
                  1e-12 * (1 + std::abs(state.momentum[a])));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(problems, trajectory_kernel_of,
                         ::testing::Values("double-pendulum", "kepler", "damped-driven-pendulum", "lagrange-top"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// One that starts nowhere, one that a step of its length cannot follow.
TEST(trajectory_kernel, leaves_neighbours_of_lost_trajectories_alone) {
  ACTIO_NEEDS(machine_code);
  constexpr std::size_t steps = 30;
  const model m = load_model("double-pendulum");
  const kernel_bench bench(m, 4);
  std::vector<std::vector<double>> starts;
  for (std::size_t k = 0; k < 8; ++k) starts.push_back(bench.start(m, k, 0.02, steps));
  const auto healthy = bench.in_lanes(starts, 8, steps, steps);
  starts[2][bench.code.rows.state(0)] = std::numeric_limits<double>::quiet_NaN();
  starts[5][bench.code.rows.step()] = 40;
  const auto ailing = bench.in_lanes(starts, 8, steps, steps);
  for (std::size_t k = 0; k < 8; ++k) {
    const bool is_lost = k == 2 || k == 5;
    EXPECT_EQ(ailing[k][bench.code.rows.lives()], is_lost ? 0 : 1) << k;
    if (is_lost) continue;
    EXPECT_EQ(ailing[k], healthy[k]) << k;
  }
}

}  // namespace
}  // namespace actio
